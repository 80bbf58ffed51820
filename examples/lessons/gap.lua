-- The duality gap: how an answer proves that it is good
--
-- A solver stops somewhere. Was it near the best answer? One can know without knowing the best
-- answer. {#y} rows and {#X[1]} features are small enough to compute by hand.
X = {{1, 0}, {0, 1}, {1, 1}}
y = {2, 0, 1}
data = tm.dataset{x = X, y = y, name = "by hand"}
---
tm.show{}

-- The lasso without intercept minimises
--
--     P(w) = 1/2 |y - Xw|^2 + lambda |w|_1
--
-- Take any vector a, with a number for each row, that keeps |x_j'a| <= lambda for every feature j.
-- Then the value
--
--     D(a) = y'a - 1/2 |a|^2
--
-- is never above P(w), whatever w is. Three lines prove it, with the residual r = y - Xw:
--
--     P(w) - D(a) = 1/2 |r|^2 + lambda |w|_1 - y'a + 1/2 |a|^2
--                 = 1/2 |r - a|^2 + (lambda |w|_1 - (Xw)'a)       since y = r + Xw
--                 >= 0    since (Xw)'a = sum_j w_j x_j'a <= lambda |w|_1
function primal(w, lambda)
    local sum = 0
    for i = 1, 3 do
        sum = sum + (y[i] - X[i][1] * w[1] - X[i][2] * w[2]) ^ 2
    end
    return sum / 2 + lambda * (math.abs(w[1]) + math.abs(w[2]))
end
---
tm.ask{question = "P is known at some w, and D at some a. What does the gap P(w) - D(a) bound?",
       choices = {"how far P(w) is above the least P", "how many features are wrong",
                  "the distance of w to zero"}, answer = 1,
       right = "The least P is no smaller than D(a), and no greater than P(w).",
       wrong = "D(a) is below every value of P, the least one too."}

-- Where does an a come from? From the residual y - Xw, made smaller until it keeps the constraints:
-- near the optimum that is nearly the best a.
function dual(w, lambda)
    local r, x1, x2 = {}, 0, 0
    for i = 1, 3 do
        r[i] = y[i] - X[i][1] * w[1] - X[i][2] * w[2]
        x1, x2 = x1 + X[i][1] * r[i], x2 + X[i][2] * r[i]
    end
    local greatest, value = math.max(math.abs(x1), math.abs(x2)), 0
    local scale = math.min(1, lambda / greatest)
    for i = 1, 3 do
        value = value + scale * r[i] * y[i] - (scale * r[i]) ^ 2 / 2
    end
    return value
end

-- Weights that are guessed have a large gap. P says nothing by itself; the gap says how much could
-- be won at most.
for _, w in ipairs{{0, 0}, {1, 0}, {1, -0.2}, {1.25, 0}, {1.2, 0.1}} do
    local P, D = primal(w, 0.5), dual(w, 0.5)
    print(string.format("w = (%5.2f, %5.2f)   P = %.4f   D = %.4f   gap %.4f",
                        w[1], w[2], P, D, P - D))
end
---
tm.ask{question = "By how much at most is P({1}, {0}) above the best value, by its gap?",
       number = primal({1, 0}, 0.5) - dual({1, 0}, 0.5), within = 0.001,
       right = "In truth it is {primal({1, 0}, 0.5) - primal({1.25, 0}, 0.5):%.5f} above: the gap "
           .. "is a bound, not the distance.",
       wrong = "The second line has it."}

-- At w = ({weights[1]}, {weights[2]}) the gap is {primal(weights, 0.5) - dual(weights, 0.5):%.4f}:
-- no other weights are better. The solver finds the same.
r = tm.lasso(data, {lambda = 0.5, intercept = false, tol = 1e-12}):wait()
print(r.model:top())
print(string.format("primal %.4f   dual %.4f", r.primal, r.dual))
---
weights = {r.model:weight(1), r.model:weight(2)}
tm.show{}

-- Every answer of every method here comes with such a gap. It is recomputed from the data and the
-- weights when the solver is done, so it does not depend on the solver. `tol` is the gap to stop
-- at, as a share of the objective of the model without features. Less costs more.
big = tm.synth("saif", {n = 100, p = 5000, seed = 3})
runs = {}
for _, tol in ipairs{1e-1, 1e-3, 1e-6, 1e-9} do
    local options = {lambda_ratio = 0.1, screen = "gap", tol = tol,
                     name = "tol " .. tol}
    table.insert(runs, tm.lasso(big, options):wait())
end
print(tm.table(runs, {"name", "primal", "gap", "nnz", "updates"}))
---
tm.show{view = "runs"}

-- The gap is a bound. What was really missing is known here, for the last answer is the best one to
-- nine digits:
for _, run in ipairs(runs) do
    print(string.format("%-10s  gap %.3g, really off by %.3g", run.name,
                        run.gap, run.primal - runs[4].primal))
end
---
tm.show{view = "runs"}
tm.ask{question = "Can an answer be off by more than its gap?", choices = {"yes", "no"}, answer = 2,
       right = "Every line has it: the second number is never the greater one.",
       wrong = "Compare the two numbers of every line; and read the three lines of the proof."}

-- How it closed, step by step. On a logarithmic axis a straight line is a constant factor each
-- time.
tm.plot{runs = {runs[4]}, x = "updates", y = "gap",
        title = "the gap of the last run"}:show()
---
tm.show{view = "plots"}

-- To try at the prompt: what happens to the gap when `screen` is "none" or "auto"? And
-- help("trace") tells what else was recorded.
---
tm.show{view = "runs"}
