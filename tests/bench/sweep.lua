-- A sweep of equal tasks: arguments n, p, folds, repeats, screen, lambda_ratio. Prints the tasks,
-- the wall clock's seconds, and the seconds that the solvers took. For scripts/bench.
local n, p, folds, repeats = tonumber(arg[1]), tonumber(arg[2]), tonumber(arg[3]), tonumber(arg[4])
local data = tm.synth("saif", {n=n, p=p, seed=1})
local s = tm.sweep{data=data, method="lasso", screen=arg[5], lambda_ratio=tonumber(arg[6]),
                   folds=folds,
                   repeats=repeats, tol=1e-8, name="bench"}:wait()
local seconds = 0
for _, cell in ipairs(s.cells) do seconds = seconds + cell.seconds end
print(string.format("%d %.6f %.6f", s.done, s.seconds, seconds))
