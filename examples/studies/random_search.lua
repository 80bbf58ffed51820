-- Random search: elastic nets with a penalty and a mixture drawn at random, judged on five folds.
-- The seed decides the draws and the folds, so that the table is the same each time.
--
--   tamis run examples/studies/random_search.lua [DATA.csv]
local d = tm.load(arg[1] or "examples/data/breast_cancer.csv"):scale()
local DRAWS, FOLDS = 24, 5

local draws = {}
for i = 1, DRAWS do
    draws[i] = {lambda=10 ^ (math.random() * 3 - 0.5), alpha=0.1 + 0.9 * math.random()}
end

local function mean_error(draw)
    local sum = 0
    for k = 1, FOLDS do
        local train, test = {}, {}
        for i = 1, d.n do
            local part = (i - 1) % FOLDS == k - 1 and test or train
            part[#part + 1] = i
        end
        local run = tm.lasso(d:select{rows=train},
                             {lambda=draw.lambda, alpha=draw.alpha, tol=1e-10}):wait()
        sum = sum + run.model:score(d:select{rows=test}, "mse") / FOLDS
    end
    return sum
end

local errors = tm.map(draws, mean_error, {name="random search"})
local best = 1
for i, draw in ipairs(draws) do
    print(string.format("draw %2d lambda %.17g alpha %.17g mse %.12g", i, draw.lambda, draw.alpha,
                        errors[i]))
    best = errors[i] < errors[best] and i or best
end
print(string.format("best %d mse %.12g", best, errors[best]))
