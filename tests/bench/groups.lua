-- Solvers of the group lasso: arguments data (data_spec.lua), groups, loss, tol, shares of
-- lambda_max joined by commas, solvers... The shares are a path, from the greatest down. One line a
-- run: solver nnz seconds passes worst_relative_gap status. For scripts/bench.
local d = dofile("tests/bench/data_spec.lua")(arg[1])
local probe = tm.grouplasso(d, {loss = arg[3], groups = arg[2], lambda_ratio = 1}):wait()
local lambdas = {}
for share in arg[5]:gmatch("[^,]+") do
    lambdas[#lambdas + 1] = tonumber(share) * probe.lambda_max
end
for i = 6, #arg do
    local r = tm.grouplasso(d, {loss = arg[3], groups = arg[2], lambda = lambdas,
                                tol = tonumber(arg[4]),
                                solver = arg[i]}):wait()
    local seconds, passes, worst, status = 0, 0, 0, "converged"
    for _, point in ipairs(r.table) do
        seconds, passes = seconds + point.seconds, passes + point.columns / d.p
        worst = math.max(worst, point.gap / r.null_objective)
        if point.status ~= "converged" then status = point.status end
    end
    print(string.format("%s %d %.6f %.3f %.3e %s", arg[i], r.nnz, seconds, passes, worst, status))
end
