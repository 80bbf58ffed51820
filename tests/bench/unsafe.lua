-- Where the strong rule fails: arguments seed, n, p, number of lambdas, tol, strategies...
-- Normal columns scaled by 10^u, u uniform in [-3, 3], an intercept, no standardisation. One line a
-- strategy: screen status unmet worst_relative_gap least_recall least_precision, against `auto` at
-- 1e-12. For scripts/bench.
local state = math.tointeger(tonumber(arg[1]))
math.randomseed(state)
local function normal()
    return math.sqrt(-2 * math.log(1 - math.random())) * math.cos(2 * math.pi * math.random())
end
local n, p, x, y = tonumber(arg[2]), tonumber(arg[3]), {}, {}
for i = 1, n do x[i], y[i] = {}, normal() end
for j = 1, p do
    local scale = 10 ^ (6 * math.random() - 3)
    for i = 1, n do x[i][j] = scale * normal() end
    if j <= 3 then for i = 1, n do y[i] = y[i] + x[i][j] end end
end
local d = tm.dataset{x = x, y = y}
local tol = tonumber(arg[5])
local function path(screen, goal)
    return tm.path(d, "lasso", {lambdas = math.tointeger(tonumber(arg[4])), lambda_min_ratio = 0.04,
                                tol = goal,
                                screen = screen}):wait()
end
local truth = path("auto", 1e-12)
for i = 6, #arg do
    local r = path(arg[i], tol)
    local unmet, worst, recall, precision = 0, 0, 1, 1
    for k, m in ipairs(r.models) do
        local wanted, common = {}, 0
        for _, j in ipairs(truth.models[k].support) do wanted[j] = true end
        for _, j in ipairs(m.support) do common = common + (wanted[j] and 1 or 0) end
        local gap = r.table[k].gap / r.null_objective
        unmet, worst = unmet + (gap > tol and 1 or 0), math.max(worst, gap)
        if truth.models[k].nnz > 0 then recall = math.min(recall, common / truth.models[k].nnz) end
        if m.nnz > 0 then precision = math.min(precision, common / m.nnz) end
    end
    print(string.format("%s %s %d %.2e %.3f %.3f", arg[i], r.status, unmet, worst, recall,
                        precision))
end
