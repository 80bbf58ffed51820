-- Structure: neighbours that are equal
--
-- Features may be tied by a graph: pixels, genes on a chromosome, sensors of a network. The fused
-- lasso penalises differences along its edges instead of weights:
--
--     min  1/2 |y - Xw|^2 + lambda (sum over edges |w_i - w_j|)
--
-- A difference that is charged is often exactly zero, so weights come in plateaus. Here the
-- features are the places of a chain of {data.p}, and the true weights have {true_steps} steps;
-- there are {data.n} samples and no intercept.
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
function fused(options)
    options.graph, options.intercept, options.tol = "chain", false, 1e-10
    return tm.genlasso(data, options):wait()
end
run = fused{lambda_ratio = 0.03}
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
lasso = tm.lasso(data, {lambda_ratio = 0.03, intercept = false,
                        tol = 1e-8}):wait()
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
       right = "{off(run.model):%.3f} against {off(lasso.model):%.3f}: the truth has plateaus, "
           .. "and one of the two penalties knows of them.",
       wrong = "The last line has both distances."}

-- A greater lambda melts plateaus together. Along the path each step between neighbours appears at
-- one lambda and, as a rule, stays.
path = tm.path(data, "genlasso", {graph = "chain", intercept = false,
                                  lambdas = 12, lambda_min_ratio = 0.03,
                                  name = "fused"}):wait()
for i = 1, #path.models, 3 do
    print(string.format("lambda %6.2f   plateaus %d", path.table[i].lambda,
                        plateaus(path.models[i])))
end
---
tm.show{view = "path", run = path}
tm.ask{question = "How many plateaus are there at the greatest lambda of the path?",
       number = plateaus(path.models[1]),
       right = "All weights are equal there: from lambda_max on no difference is worth its price.",
       wrong = "The first line printed, or the left end of the path."}

-- Why is a difference zero? As in the lasso the dual says so. It has a number v_k for each edge,
-- the force of that edge, and no force exceeds lambda:
--
--     v_k - v_(k-1) = x_k'a,   |v_k| <= lambda,   a = y - Xw
--
-- On a chain nothing holds the first feature but the first edge, so that its force is the product
-- of the first feature, and so on: v_k is the sum of the products up to feature k. Where |v_k| is
-- below lambda the edge need not give way: both ends are equal. Some of them, as shares of lambda:
function forces(model)
    local v, a = {}, {}
    for i = 1, n do
        a[i] = y[i]
        for j = 1, p do a[i] = a[i] - X[i][j] * model:weight(j) end
    end
    for k = 1, p do
        v[k] = k > 1 and v[k - 1] or 0
        for i = 1, n do v[k] = v[k] + X[i][k] * a[i] end
    end
    return v, a
end
v = forces(run.model)
looked = {6, 12, 18, 25, 32}
for _, k in ipairs(looked) do
    local difference = run.model:weight(k) - run.model:weight(k + 1)
    print(string.format("between %2d and %2d   %7.4f   weights differ by %7.4f",
                        k, k + 1, v[k] / run.lambda, difference))
