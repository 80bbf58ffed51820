-- The measure matters: when accuracy says nothing
--
-- Texts of {data.p} words, of which {rare_share:%.1f} percent are of the rare kind that is looked
-- for. The rare ones use twelve words, those behind the first, five times as often as the others.
-- The first word is in every text.
function texts(seed)
    local X, label = {}, {}
    math.randomseed(seed)
    for i = 1, 2000 do
        local rare = math.random() < 0.02
        X[i], label[i] = {1}, rare and "rare" or "common"
        for j = 2, 300 do
            local chance = j <= 13 and (rare and 0.4 or 0.06) or 0.05
            X[i][j] = math.random() < chance and 1 or 0
        end
    end
    local data = tm.dataset{x = X, y = label, name = "texts " .. seed}
    return data, label, data:split{test = 0.5, seed = 3}
end
data, label, train, test = texts(7)
print(test.classes)
---
rare_count, test_rare = 0, 0
for _, l in ipairs(label) do rare_count = rare_count + (l == "rare" and 1 or 0) end
rare_sign = data:label(1) == "rare" and 1 or -1
for i = 1, test.n do test_rare = test_rare + (test.y[i] == rare_sign and 1 or 0) end
rare_share = 100 * rare_count / #label
tm.show{view = "data"}

-- Always answering "common" is right {100 * (1 - test_rare / test.n):%.1f} times in a hundred.
-- Trained for few errors and few features, a model does nearly that: `hamming` counts errors, B is
-- the least number of features.
function show(name, model)
    local scores = {}
    for i, m in ipairs{"accuracy", "f1", "rec@2p"} do
        scores[i] = string.format("%s %.3f", m, model:score(test, m))
    end
    print(string.format("%-8s %3d features   %s", name, model.nnz,
                        table.concat(scores, "   ")))
end
errors = tm.fsmulti(train, {measure = "hamming", B = 3, C_per_row = 0.02,
                            tol = 1e-2}):wait()
show("errors", errors.model)
---
tm.show{view = "runs"}
tm.ask{question = "F1 is the harmonic mean of precision and recall. Which F1 has a model that "
           .. "finds no rare text?", number = 0, 
       right = "Its recall is nothing, whatever its accuracy.",
       wrong = "Its recall is the share of rare texts that it finds."}

-- F1 is no sum over rows, but a function of all predictions together. `fsmulti` trains for it as it
-- is: here it reaches {f1.model:score(test, "f1"):%.3f}, training for errors
-- {errors.model:score(test, "f1"):%.3f}.
f1 = tm.fsmulti(train, {measure = "f1", B = 3, C_per_row = 0.02,
                        tol = 1e-2}):wait()
show("errors", errors.model)
show("f1", f1.model)
---
seeds = {1, 2, 3, 4, 5, 6, 8, 9} -- 7 is the one above
tm.show{view = "runs"}
tm.ask{question = "Which of the two has the better accuracy on the test rows?",
       choices = {"errors", "f1", "they are equal"},
       answer = errors.model:score(test, "accuracy") > f1.model:score(test, "accuracy") and 1
           or errors.model:score(test, "accuracy") < f1.model:score(test, "accuracy") and 2 or 3,
       right = "And the one trained for F1 finds what was looked for.",
       wrong = "Both lines have it: accuracy."}

-- Was that luck? This data set was chosen because the point shows in it. So here are {#seeds}
-- others, with nothing chosen: the seeds from {seeds[1]} to {seeds[#seeds]}, without the first
-- one's.
better = 0
for _, seed in ipairs(seeds) do
    local _, _, learn, other = texts(seed)
    local reached = {}
    for k, measure in ipairs{"hamming", "f1"} do
        local r = tm.fsmulti(learn, {measure = measure, B = 3,
                                     C_per_row = 0.02, tol = 1e-2}):wait()
        reached[k] = r.model:score(other, "f1")
    end
    better = better + (reached[2] > reached[1] and 1 or 0)
    print(string.format("seed %d   F1 %.3f trained for errors, %.3f for F1",
                        seed, reached[1], reached[2]))
end
---
tm.show{view = "runs"}
tm.ask{question = "In how many of the {#seeds} is the model trained for F1 the better one by F1?",
       number = better, right = "{better} of {#seeds}.", wrong = "Count the lines printed."}

-- Which words did it choose?
print(f1.model:top())
---
chosen_true = 0
for _, j in ipairs(f1.model.support) do
    chosen_true = chosen_true + (j >= 2 and j <= 13 and 1 or 0)
end
tm.show{view = "path", run = f1}

-- Of its {f1.model.nnz} words {chosen_true} are among the twelve. Other measures ask other
-- questions. rec@2p: reading twice as many texts as there are rare ones, the greatest scores first,
-- which share of the rare ones has been seen? There the threshold does not matter, and the order
-- does. And ROC area, for which nothing but the order counts:
print("errors", errors.model:score(test, "auc"))
print("f1", f1.model:score(test, "auc"))
---
tm.show{view = "runs"}

-- Both answers are certified nevertheless: no weights have an objective below `dual`. To try:
-- measure = "prbep" or "rocarea"; a greater B; C_per_row = 0.1.
for _, r in ipairs{errors, f1} do
    print(r.params.measure, "primal", r.primal, "dual", r.dual)
end
---
tm.show{view = "runs"}
