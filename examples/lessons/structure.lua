-- Structure: neighbours that are equal
--
-- Features may be tied by a graph: pixels, genes on a chromosome, sensors of a network. The fused
-- lasso penalises differences along its edges instead of weights:
--
--     min  1/2 |y - Xw|^2 + lambda (sum over edges |w_i - w_j|)
--
-- A difference that is charged is often exactly zero, so weights come in plateaus. Here the
-- features are the places of a chain of {data.p}, and the true weights have {true_steps} steps.
math.randomseed(3)
n, p = 60, 40
w, X, y = {}, {}, {}
for j = 1, p do w[j] = j <= 12 and 1 or j <= 25 and -0.5 or 2 end
for i = 1, n do
    X[i], y[i] = {}, 0.3 * (math.random() - 0.5)
    for j = 1, p do
        X[i][j] = math.random() - 0.5
        y[i] = y[i] + X[i][j] * w[j]
    end
end
data = tm.dataset{x = X, y = y, name = "chain"}
run = tm.genlasso(data, {graph = "chain", lambda_ratio = 0.03,
                         tol = 1e-8}):wait()
print(run)
---
function plateaus(model)
    local count = 1
    for j = 2, p do
        count = count + (math.abs(model:weight(j) - model:weight(j - 1)) > 1e-4 and 1 or 0)
    end
    return count
end
true_steps = 0
for j = 2, p do true_steps = true_steps + (w[j] ~= w[j - 1] and 1 or 0) end
places, fitted = {}, {}
for j = 1, p do places[j], fitted[j] = j, run.model:weight(j) end
tm.plot{series = {{x = places, y = w, name = "true"}, {x = places, y = fitted, name = "fitted"}},
        title = "weights along the chain"}:show()
tm.show{view = "plots"}
tm.ask{question = "How many plateaus have the true weights?", number = true_steps + 1,
       right = "The fitted ones have {plateaus(run.model)}.", wrong = "One more than steps."}

-- The lasso knows nothing of neighbours: each weight is on its own.
lasso = tm.lasso(data, {lambda_ratio = 0.03, tol = 1e-8}):wait()
---
lasso_weights = {}
function off(model)
    local sum = 0
    for j = 1, p do sum = sum + (model:weight(j) - w[j]) ^ 2 end
    return math.sqrt(sum)
end
for j = 1, p do lasso_weights[j] = lasso.model:weight(j) end
tm.plot{series = {{x = places, y = w, name = "true"},
                  {x = places, y = lasso_weights, name = "lasso"}},
        title = "weights along the chain"}:show()
print(string.format("distance to the true weights: fused %.3f, lasso %.3f", off(run.model),
                    off(lasso.model)))
tm.show{view = "plots"}
tm.ask{question = "Which is nearer to the true weights?", choices = {"fused", "lasso"},
       answer = off(run.model) < off(lasso.model) and 1 or 2,
       right = "{off(run.model):%.3f} against {off(lasso.model):%.3f}.",
       wrong = "The last line has both distances."}

-- Screening here asks which edges have equal ends. The dual has a number for each edge, and the
-- products of one feature bound those of the next edge: bounds are propagated along the graph. An
-- edge whose number cannot reach lambda has equal ends, and the two features become one. The answer
-- stays the same; `columns` and `updates` change.
function walk(screen)
    return tm.path(data, "genlasso", {graph = "chain", lambdas = 15,
                                      screen = screen, name = screen}):wait()
end
plain, bounds = walk("none"), walk("bounds")
print(tm.table({plain, bounds}, {"name", "primal", "updates", "columns"}))
---
apart = math.abs(plain.primal - bounds.primal) / plain.primal
tm.show{view = "path", run = bounds}
tm.ask{question = "An edge's dual number is surely below lambda. What follows?",
       choices = {"its two weights are equal", "its two weights are zero", "nothing"}, answer = 1,
       right = "As |x_j'theta| below one means that a weight is zero; here it is a difference. The "
           .. "two objectives differ by {apart:%.1e} of their value.",
       wrong = "What was a weight in the lasso is a difference here."}