end
---
edges, open = {}, {}
for i, k in ipairs(looked) do
    edges[i] = k .. " and " .. k + 1
    if math.abs(run.model:weight(k) - run.model:weight(k + 1)) > 1e-4 then open[#open + 1] = i end
end
shares = {}
for k = 1, p - 1 do shares[k] = math.abs(v[k]) / run.lambda end
between = {}
for k = 1, p - 1 do between[k] = k end
tm.plot{series = {{x = between, y = shares, name = "|v| / lambda"}},
        title = "the force of each edge"}:show()
tm.show{view = "plots"}
tm.ask{question = "Mark the edges whose ends differ.", mark = edges, answer = open,
       right = "There the force is lambda itself, in the direction of the difference.",
       wrong = "Which shares are one or minus one?"}

-- Screening asks before the solve: which edges surely have equal ends? From the answer at one
-- lambda, {first:%.2f}, the gap at the next, {second:%.2f}, gives a ball for a, as ever. By hand:
-- a is scaled until no force exceeds the new lambda, and then
--
--     gap = P - D    radius = sqrt(2 gap)    x_k'a is known but for radius |x_k|
---
first, second = 0.9 * run.lambda_max, 0.8 * run.lambda_max
before = fused{lambda = first}
v, a = forces(before.model)
function objective(lambda, model)
    local sum = 0
    for i = 1, n do sum = sum + a[i] ^ 2 / 2 end
    for j = 2, p do sum = sum + lambda * math.abs(model:weight(j) - model:weight(j - 1)) end
    return sum
end
most = 0
for k = 1, p - 1 do most = math.max(most, math.abs(v[k])) end
scale = second / most
dual = 0
for i = 1, n do dual = dual + scale * a[i] * y[i] - (scale * a[i]) ^ 2 / 2 end
gap = objective(second, before.model) - dual
radius = math.sqrt(2 * gap)
print(string.format("gap %.4f", gap))
walk = tm.path(data, "genlasso", {graph = "chain", intercept = false, tol = 1e-10,
                                  lambda = {first, second}, screen = "bounds",
                                  name = "bounds"}):wait()
rounds = tm.steps(walk)
low, high = {[0] = 0, [p] = 0}, {[0] = 0, [p] = 0}
function product(k, side) -- the least (-1) or the greatest (1) x_k'a
    local length = 0
    for i = 1, n do length = length + X[i][k] ^ 2 end
    return scale * (v[k] - (v[k - 1] or 0)) + side * radius * math.sqrt(length)
end
function kind(screen)
    return tm.path(data, "genlasso", {graph = "chain", intercept = false, lambdas = 13,
                                      lambda_min_ratio = 0.3, screen = screen,
                                      name = screen}):wait()
end
tm.show{view = "screen", run = walk, step = #rounds}
tm.ask{question = "Which radius has the program's ball for the second lambda?",
       number = rounds[#rounds].radius, within = 0.001,
       right = "The same {radius:%.4f}: the gap is all that enters.",
       wrong = "It is the square root of twice the gap that is printed.",
       truth = {view = "screen", run = walk, step = #rounds}}

-- Now the bounds go from edge to edge. The first force is known but for radius |x_k|, the next,
-- with one product more, less well; but no force exceeds lambda, which cuts its interval down
-- again; and from the other end of the chain comes another interval. Each edge keeps what all of
-- them allow, round after round, until nothing moves: this is bound propagation.
for k = 1, p - 1 do low[k], high[k] = -second, second end
for round = 1, 50 do
    for k = 1, p - 1 do     -- from the left: v_k = v_(k-1) + x_k'a
        low[k] = math.max(low[k], low[k - 1] + product(k, -1))
        high[k] = math.min(high[k], high[k - 1] + product(k, 1))
    end
    for k = p - 1, 1, -1 do -- from the right: v_k = v_(k+1) - x_(k+1)'a
        low[k] = math.max(low[k], low[k + 1] - product(k + 1, 1))
        high[k] = math.min(high[k], high[k + 1] - product(k + 1, -1))
    end
end
for _, k in ipairs(looked) do
    print(string.format("between %2d and %2d   from %7.4f to %7.4f of lambda",
                        k, k + 1, low[k] / second, high[k] / second))
end
---
tm.show{view = "screen", run = walk, step = #rounds}
proven = {}
for i, k in ipairs(looked) do
    if low[k] > -second and high[k] < second then proven[#proven + 1] = i end
end
tm.ask{question = "Mark the edges that are proven to have equal ends at the second lambda.",
       mark = edges, answer = proven,
       right = "Both ends of the interval are inside of -lambda and lambda.",
       wrong = "An edge is proven when neither end of its interval reaches one or minus one."}

-- The whole chain: {all_proven} of its {p - 1} edges are proven by these few lines, and the
-- features that they join become one, whose column is their sum. The view beside has the same step
-- from the program.
---
all_proven = 0
for k = 1, p - 1 do
    all_proven = all_proven + (low[k] > -second and high[k] < second and 1 or 0)
end
tm.show{view = "screen", run = walk, step = #rounds}
tm.ask{question = "How many features does the solver have left to work on?",
       number = rounds[#rounds].active,
       right = "{p} features, {rounds[#rounds].removed} proven edges by the program.",
       wrong = "Each proven edge makes one feature of two.",
       truth = {view = "screen", run = walk, step = #rounds}}

-- Two things more. The sum of products up to edge k is one product, that of the sum of columns, and
-- its length is less than the sum of lengths: bounded so, as `screen = "transform"` does on chains
-- and trees, fewer features are left. And the answer never changes, only the work; here a path of
-- {#plain.models} lambdas without screening and with both kinds.
plain, bounds, transform = kind("none"), kind("bounds"), kind("transform")
print(tm.table({plain, bounds, transform},
               {"name", "primal", "updates", "columns"}))
some, more = tm.steps(bounds), tm.steps(transform)
for i = 1, #some, 4 do
    print(string.format("lambda %6.2f   left by bounds %2d, transform %2d",
                        some[i].lambda, some[i].active, more[i].active))
end
---
apart = math.abs(plain.primal - bounds.primal) / plain.primal
tm.show{view = "screen", run = transform, step = 1}
tm.ask{question = "Which of the three computed the fewest column products?",
       choices = {"none", "bounds", "transform"},
       answer = plain.columns <= math.min(bounds.columns, transform.columns) and 1
           or bounds.columns <= transform.columns and 2 or 3,
       right = "The objectives differ by {apart:%.1e} of their value. The solver of graphs starts "
           .. "from the partition before and needs few passes, so that proofs cost more than they "
           .. "save here: that is why screening of graphs is off unless asked for.",
       wrong = "The column `columns` of the table."}

-- What is the same as in the lasso, and what is not?
---
tm.show{view = "path", run = path}
tm.ask{question = "An edge's force is surely below lambda. What follows?",
       choices = {"its two weights are equal", "its two weights are zero", "nothing"}, answer = 1,
       right = "As |x_j'theta| below one means that a weight is zero; here it is a difference.",
       wrong = "What was a weight in the lasso is a difference here."}

-- To try, at the prompt: 
--
--     graph = "trend:1"    weights that go up and down in lines instead of plateaus
--     l1_ratio = 0.5       plateaus that are zero as well
--     graph = "grid:8x5"   an image
---
tm.show{view = "explore", run = run, set = {lambda_ratio = 0.03}}
