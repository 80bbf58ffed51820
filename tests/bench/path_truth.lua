-- SAIF's figure 2.6 and table 2.1: arguments data (data_spec.lua), number of lambdas, least ratio,
-- tol, strategies... For each, the path's time and how its features compare with those of the
-- optimum (`auto` at a tolerance ten thousand times smaller): screen seconds updates unmet
-- worst_relative_gap, then the average and standard deviation over the lambdas of recall and of
-- precision. For scripts/bench.
local d = dofile("tests/bench/data_spec.lua")(arg[1])
local grid = {lambdas = math.tointeger(tonumber(arg[2])), lambda_min_ratio = tonumber(arg[3])}

local function path(screen, tol)
    return tm.path(d, "lasso", {lambdas = grid.lambdas, lambda_min_ratio = grid.lambda_min_ratio,
                                tol = tol,
                                screen = screen}):wait()
end

local function moments(values)
    local sum, squares = 0, 0
    for _, v in ipairs(values) do sum = sum + v; squares = squares + v * v end
    local mean = sum / #values
    return mean, math.sqrt(math.max(squares / #values - mean * mean, 0))
end

local tol = tonumber(arg[4])
local truth = path("auto", tol * 1e-4)
for i = 5, #arg do
    local r = path(arg[i], tol)
    local recall, precision, unmet, worst = {}, {}, 0, 0
    for k, m in ipairs(r.models) do
        local wanted, common = {}, 0
        for _, j in ipairs(truth.models[k].support) do wanted[j] = true end
        for _, j in ipairs(m.support) do common = common + (wanted[j] and 1 or 0) end
        local gap = r.table[k].gap / r.null_objective
        if truth.models[k].nnz > 0 then recall[#recall + 1] = common / truth.models[k].nnz end
        if m.nnz > 0 then precision[#precision + 1] = common / m.nnz end
        unmet, worst = unmet + (gap > tol and 1 or 0), math.max(worst, gap)
    end
    local ra, rs = moments(recall)
    local pa, ps = moments(precision)
    print(string.format("%s %.6f %d %d %.3e %.4f %.4f %.4f %.4f", arg[i], r.seconds, r.updates,
                        unmet, worst,
                        ra, rs, pa, ps))
end
