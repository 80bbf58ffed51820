-- Kernels: what HSIC sees, and what it cannot
--
-- A linear model sees features that go up or down with the response. HSIC lasso compares kernels:
-- it asks whether samples that are alike in a feature are alike in the response. Here the response
-- says whether a point lies inside a circle; its two coordinates are the first features of
-- {circle.p}.
math.randomseed(11)
n, p = 120, 10
X, y = {}, {}
for i = 1, n do
    X[i] = {}
    for j = 1, p do X[i][j] = 2 * math.random() - 1 end
    y[i] = X[i][1] ^ 2 + X[i][2] ^ 2 < 0.6 and "inside" or "outside"
end
circle = tm.dataset{x = X, y = y, name = "circle"}
linear = tm.l1logistic(circle, {lambda_ratio = 0.9}):wait()
hsic = tm.hsiclasso(circle, {lambda_ratio = 0.3}):wait()
print("l1logistic", linear.model:top(3))
print("hsiclasso", hsic.model:top(3))
---
tm.show{view = "runs"}
first = hsic.model:top(1)
strongest = {}
ranked = {}
for _, j in ipairs(hsic.model.support) do ranked[#ranked + 1] = j end
table.sort(ranked, function(a, b) return hsic.model:weight(a) > hsic.model:weight(b) end)
best_two = {ranked[1], ranked[2]}
names = {}
for j = 1, p do names[j] = "X" .. j end
tm.ask{question = "Mark the two features that HSIC lasso weighs most.", mark = names,
       answer = best_two, right = "The coordinates of the circle.",
       wrong = "The second list is in the order of the weights."}

-- What it cannot see: XOR. The class is the parity of two bits, so neither bit alone says anything:
-- samples that are alike in one bit are as often of the other class. HSIC lasso looks at one
-- feature at a time, and finds nothing to tell the two from the rest.
X, y = {}, {}
for i = 1, n do
    X[i] = {}
    for j = 1, p do X[i][j] = math.random() < 0.5 and -1 or 1 end
    y[i] = X[i][1] * X[i][2] > 0 and "even" or "odd"
end
xor = tm.dataset{x = X, y = y, name = "xor"}
blind = tm.hsiclasso(xor, {lambda_ratio = 0.3}):wait()
print(blind.model:top(5))
---
seen = 0
for _, j in ipairs(blind.model.support) do seen = seen + (j <= 2 and 1 or 0) end
tm.show{view = "runs"}

-- Products of two features see it: `fgm` with source = "poly2" chooses among all of them without
-- storing them. Its accuracy is {products.model:score(xor, "accuracy"):%.3f}, and its first choice
-- is {products_first}.
products = tm.fgm(xor, {B = 1, C = 10, source = "poly2", tol = 1e-3}):wait()
print(products.model:top(3))
---
products_first = tostring(products.model:top(1)[1].name)
tm.show{view = "runs"}
tm.ask{question = "Why do products see XOR?",
       choices = {"the class is the sign of one product", "there are more of them",
                  "they are kernels"}, answer = 1,
       right = "One feature of the products is enough.",
       wrong = "What is the product of two bits of minus one and one?"}
