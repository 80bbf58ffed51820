-- Paths: from no feature to all of them
--
-- One lambda is one question. Which lambda is right is usually not known, so all are solved, from
-- the greatest down.
data = tm.synth("saif", {n = 200, p = 1000, k = 15, noise = 0.5, seed = 7})
train, test = data:split{test = 0.3, seed = 1}

-- At lambda_max the first feature is about to enter; below it features come, and sometimes go
-- again. Each solve begins with the answer before it (a warm start), which is why 50 of them cost
-- little more than one.
path = tm.path(train, "lasso", {lambdas = 50, lambda_min_ratio = 0.01,
                                test = test}):wait()
one = tm.lasso(train, {lambda_ratio = 0.01}):wait()
print(string.format("column products: path %d, its last lambda alone %d",
                    path.columns, one.columns))

-- A row for each lambda.
some = {}
for i = 1, #path.table, 7 do some[#some + 1] = path.table[i] end
print(tm.table(some, {"lambda", "nnz", "test_score", "gap"}))

-- The test score rises steeply while features come that matter, and no more when the rest is used
-- to fit noise.
tm.plot{runs = {path}, x = "nnz", y = "test_score",
        title = "test r2 by features"}:show()

-- The smallest useful lambda, and the first at which all true features are there:
function true_ones(model)
    local count = 0
    for _, j in ipairs(model.support) do
        if data.truth[j] then count = count + 1 end
    end
    return count
end
best, whole = 1, nil
for i, row in ipairs(path.table) do
    if row.test_score > path.table[best].test_score then best = i end
    if not whole and true_ones(path.models[i]) == 15 then whole = i end
end
for _, i in ipairs{whole, best} do
    local model = path.models[i]
    print(string.format("lambda %6.4g: %2d features, %d true, test r2 %.4f",
                        model.lambda, model.nnz, true_ones(model),
                        model:score(test)))
end

-- The best by test score has many more features than matter. The reason: the penalty that chooses
-- features also makes their weights too small, and a lesser lambda makes up for that. Retrained on
-- the few features alone, without the penalty that chose them, the small model is the better one.
small = path.models[whole]
print("test r2 as chosen", small:score(test))
print("test r2 retrained", small:debias{data = train, C = 100}:score(test))

-- To try: which features are in models[5] but not in models[10]? model:weight(j) is the weight of
-- feature j.
