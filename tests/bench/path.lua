-- A whole path per strategy: arguments x file, response file or "-", number of lambdas, least ratio, tol,
-- strategies... One line a run: screen nnz seconds updates passes worst_relative_gap status; with the
-- name "lambdas" among the strategies, the grid itself, one value a line. For scripts/bench.
local d = tm.load(arg[1], arg[2] ~= "-" and {response = arg[2]} or {})
for i = 6, #arg do
    local grid = {lambdas = math.tointeger(tonumber(arg[3])), lambda_min_ratio = tonumber(arg[4]),
                  tol = tonumber(arg[5])}
    if arg[i] ~= "lambdas" then grid.screen = arg[i] end
    local r = tm.path(d, "lasso", grid):wait()
    if arg[i] == "lambdas" then
        for _, row in ipairs(r.table) do print(string.format("%.17g", row.lambda)) end
    else
        print(string.format("%s %d %.6f %d %.3f %.3e %s", arg[i], r.nnz, r.seconds, r.updates,
                            r.passes, r.worst_gap / r.null_objective, r.status))
    end
end
