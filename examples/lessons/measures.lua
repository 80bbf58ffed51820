-- Measures: when accuracy says nothing
--
-- Texts of 300 words, of which one in thirteen is of the rare kind that is looked for. The rare
-- ones use twelve words, numbers 2 to 13, five times as often as the others. Word 1 is in every
-- text.
math.randomseed(7)
X, label = {}, {}
for i = 1, 1500 do
    local rare = math.random() < 0.08
    X[i], label[i] = {1}, rare and "rare" or "common"
    for j = 2, 300 do
        local chance = j <= 13 and (rare and 0.3 or 0.06) or 0.05
        X[i][j] = math.random() < chance and 1 or 0
    end
end
data = tm.dataset{x = X, y = label, name = "texts"}
train, test = data:split{test = 0.5, seed = 3}
print(test.classes)

-- Always answering "common" is right 93 times in 100. Trained for few errors and few features, a
-- model does nearly that: `hamming` counts errors, B is the least number of features.
function show(name, model)
    local scores = {}
    for i, m in ipairs{"accuracy", "f1", "rec@2p"} do
        scores[i] = string.format("%s %.3f", m, model:score(test, m))
    end
    print(string.format("%-8s %3d features   %s", name, model.nnz,
                        table.concat(scores, "   ")))
end
errors = tm.fsmulti(train, {measure = "hamming", B = 3, C_per_row = 0.005,
                            tol = 1e-2}):wait()
show("errors", errors.model)

-- F1 is the harmonic mean of precision and recall: it is 0 as long as no rare text is found. It is
-- no sum over rows, but a function of all predictions together. `fsmulti` trains for it as it is.
f1 = tm.fsmulti(train, {measure = "f1", B = 3, C_per_row = 0.005,
                        tol = 1e-2}):wait()
show("f1", f1.model)

-- It makes more errors, and it finds what was looked for. Which words did it choose?
print(f1.model:top())

-- Other measures ask other questions. rec@2p: reading twice as many texts as there are rare ones,
-- the greatest scores first, which share of the rare ones has been seen? There the threshold does
-- not matter, and the order does. The lines above have it at their ends. And ROC area, for which
-- nothing but the order counts:
print("errors", errors.model:score(test, "auc"))
print("f1", f1.model:score(test, "auc"))

-- Both answers are certified nevertheless: no weights have an objective below `dual`.
for _, r in ipairs{errors, f1} do
    print(r.params.measure, "primal", r.primal, "dual", r.dual)
end

-- All measures, and their values where nothing is found:
print(tm.metrics())

-- To try: measure = "prbep" or "rocarea"; a greater B; C_per_row = 0.1.
