-- Paths of classes on tall data: arguments file, response file, method, lambdas, least ratio, tol,
-- and ways to solve: "together", or "each", one lambda after the other (as with any limit of time).
-- One line a run: way nnz processor_seconds passes worst_relative_gap status. For scripts/bench.
local d = tm.load(arg[1], {response = arg[2]})
local options = {lambdas = math.tointeger(tonumber(arg[4])), lambda_min_ratio = tonumber(arg[5]),
                 tol = tonumber(arg[6]), threads = 1}
for i = 7, #arg do
    options.max_seconds = arg[i] == "each" and 1e6 or nil
    local began = os.clock()
    local r = tm.path(d, arg[3], options):wait()
    print(string.format("%s %d %.4f %.1f %.3e %s", arg[i], r.nnz, os.clock() - began, r.passes,
                        r.worst_gap / r.null_objective, r.status))
end
