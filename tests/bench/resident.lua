-- Makes a .tam of n x p normal doubles column by column, or solves it: tamis run resident.lua make
-- FILE N P, tamis run resident.lua solve FILE BUDGET RATIO. Solving prints seconds, chosen
-- features, passes, relative gap and the most memory ever resident.
if arg[1] == "make" then
  tm.synth("gfl", {n=tonumber(arg[3]), p=tonumber(arg[4]), truth="nodes", size=50,
                   storage="generated"})
    :save(arg[2])
  return
end
local d = tm.load(arg[2], {resident=tonumber(arg[3])})
local r = tm.lasso(d, {lambda_ratio=tonumber(arg[4]), tol=1e-6})
r:wait()
local most = dofile("tests/bench/peak.lua")()
print(r.seconds, r.nnz, r.passes, r.gap / r.null_objective, 1024 * tonumber(most))
