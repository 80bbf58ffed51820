-- Stability selection: how often the lasso chooses a feature on random halves of the rows. Written
-- out, to show each step; tm.stability{data=d, method="lasso", lambda=lambda / 2} does it in one
-- call, on pairs of halves, with a bound on the features that are chosen in error.
--
--   tamis run examples/studies/stability.lua [DATA [RATIO [HALVES [rows]]]]     (rows: prints them)
local d = tm.load(arg[1] or "examples/data/golub.svm.xz")
local ratio, halves = tonumber(arg[2]) or 0.3, tonumber(arg[3]) or 40
local lambda = ratio * tm.lasso(d, {lambda_ratio=1}):wait().lambda

local samples = {}
for b = 1, halves do
    local rows = {}
    for i = 1, d.n do
        rows[i] = i
    end
    for i = d.n, 2, -1 do -- Fisher and Yates
        local j = math.random(i)
        rows[i], rows[j] = rows[j], rows[i]
    end
    samples[b] = table.move(rows, 1, d.n // 2, 1, {})
    table.sort(samples[b])
end

local chosen = tm.map(samples, function(rows)
    local half = d:select{rows=rows}
    return tm.lasso(half, {lambda=lambda / 2, tol=1e-10}):wait().model.support
end, {name="stability"})

local counts = {}
for b = 1, halves do
    if arg[4] == "rows" then
        print("half " .. table.concat(samples[b], " "))
    end
    for _, j in ipairs(chosen[b]) do
        counts[j] = (counts[j] or 0) + 1
    end
end
local order = {}
for j in pairs(counts) do
    order[#order + 1] = j
end
table.sort(order, function(a, b)
    return counts[a] > counts[b] or counts[a] == counts[b] and a < b
end)
print(string.format("lambda %.12g", lambda))
for k = 1, math.min(20, #order) do
    print(string.format("feature %d in %d of %d", order[k], counts[order[k]], halves))
end
