-- Nested cross-validation of four methods on the same splits, and a paired test of the best two.
-- The outer folds say how good a method is, the inner ones choose its penalty from the training
-- rows alone; columns are scaled by the training rows, too.
--
--   tamis run examples/studies/nested.lua [DATA.csv]
local d = tm.load(arg[1] or "examples/data/breast_cancer.csv")
local OUTER, INNER = 10, 4
local penalties = {100, 30, 10, 3, 1}

-- All four are least squares or logistic regression plus lambda times a penalty.
local methods = {
    {"lasso", function(data, lambda) return tm.lasso(data, {lambda=lambda, tol=1e-10}) end},
    {"elastic net", function(data, lambda)
        return tm.lasso(data, {lambda=lambda, alpha=0.5, tol=1e-10})
    end},
    {"ridge", function(data, lambda) return tm.ridge(data, {C=1 / lambda, tol=1e-10}) end},
    {"l1logistic", function(data, lambda)
        return tm.l1logistic(data, {lambda=lambda, tol=1e-10})
    end},
}

-- The rows of a set that are, and that are not, in fold k of `folds`.
local function parts(data, k, folds)
    local train, test = {}, {}
    for i = 1, data.n do
        local part = (i - 1) % folds == k - 1 and test or train
        part[#part + 1] = i
    end
    return data:select{rows=train}, data:select{rows=test}
end

local function accuracy(train, test, fit, lambda)
    local run = fit(train:scale(), lambda):wait()
    return run.model:score(test:scale{like=train}, "accuracy")
end

local function outer_fold(k)
    local train, test = parts(d, k, OUTER)
    local found = {}
    for m, method in ipairs(methods) do
        local best, best_score
        for _, lambda in ipairs(penalties) do
            local sum = 0
            for j = 1, INNER do
                local inner_train, inner_test = parts(train, j, INNER)
                sum = sum + accuracy(inner_train, inner_test, method[2], lambda)
            end
            if not best or sum > best_score + 1e-9 then -- of equal ones the greatest penalty
                best, best_score = lambda, sum
            end
        end
        found[m] = {lambda=best, accuracy=accuracy(train, test, method[2], best)}
    end
    return found
end

local folds = {}
for k = 1, OUTER do
    folds[k] = k
end
local results = tm.map(folds, outer_fold, {name="nested"})

local scores, order = {}, {}
for m, method in ipairs(methods) do
    local list, sum, chosen = {}, 0, {}
    for k = 1, OUTER do
        list[k], chosen[k] = results[k][m].accuracy, results[k][m].lambda
        sum = sum + list[k] / OUTER
    end
    scores[method[1]], order[m] = list, {name=method[1], mean=sum}
    print(string.format("%-12s mean accuracy %.6f  penalties %s", method[1], sum,
                        table.concat(chosen, " ")))
end
table.sort(order, function(a, b) return a.mean > b.mean end)
local t = tm.compare(scores[order[1].name], scores[order[#order].name])
print(string.format("%s against %s: mean difference %.6f, t %.6f, p %.6f", order[1].name,
                    order[#order].name, t.mean_difference, t.t, t.t_p))
