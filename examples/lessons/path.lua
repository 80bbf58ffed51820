-- The l1 norm and the path: from no feature to many
--
-- Which few of many features explain a response? Here the answer is known: {data.n} rows and
-- {data.p} features, of which {#true_ones} matter. A part of the rows is kept for testing.
--
-- In the view beside this text the solver has already answered, at one lambda.
data = tm.synth("saif", {n = 200, p = 1000, k = 15, noise = 0.5, seed = 7})
train, test = data:split{test = 0.3, seed = 1}
---
true_ones = {}
for j = 1, data.p do if data.truth[j] then true_ones[#true_ones + 1] = j end end
run = tm.lasso(train, {lambda_ratio = 0.1, test = test}):wait()
tm.show{view = "explore", run = run, set = {lambda_ratio = 0.1}}

-- The lasso minimises
--
--     P(w) = 1/2 |y - Xw - b|^2 + lambda |w|_1
--
-- The first term asks for a good fit, the second one charges lambda for each unit of weight. The
-- charge has a corner at zero, so a feature that gains less than it costs has exactly the weight
-- zero. At lambda_max = {lambda_max:%.4g} the best feature is about to enter; at
-- {run.lambda / lambda_max:%.2g} of it {run.nnz} features have weights.
run = tm.lasso(train, {lambda_ratio = 0.1, test = test}):wait()
print(run.model:top(5))
---
lambda_max = run.lambda / 0.1
tm.show{view = "explore", run = run, set = {lambda_ratio = 0.1}, zoom = 2}
tm.ask{question = "What happens to the number of features when lambda becomes smaller?",
       choices = {"it grows, on the whole", "it falls", "it stays"}, answer = 1,
       right = "A weight costs less, so more features are worth theirs.",
       wrong = "Try it: Ctrl-W takes the keys to the form, left and right turn lambda.",
       truth = {view = "explore", run = run, set = {lambda_ratio = 0.02}, zoom = 2}}

-- One lambda is one question. Which lambda is right is usually not known, so all are solved, from
-- the greatest down. Each solve begins with the answer before it (a warm start). The whole path of
-- {#path.table} lambdas took {path.columns} products of a column with a vector, its last lambda
-- alone {one.columns}.
path = tm.path(train, "lasso", {lambdas = 50, lambda_min_ratio = 0.01,
                                test = test}):wait()
one = tm.lasso(train, {lambda_ratio = 0.01}):wait()
print(string.format("column products: path %d, its last lambda alone %d",
                    path.columns, one.columns))
---
tm.show{view = "path", run = path}

-- A row for each lambda. The test score rises steeply while features come that matter, and no more
-- when the rest is used to fit noise.
some = {}
for i = 1, #path.table, 7 do some[#some + 1] = path.table[i] end
print(tm.table(some, {"lambda", "nnz", "test_score", "gap"}))
tm.plot{runs = {path}, x = "nnz", y = "test_score",
        title = "test r2 by features"}:show()
---
tm.show{view = "plots"}

-- The smallest useful lambda, and the first at which all {#true_ones} true features are there:
function count_true(model)
    local count = 0
    for _, j in ipairs(model.support) do
        if data.truth[j] then count = count + 1 end
    end
    return count
end
best, whole = 1, nil
for i, row in ipairs(path.table) do
    if row.test_score > path.table[best].test_score then best = i end
    if not whole and count_true(path.models[i]) == 15 then whole = i end
end
for _, i in ipairs{whole, best} do
    local model = path.models[i]
    print(string.format("lambda %6.4g: %2d features, %d true, test r2 %.4f",
                        model.lambda, model.nnz, count_true(model),
                        model:score(test)))
end
---
tm.ask{question = "How many features does the model with the best test score have that do not "
           .. "matter?",
       number = path.models[best].nnz - count_true(path.models[best]),
       right = "{path.models[best].nnz} features, {count_true(path.models[best])} of them true.",
       wrong = "The second line has how many features there are and how many of them are true.",
       truth = {view = "path", run = path}}

-- The best by test score has many more features than matter. The reason: the penalty that chooses
-- features also makes their weights too small (it is biased), and a lesser lambda makes up for
-- that. Retrained on the few features alone, without the penalty that chose them, the small model
-- has r2 {retrained:%.4f}: better than its {chosen:%.4f} as chosen and the
-- {path.models[best]:score(test):%.4f} of the best lambda.
small = path.models[whole]
print("test r2 as chosen", small:score(test))
print("test r2 retrained", small:debias{data = train, C = 100}:score(test))
---
chosen = small:score(test)
retrained = small:debias{data = train, C = 100}:score(test)
tm.ask{question = "Why do the retrained weights predict better?",
       choices = {"there are more of them", "they are no longer made smaller by the penalty",
                  "they were fitted to the test rows"}, answer = 2,
       right = "The features are the same {small.nnz}; only their weights changed.",
       wrong = "The features are the same {small.nnz}, and no test row was used."}

-- To try at the prompt: which features are in path.models[5] but not in path.models[10]? And
-- model:weight(j) is the weight of feature j.
---
tm.show{view = "path", run = path}
