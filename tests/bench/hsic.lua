-- One HSIC lasso: tamis run hsic.lua N P RATIO [SCREEN]. Prints the features chosen, whether they
-- are the planted two, passes (counted products / p), relative gap, and the most memory ever
-- resident in MB, less that of the data.
local n, p, ratio = tonumber(arg[1]), tonumber(arg[2]), tonumber(arg[3])
local d = tm.synth("circle", {n=n, p=p, k=2, seed=1})
local function resident()
  for line in io.lines("/proc/self/status") do
    local kb = line:match("^VmRSS:%s*(%d+)")
    if kb then return tonumber(kb) end
  end
  return 0
end
local before = resident()
local r = tm.hsiclasso(d, {lambda_ratio=ratio, tol=1e-6, refit="none", threads=1,
                           screen=arg[4] or "auto"})
r:wait()
local found, truth = 0, d.truth
for _, j in ipairs(r.model.support) do found = found + (truth[j] ~= 0 and 1 or 0) end
local most = tonumber(dofile("tests/bench/peak.lua")())
print(r.nnz, found, r.passes, r.gap / r.null_objective, before / 1024, (most - before) / 1024,
      r.status)
