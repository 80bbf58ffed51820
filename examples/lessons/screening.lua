-- Screening: features that need not be looked at again
--
-- Most features of a sparse problem have weight 0. Knowing early which ones saves most of the work.
-- Here are 5,000 features and 100 rows.
data = tm.synth("saif", {n = 100, p = 5000, k = 20, seed = 3})

-- At the best answer a feature with weight has |x_j'a| = lambda, a being the best dual point.
-- Conversely, a feature with |x_j'a| < lambda has none. The best a is not known, but the duality
-- gap says how near it is: within sqrt(2 gap) of the present one. If even the greatest |x_j'a| in
-- that ball stays below lambda, feature j is out, for certain. That is the strategy "gap".
function solve(screen)
    return tm.lasso(data, {lambda_ratio = 0.1, tol = 1e-8, screen = screen,
                           name = screen}):wait()
end
none, gap = solve("none"), solve("gap")

-- The ball is large at first and rejects nothing. Once it is small, it rejects nearly all features.
tm.plot{runs = {gap}, x = "step", y = "rejection",
        title = "share of the features that are out"}:show()

-- The answer is the same one: screening that is safe changes the cost alone.
print(tm.table({none, gap}, {"name", "nnz", "primal", "gap", "columns"}))

-- `columns` counts products x_j'v, the unit of work here: it does not depend on the machine.
--
-- The other way round is to begin with a few features and to let in those that the same test cannot
-- exclude: "saif". No feature that stays out is ever looked at between the tests.
saif = solve("saif")
tm.plot{runs = {none, gap, saif}, x = "columns", y = "gap",
        title = "gap by column products"}:show()

-- And "auto" solves on a small set exactly and certifies it over all features. It is what runs
-- unless you say otherwise.
auto = solve("auto")
print(tm.table({none, gap, saif, auto},
               {"name", "nnz", "columns", "updates", "seconds"}))

-- Not every rule is safe. The strong rule guesses from the answer at the lambda before: a feature
-- whose product was small there is left out. Here the features have very different scales, and the
-- guess goes wrong.
math.randomseed(4)
X, y = {}, {}
for i = 1, 30 do X[i], y[i] = {}, 0 end
for j = 1, 100 do
    local scale = 10 ^ (6 * math.random() - 3)
    for i = 1, 30 do
        X[i][j] = scale * (math.random() - 0.5)
        y[i] = y[i] + (j <= 3 and X[i][j] or 0)
    end
end
hard = tm.dataset{x = X, y = y, name = "hard"}
for _, screen in ipairs{"strong", "strong_once"} do
    local p = tm.path(hard, "lasso", {screen = screen, lambdas = 20, tol = 1e-6,
                                      lambda_min_ratio = 0.01}):wait()
    print(string.format("%-11s %-10s %d features, worst gap %.2g", screen,
                        p.status, p.nnz, p.worst_gap / p.null_objective))
end

-- "strong" checks its guess against the certificate and repairs it. "strong_once" does not: a feature
-- that it needed is missing, and the certificate says so.
--
-- All strategies:
print(tm.screens())

-- To try: lambda_ratio = 0.5 or 0.02 above. When is screening worth most? The workbench has a view
-- for this lesson: `tamis`, then 4 shows every feature against the test, step by step.
