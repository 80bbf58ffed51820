-- Choosing by number: feature generating machines
--
-- A lambda says how much a weight costs. Often one would rather say how many features there may be.
-- Two classes, decided by 20 of 2,000 features:
data = tm.synth("fgm", {n = 400, p = 2000, k = 20, seed = 5})
train, test = data:split{test = 0.5, seed = 2}
truth = data.truth

-- `fgm` looks for the B features that the present model misses most, adds them as a group, and
-- trains again over all groups, until the duality gap proves that no group is missing.
r = tm.fgm(train, {B = 5, C = 10, tol = 1e-3, test = test}):wait()
print(r)

-- The trace has the features in the order in which they came, with the score each was taken for.
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

-- The first ones are nearly all true ones. How good are k features, chosen by one method or
-- another? Each method chooses, and the same l2 model is trained on what it chose.
curve = tm.curve{methods = {"fgm", "l1svm"}, train = train,
                 test = test, features = {5, 10, 20, 40, 80}, debias = true}
print(curve)
curve:show()

-- To try: B = 2 or B = 20. And source = "poly2" makes products of two features without ever storing
-- them all: tm.synth("xor") has an answer that no linear model finds.
