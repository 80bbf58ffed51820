-- The strategies on one file: arguments path, lambda ratio, tol, strategies...
-- One line a run: screen nnz seconds updates passes relative_gap status lambda. For scripts/bench.
local d = tm.load(arg[1])
for i = 4, #arg do
    local r = tm.lasso(d, {lambda_ratio = tonumber(arg[2]), tol = tonumber(arg[3]),
                           screen = arg[i]}):wait()
    print(string.format("%s %d %.6f %d %.3f %.3e %s %.17g", arg[i], r.nnz, r.seconds, r.updates,
                        r.passes, r.gap / r.null_objective, r.status, r.lambda))
end
