-- Kernels: what HSIC sees, and what it cannot
--
-- A linear model sees features that go up or down with the response. HSIC lasso compares kernels:
-- it asks whether samples that are alike in a feature are alike in the response. Here the response
-- says whether a point lies inside a circle; its two coordinates are the first features of
-- {circle.p}, the others are noise. There are {train.n} samples to learn from and {test.n} more.
math.randomseed(11)
p = 10
function draw(n, value, label, name)
    local X, y = {}, {}
    for i = 1, n do
        X[i] = {}
        for j = 1, p do X[i][j] = value() end
        y[i] = label(X[i])
    end
    return tm.dataset{x = X, y = y, name = name}, X, y
end
function inside(x)
    return x[1] ^ 2 + x[2] ^ 2 < 0.6 and "inside" or "outside"
end
function uniform() return 2 * math.random() - 1 end
circle, X, y = draw(120, uniform, inside, "circle")
test = draw(400, uniform, inside, "more of it")
linear = tm.l1logistic(circle, {lambda_ratio = 0.5}):wait()
print("l1logistic", linear.model:top(3))
---
train, n = circle, circle.n
function common(data)
    local count = 0
    for i = 1, data.n do count = count + (data.y[i] > 0 and 1 or 0) end
    return math.max(count, data.n - count) / data.n
end
function correlation(X, y, j)
    local sx, sy, xx, yy, xy = 0, 0, 0, 0, 0
    for i = 1, #y do
        local a, b = X[i][j], y[i] == y[1] and 1 or -1
        sx, sy, xx, yy, xy = sx + a, sy + b, xx + a * a, yy + b * b, xy + a * b
    end
    local m = #y
    return (xy - sx * sy / m) / math.sqrt((xx - sx * sx / m) * (yy - sy * sy / m))
end
function centred(K)
    local m, all, rows = #K, 0, {}
    for i = 1, m do
        rows[i] = 0
        for k = 1, m do rows[i] = rows[i] + K[i][k] / m end
        all = all + rows[i] / m
    end
    for i = 1, m do for k = 1, m do K[i][k] = K[i][k] - rows[i] - rows[k] + all end end
    return K
end
function kernel(m, of)
    local K = {}
    for i = 1, m do
        K[i] = {}
        for k = 1, m do K[i][k] = of(i, k) end
    end
    return centred(K)
end
function inner(K, L)
    local sum = 0
    for i = 1, #K do for k = 1, #K do sum = sum + K[i][k] * L[i][k] end end
    return sum
end
function hsic_of(X, y, j)
    local m, mean, variance, count = #y, 0, 0, {}
    for i = 1, m do
        mean = mean + X[i][j] / m
        count[y[i]] = (count[y[i]] or 0) + 1
    end
    for i = 1, m do variance = variance + (X[i][j] - mean) ^ 2 / m end
    local K = kernel(m, function(i, k)
        return math.exp(-(X[i][j] - X[k][j]) ^ 2 / (2 * variance))
    end)
    local L = kernel(m, function(i, k) return y[i] == y[k] and 1 / count[y[i]] or 0 end)
    return inner(K, L) / math.sqrt(inner(K, K) * inner(L, L))
end
function strongest(values, count)
    local order = {}
    for j in ipairs(values) do order[j] = j end
    table.sort(order, function(a, b) return values[a] > values[b] end)
    local best = {}
    for k = 1, count do best[k] = order[k] end
    table.sort(best)
    return best
end
linear_score = linear.model:score(test, "accuracy")
tm.show{view = "runs"}
tm.ask{question = "How many of the other {test.n} points has the more frequent class, in percent?",
       number = 100 * common(test), within = 0.6,
       right = "The linear model is right about {100 * linear_score:%.1f} percent: it has learnt "
           .. "next to nothing, as nothing goes up or down with the response.",
       wrong = "The linear model is right about {100 * linear_score:%.1f} percent. It is not "
           .. "far from always giving the same answer.",
       truth = {view = "data"}}

