-- Paths of one margin loss without intercept: arguments file, response file or "-", method, number
-- of lambdas, least ratio, tol, runs. One line a run: nnz at the end, seconds, passes, worst
-- relative gap, status; after the first the grid, one line "lambda VALUE" each. For scripts/bench.
-- Dense data are read for each run: the first one makes them a copy in bytes, which they keep.
local dense, d = arg[1]:match("%.npy$") or arg[1]:match("%.tam$"), nil
for i = 1, math.tointeger(tonumber(arg[7])) do
    if dense or not d then
        d = nil
        collectgarbage()
        d = tm.load(arg[1], arg[2] ~= "-" and {response = arg[2]} or {})
    end
    local r = tm.path(d, arg[3], {lambdas = math.tointeger(tonumber(arg[4])),
                                  lambda_min_ratio = tonumber(arg[5]),
                                  tol = tonumber(arg[6]), intercept = false}):wait()
    print(string.format("%d %.6f %.3f %.3e %s", r.nnz, r.seconds, r.passes,
                        r.worst_gap / r.null_objective,
                        r.status))
    for _, row in ipairs(i == 1 and r.table or {}) do print(string.format("lambda %.17g",
                                                                          row.lambda)) end
end
