-- VI's tables 2 and 3: arguments file, method, number of lambdas, tol, configurations...
-- The lambdas are lambda_max / k, k = 1, 2, ..., as in the paper. One line a configuration:
-- config nnz seconds epochs updates passes worst_relative_gap status. For scripts/bench.
local d, method = tm.load(arg[1]), arg[2]
local top = tm[method](d, {lambda = 1e300}):wait().lambda_max
local lambdas = {}
for k = 1, tonumber(arg[3]) do lambdas[k] = top / k * (1 - 1e-8) end
for i = 5, #arg do
    local r = tm[method](d, {lambda = lambdas, tol = tonumber(arg[4]), config = arg[i]}):wait()
    print(string.format("%s %d %.6f %d %d %.3f %.3e %s", arg[i], r.nnz, r.seconds, r.epochs,
                        r.updates,
                        r.passes, r.worst_gap / r.null_objective, r.status))
end