-- HSIC by hand. For a feature, K has a number for each pair of samples: near one where they are
-- alike in it, near zero where they are not. L has the same for the response: a constant for two
-- samples of one class, zero for others. Both are centred (the mean of each row and column is taken
-- out). Then
--
--     HSIC = sum over all pairs of K L,   here divided by |K| |L|
--
-- so that one means that both compare all samples alike.
for j = 1, 4 do
    print(string.format("X%d   correlation %6.3f   HSIC %.4f", j,
                        correlation(X, y, j), hsic_of(X, y, j)))
end
---
hsics, names, numbers = {}, {}, {}
for j = 1, p do
    hsics[j], names[j], numbers[j] = hsic_of(X, y, j), "X" .. j, j
end
tm.plot{series = {{x = numbers, y = hsics, name = "HSIC"}}, title = "HSIC of each feature"}:show()
tm.show{view = "plots"}
tm.ask{question = "Mark the two features of the greatest HSIC (the plot has all of them).",
       mark = names, answer = strongest(hsics, 2),
       right = "The coordinates of the circle: points near the middle in X1 are alike in X1, and "
           .. "more often inside.",
       wrong = "The two highest points of the plot."}

-- HSIC lasso explains L by a sum of the K, with weights that are not negative, and charges for
-- them:
--
--     min over a >= 0 of  1/2 |L - sum_j a_j K_j|^2 + lambda sum_j a_j
--
-- It is a lasso with a row for each pair of samples, and everything about lassos holds: there is a
-- path, a gap, a screening rule. The greatest lambda with a feature is the greatest product of a K
-- with L. Divided by the lengths (unit_norm) that is the greatest HSIC of the step before:
hsic = tm.path(circle, "hsiclasso", {lambdas = 20, unit_norm = true,
                                     name = "hsic"}):wait()
