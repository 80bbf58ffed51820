-- A first script: which few of many features explain the response?
--
-- Every line can also be typed at the prompt of `tamis repl` or of the workbench (`>` goes there).
-- help() is an overview, help("lasso") a page.

-- Data made so that the answer is known: 200 samples, 2,000 features, 20 of which matter.
data = tm.synth("saif", {n = 200, p = 2000, k = 20, seed = 1})
train, test = data:split{test = 0.25, seed = 1}
print(train)

-- The lasso minimises  1/2 |y - Xw - b|^2 + lambda |w|_1 : the greater lambda, the fewer features.
-- At lambda_max none is left; 0.1 means a tenth of that. The call returns at once, the solver works
-- in the background, and wait() waits for it.
run = tm.lasso(train, {lambda_ratio = 0.1, test = test})
run:wait()
print(run)

-- The duality gap bounds how far the answer can be from the best one: it is a certificate.
print(string.format("objective %.6g, at most %.2g above the best",
                    run.primal, run.gap))

-- What was found: features are counted from 1.
print(run.model:top(5))
print("r2 on the test rows", run.model:score(test, "r2"))

-- Each step was recorded: the gap against time, on a logarithmic axis.
tm.plot{runs = {run}, x = "time", y = "gap",
        title = "how the gap closed"}:show()

-- Which lambda is best? Solve many, each from the answer before, and look at the test score.
path = tm.path(train, "lasso", {lambdas = 30, test = test}):wait()
tm.plot{runs = {path}, x = "nnz", y = "test_score",
        title = "test score by features"}:show()

best = 1
for i, row in ipairs(path.table) do
    if row.test_score > path.table[best].test_score then best = i end
end
row = path.table[best]
print(string.format("best of the path: lambda %.4g, %d features, r2 %.4f",
                    row.lambda, row.nnz, row.test_score))
