-- Choosing by number: the bias of l1, and feature generation
--
-- A lambda says how much a weight costs. It does two things at once: it chooses features, and it
-- makes weights small. Feature generation keeps the two apart: B says how many features a group
-- has, C how closely the data are fitted. Two classes, decided by {#true_list} of {data.p}
-- features:
data = tm.synth("fgm", {n = 400, p = 2000, k = 20, seed = 5})
train, test = data:split{test = 0.5, seed = 2}
truth = data.truth
---
true_list = {}
for j = 1, data.p do if truth[j] then true_list[#true_list + 1] = j end end
tm.show{view = "data"}

-- The bias of l1: the model of `l1svm` with many features beside the same features trained again
-- with an l2 penalty (debias). The test accuracy is {biased:%.3f} as chosen and {freed:%.3f}
-- retrained.
l1 = tm.l1svm(train, {lambda_ratio = 0.3, test = test}):wait()
print(l1.model:top(5))
print(l1.model:debias{data = train, C = 10}:top(5))
---
biased = l1.model:score(test, "accuracy")
retrained = l1.model:debias{data = train, C = 10}
freed = retrained:score(test, "accuracy")
function greatest(model)
    local most = 0
    for _, j in ipairs(model.support) do most = math.max(most, math.abs(model:weight(j))) end
    return most
end
tm.show{view = "path", run = l1}
tm.ask{question = "By which factor is the greatest weight larger after retraining?",
       number = greatest(retrained) / greatest(l1.model), within = 0.05 * greatest(retrained)
           / greatest(l1.model),
       right = "From {greatest(l1.model):%.4f} to {greatest(retrained):%.4f}.",
       wrong = "Divide the greatest weight of the second list by that of the first, signs apart."}

-- `fgm` looks for the B features that the present model misses most, adds them as a group, and
-- trains again over all groups, until the duality gap proves that no group is missing.
r = tm.fgm(train, {B = 5, C = 10, tol = 1e-3, test = test}):wait()
print(r)
---
tm.show{view = "path", run = r}

-- The trace has the features in the order in which they came, with the score each was taken for. Of
-- the first {first_count} features {first_true} are true ones.
order = {}
for i = 1, #r.trace do
    local step = r.trace[i]
    if step.feature then
        local true_one = truth[step.feature] and "yes" or "no"
        table.insert(order, {place = #order + 1, feature = step.feature,
                             score = step.score, true_one = true_one})
    end
end
print(tm.table({table.unpack(order, 1, 15)},
               {"place", "feature", "score", "true_one"}))
---
first_count, first_true = math.min(15, #order), 0
for i = 1, first_count do first_true = first_true + (order[i].true_one == "yes" and 1 or 0) end
tm.show{view = "path", run = r}
tm.ask{question = "How many features come in one round?", number = 5,
       right = "That is B.", wrong = "What does B say?"}

-- B and C apart: more C fits the data more closely with nearly the same features; another B changes
-- how many there are.
rows = {}
for _, B in ipairs{2, 10} do
    for _, C in ipairs{1, 10} do
        local m = tm.fgm(train, {B = B, C = C, tol = 1e-2}):wait().model
        rows[#rows + 1] = {B = B, C = C, nnz = m.nnz,
                           test = m:score(test, "accuracy")}
    end
end
print(tm.table(rows, {"B", "C", "nnz", "test"}))
---
tm.show{view = "runs"}

-- How good are k features, chosen by one method or another? Each method chooses, and the same l2
-- model is trained on what it chose.
curve = tm.curve{methods = {"fgm", "l1svm"}, train = train,
                 test = test, features = {5, 20, 80}, debias = true}
print(curve)
curve:show()
---
tm.show{view = "plots"}

-- To try: B = 2 or B = 20. And source = "poly2" makes products of two features without ever storing
-- them all: tm.synth("xor") has an answer that no linear model finds.
---
tm.show{view = "explore", run = r}