print("greatest HSIC", hsics[strongest(hsics, 1)[1]])
print("lambda_max   ", hsic.lambda_max)
---
order = {}
for i, model in ipairs(hsic.models) do
    for _, j in ipairs(model.support) do
        local seen = false
        for _, k in ipairs(order) do seen = seen or k == j end
        if not seen then order[#order + 1] = j end
    end
end
twice = {}
for i = 1, n do
    twice[i] = {table.unpack(X[i])}
    twice[i][p + 1] = X[i][1] + 0.1 * (math.random() - 0.5)
end
first_two = {order[1], order[2]}
table.sort(first_two)
tm.show{view = "path", run = hsic}
tm.ask{question = "Which two features enter the path first? Mark them.", mark = names,
       answer = first_two,
       right = "The first one is that of the greatest HSIC, as in any lasso.",
       wrong = "The lines that leave zero at the greatest lambdas."}

-- A feature that says the same as one that is there already adds little to the sum. Here the last
-- feature is X1 with a little noise; HSIC for itself would take it at once.
double = tm.dataset{x = twice, y = y, name = "with a copy"}
both = tm.hsiclasso(double, {lambda_ratio = 0.3, unit_norm = true}):wait()
print(both.model:top(4))
print("HSIC of X1", hsics[1], "of X11", hsic_of(twice, y, p + 1))
---
twins = (both.model:weight(1) ~= 0 and 1 or 0) + (both.model:weight(p + 1) ~= 0 and 1 or 0)
share = math.min(both.model:weight(1), both.model:weight(p + 1))
    / (both.model:weight(1) + both.model:weight(p + 1))
tm.show{view = "screen", run = both, step = "last"}
tm.ask{question = "Which share of the weight of X1 and X11 together has the lesser of the two?",
       number = share, within = 0.05,
       right = "Ranking by HSIC would take both; the lasso takes one, or a little of each.",
       wrong = "The two weights are in the list; a feature that is not there has none."}

-- The weights say what was chosen; they predict nothing. Another method is fitted on the chosen
-- features, by itself a support vector machine with a Gaussian kernel.
chosen = tm.hsiclasso(circle, {lambda_ratio = 0.5, unit_norm = true}):wait()
print(string.format("right about other points: linear %.3f, HSIC lasso %.3f",
                    linear_score, chosen.model:score(test, "accuracy")))
---
chosen_score = chosen.model:score(test, "accuracy")
found, draws, bits_n, chance = 0, 20, 60, 2 / (p * (p - 1))
function bit() return math.random() < 0.5 and -1 or 1 end
function parity(x) return x[1] * x[2] > 0 and "even" or "odd" end
function both_found(seed)
    local bits, values, each = nil, nil, {}
    math.randomseed(seed)
    xor, bits, values = draw(bits_n, bit, parity, "xor " .. seed)
    for j = 1, p do each[j] = hsic_of(bits, values, j) end
    local best = strongest(each, 2)
    return best[1] == 1 and best[2] == 2 and 1 or 0
end
tm.show{view = "runs"}
tm.ask{question = "Which of the two is right about more points?",
       choices = {"the linear model", "the one on HSIC lasso's choice"},
       answer = linear_score > chosen.model:score(test, "accuracy") and 1 or 2,
       right = "It needs {chosen.nnz} of {p} features.", wrong = "The line printed has both."}

-- What it cannot see: XOR. The class is the parity of two bits, so neither bit alone says anything:
-- samples that are alike in one bit are as often of the other class. HSIC lasso looks at one
-- feature at a time. Over {draws} data sets of {bits_n} samples: how often are the two bits the two
-- of the greatest HSIC?
for seed = 1, draws do found = found + both_found(seed) end
print(string.format("in %d of %d; by chance %.1f", found, draws,
                    draws * chance))
---
tm.show{view = "plots"}
tm.ask{question = "Does HSIC lasso see XOR?", choices = {"yes", "no, hardly better than chance"},
       answer = found > draws / 2 and 1 or 2,
       right = "It is no matter of kernels or of lambda: one bit alone says nothing, so no "
           .. "comparison by one bit can.",
       wrong = "{found} of {draws} is nearer to chance than to all."}

-- Products of two features see it: `fgm` with source = "poly2" chooses among all of them without
-- storing them. On the last of these data sets:
products = tm.fgm(xor, {B = 1, C = 10, source = "poly2", tol = 1e-3}):wait()
print(products.model:top(3))
print("right about", products.model:score(xor, "accuracy"))
---
products_first = tostring(products.model:top(1)[1].name)
tm.show{view = "runs"}
tm.ask{question = "Why do products see XOR?",
       choices = {"the class is the sign of one product", "there are more of them",
                  "they are kernels"}, answer = 1,
       right = "One feature of the products is enough: {products_first}.",
       wrong = "What is the product of two bits of minus one and one?"}

-- And the circle? Squares are products of a feature with itself, so that the same method has them.
round_ones = tm.fgm(circle, {B = 2, C = 10, source = "poly2",
                             tol = 1e-3}):wait()
print(round_ones.model:top(4))
print(string.format("right about other points: products %.3f, HSIC lasso %.3f",
                    round_ones.model:score(test, "accuracy"), chosen_score))
---
wave = draw(120, uniform, function(x)
    return math.cos(9 * x[1]) > 0 and "crest" or "trough"
end, "waves")
narrow = tm.hsiclasso(wave, {sigma = 0.3, lambda_ratio = 0.7,
                             refit = "svm kernel=rbf gamma=10 C=10"}):wait()
square = tm.fgm(wave, {B = 2, C = 10, source = "poly2", tol = 1e-3}):wait()
wave_test = draw(400, uniform, function(x)
    return math.cos(9 * x[1]) > 0 and "crest" or "trough"
end, "more waves")
tm.show{view = "runs"}
tm.ask{question = "Which of these does HSIC lasso see that products of two features do not?",
       choices = {"y = sign(x1 x2)", "y = sign(x1^2 + x2^2 - c)", "y = sign(cos(9 x1))"},
       answer = 3,
       right = "With sigma = 0.3 it takes {narrow.model:top(1)[1].name} first in the third, and "
           .. "what it chose is right about "
           .. "{100 * narrow.model:score(wave_test, \"accuracy\"):%.0f} percent of new points, "
           .. "products about "
           .. "{100 * square.model:score(wave_test, \"accuracy\"):%.0f}. The first is invisible "
           .. "to it, the second visible to both.",
       wrong = "Which of them is a function of one feature, of any shape?"}

-- To try, at the prompt:
--
--     sigma = 0.3    a narrower kernel
--     block = 20     an approximation for many samples
--
-- and another lambda_ratio, or a response that is a number, the cosine of a feature, say.
---
tm.show{view = "explore", run = chosen, set = {lambda_ratio = 0.5}}
