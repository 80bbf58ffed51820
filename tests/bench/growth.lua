-- Cost of the strategies on one synthetic problem: arguments p, k, lambda ratio, strategies...
-- One line a run: screen nnz seconds updates passes relative_gap status. Called by scripts/bench.
local p, k, ratio = math.tointeger(tonumber(arg[1])), math.tointeger(tonumber(arg[2])), tonumber(arg[3])
local d = tm.synth("saif", {n = 100, p = p, k = k, seed = 3})
for i = 4, #arg do
    local r = tm.lasso(d, {lambda_ratio = ratio, screen = arg[i], tol = 1e-8}):wait()
    print(string.format("%s %d %.6f %d %.3f %.3e %s", arg[i], r.nnz, r.seconds, r.updates, r.passes,
                        r.gap / r.null_objective, r.status))
end
