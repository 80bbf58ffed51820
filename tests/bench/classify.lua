-- The strategies on one data set without intercept: arguments file, response file or "-", method,
-- lambda ratio, tol, strategies... One line a run: screen nnz seconds updates passes relative_gap
-- status lambda. For scripts/bench.
local d = tm.load(arg[1], arg[2] ~= "-" and {response = arg[2]} or {})
for i = 6, #arg do
    local r = tm[arg[3]](d, {lambda_ratio = tonumber(arg[4]), tol = tonumber(arg[5]),
                             screen = arg[i],
                             intercept = false}):wait()
    print(string.format("%s %d %.6f %d %.3f %.3e %s %.17g", arg[i], r.nnz, r.seconds, r.updates,
                        r.passes, r.gap / r.null_objective, r.status, r.lambda))
end
