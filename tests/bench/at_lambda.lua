-- Strategies at one lambda: arguments data (data_spec.lua), method, lambda, tol, strategies...
-- A run is given a minute. `lambda` is an absolute value, or a share of lambda_max when it ends in
-- "x". One line a run: screen nnz seconds updates passes relative_gap status, and the process's
-- peak memory so far in KB (Linux). For scripts/bench.
local d = dofile("tests/bench/data_spec.lua")(arg[1])
local peak = dofile("tests/bench/peak.lua")
local share = arg[3]:match("^(.*)x$")
for i = 5, #arg do
    local options = {tol = tonumber(arg[4]), screen = arg[i], max_seconds = 60}
    if share then options.lambda_ratio = tonumber(share) else options.lambda = tonumber(arg[3]) end
    local r = tm[arg[2]](d, options):wait()
    print(string.format("%s %d %.6f %d %.3f %.3e %s %s", arg[i], r.nnz, r.seconds, r.updates,
                        r.passes,
                        r.gap / r.null_objective, r.status, peak()))
end
