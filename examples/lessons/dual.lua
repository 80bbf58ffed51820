-- The dual picture: why a feature may be thrown away
--
-- Screening throws features away before the answer is known, when it is certain that their weight
-- is zero. With {#y} samples and {#names} features all of it can be drawn; a printed lesson has
-- the numbers of the picture. There is no intercept here.
X = {{1.0, 0.8, -0.6, 0.5},
     {0.2, 0.7, 0.7, -0.3}}
y = {1.0, 0.6}
names = {"ash", "birch", "cedar", "daisy"}
data = tm.dataset{x = X, y = y, names = names, name = "two samples"}
lambda = 0.6
---
function at(a, b) return a[1] * b[1] + a[2] * b[2] end
function column(j) return {X[1][j], X[2][j]} end
function length(a) return math.sqrt(at(a, a)) end
run = tm.lasso(data, {lambda = lambda, intercept = false, screen = "gap", tol = 1e-10,
                      name = "two samples"}):wait()
steps = tm.steps(run)
ball = 1
while not steps[ball].radius do ball = ball + 1 end
residual = {}
for i = 1, 2 do
    residual[i] = y[i]
    for j = 1, 4 do residual[i] = residual[i] - X[i][j] * run.model:weight(j) end
end
optimum = {residual[1] / lambda, residual[2] / lambda}
tm.show{view = "screen", run = run, step = "last", zoom = true}

-- A dual point is a vector theta with a number for each sample: here a point of the plane. (Where
-- the lesson on the gap has dual variables called a, theta is those divided by lambda.) Each
-- feature j allows the points with
--
--     |x_j'theta| <= 1
--
-- That is a strip between two parallel lines, at right angles to x_j = its two numbers, at the
-- distance 1 / |x_j| from the origin: the longer the feature, the narrower its strip. The polygon
-- in the picture is what all {#names} strips have in common, the feasible points; of each strip the
-- line on the side of the optimum is drawn, with the feature's name.
for j = 1, 4 do
    local x = column(j)
    print(string.format("%-6s (%4.1f, %4.1f)   length %.3f   line at %.3f",
                        names[j], x[1], x[2], length(x), 1 / length(x)))
end
---
narrow = 1
for j = 2, 4 do narrow = length(column(j)) > length(column(narrow)) and j or narrow end
tm.show{view = "screen", run = run, step = "last", zoom = true}
tm.ask{question = "Which feature has the narrowest strip?", choices = names, answer = narrow,
       right = "It is the longest one: {length(column(narrow)):%.3f}.",
       wrong = "Its line is the nearest to the origin."}

-- Two values go with the problem: that of weights w, which the lasso makes as small as it can, and
-- that of a dual point, which is to be as great as it can among the feasible ones:
--
--     P(w)     = |y - Xw|^2 / 2 + lambda sum |w_j|
--     D(theta) = |y|^2 / 2 - lambda^2 |theta - y / lambda|^2 / 2
--
-- No D of a feasible point is above any P (the lesson on the gap proves it), and at the optimum
-- they are equal. Only the distance to y / lambda is in D, so that the dual optimum is the feasible
-- point that is nearest to y / lambda = ({y[1] / lambda:%.3f}, {y[2] / lambda:%.3f}). It is drawn
-- as a point: ({optimum[1]:%.3f}, {optimum[2]:%.3f}). It is also the residual y - Xw of the best
-- weights, divided by lambda.
--
-- Now the reason for everything: why does |x_j'theta| < 1 at the optimum mean that w_j is zero?
-- Think of w_j as the force with which line j holds theta back on its way to y / lambda. A line
-- that theta does not touch does not hold it. In formulas: at the optimum w, a small change d of a
-- weight that is zero costs lambda |d| and gains lambda d x_j'theta at most, as the loss falls with
-- the slope lambda x_j'theta there. Where |x_j'theta| < 1 the gain is less than the cost, so that
-- zero is best. A weight that is not zero needs a gain that equals the cost: a product of one or
-- minus one, the sign of the weight.
for j = 1, 4 do
    print(string.format("%-6s |x'theta| = %.4f   weight %7.4f", names[j],
                        math.abs(at(column(j), optimum)), run.model:weight(j)))
end
---
touching = {}
for j = 1, 4 do if run.model:weight(j) ~= 0 then touching[#touching + 1] = j end end
tm.show{view = "screen", run = run, step = "last", zoom = true}
tm.ask{question = "Mark the features whose lines hold the optimum back.", mark = names,
       answer = touching,
       right = "They are those with a weight here. (A line may be touched without one.)",
       wrong = "Whose |x'theta| is one, whose weight is not zero?"}

-- But the optimum is not known while a solver runs. What is known are weights w, their P(w), and a
-- feasible theta: the residual of w over lambda, made small enough for all strips. Their gap
-- P(w) - D(theta) says how far the optimum theta* can be, in two steps:
--
--     D(theta*) - D(theta) <= P(w) - D(theta) = gap        no D is above P(w)
--     lambda^2 |theta - theta*|^2 / 2 <= D(theta*) - D(theta)
--
-- The second holds as theta* is the nearest feasible point to y / lambda: going away from it within
-- the strips, the squared distance to y / lambda grows by the square of the way at least. Together:
-- theta* is inside a ball (in the plane a disc) around theta with the radius
--
--     sqrt(2 gap) / lambda
--
-- In step {ball} of the run, the first with a ball, P is {steps[ball].primal:%.4f}, D is
-- {steps[ball].dual:%.4f}, and the gap {steps[ball].gap:%.4f}.
radius = math.sqrt(2 * steps[ball].gap) / lambda
print("radius", radius)
---
tm.show{view = "screen", run = run, step = ball, zoom = true}
tm.ask{question = "The gap becomes a hundredth. What becomes of the radius?",
       choices = {"a hundredth of it", "a tenth of it", "it stays"}, answer = 2,
       right = "The square root of the gap is in it.", wrong = "Look at the formula: sqrt."}

-- One feature by hand. Over a ball with centre c and radius r the greatest |x_j'theta| is
--
--     |x_j'c| + r |x_j|
--
-- the product at the centre, and as much more as the radius allows in the direction of x_j. Take
-- {names[hand]} in step {first} of {#steps}, where the gap is {steps[first].gap:%.3g} and the
-- radius {steps[first].radius:%.4f}. Its length is {length(column(hand)):%.4f}, and its product at
-- the centre {centre_product:%.4f}.
---
first, hand = 1, 4
for k = 1, #steps do
    if first == 1 and steps[k].radius then
        for j = 1, 4 do
            local bound = steps[k].bounds[j]
            if bound and bound < 1 and first == 1 then first, hand = k, j end
        end
    end
end
centre_product = steps[first].bounds[hand] - steps[first].radius * length(column(hand))
tm.show{view = "screen", run = run, step = first, feature = hand}
tm.ask{question = "What is the bound of {names[hand]}, the greatest |x'theta| over the ball?",
       number = steps[first].bounds[hand], within = 0.002,
       right = "The view has the same number, on the same scale: bounds against one.",
       wrong = "The product at the centre plus radius times length.",
       truth = {view = "screen", run = run, step = first, feature = hand}}

-- A bound below one: wherever in the ball the optimum is, {names[hand]} does not reach its line
-- there, so its weight is zero in every best answer. It may be thrown away for good, before the
-- answer is known: the ball rejects it. A bound of one or more proves nothing: the feature stays
-- for now. This is what every safe rule does: it has a region that surely has the dual optimum,
-- and compares the greatest |x_j'theta| over it with one. The parts of the bounds in that step:
for j = 1, 4 do
    local reach = steps[first].radius * length(column(j))
    print(string.format("%-6s |x'c| = %.4f   r |x| = %.4f", names[j],
                        steps[first].bounds[j] - reach, reach))
end
---
rejected = {}
for j = 1, 4 do
    if steps[first].bounds[j] and steps[first].bounds[j] < 1 then rejected[#rejected + 1] = j end
end
tm.show{view = "screen", run = run, step = first, zoom = true}
tm.ask{question = "Mark the features that this ball rejects.", mark = names, answer = rejected,
       right = "The ball lies strictly between the two lines of each.",
       wrong = "A feature is rejected when the ball lies strictly between its two lines.",
       truth = {view = "screen", run = run, step = first}}

-- As the solver goes on, the gap falls, the ball shrinks and rejects more; a feature that is gone
-- costs nothing any more. That is why it pays: most of the work is looking at features that end up
-- with the weight zero. A feature that touches its line at the optimum is never rejected by a ball
-- that has the optimum in it: that is what makes the rule safe.
---
tm.show{view = "screen", run = run, step = #steps, zoom = true}
tm.ask{question = "Can a ball that contains the dual optimum reject a feature with weight?",
       choices = {"yes, early in the run", "no, never", "yes, when lambda is small"}, answer = 2,
       right = "At the optimum its |product| is one, so the bound over the ball is at least one.",
       wrong = "What is |x'theta| of such a feature at the optimum, which is in the ball?"}

-- With more samples the dual points have more numbers than a plane can show, but for one feature a
-- plane is enough: the one through the ball's centre along x_j. The feature's strip, the ball and
-- the product are in it as they are; only the optimum may lie beside it, and is projected. Here are
-- {more.n} samples and {more.p} features, and the plane of {more_name} in step {looked} of the run:
-- to the right is x_j'theta, so that the lines stand at one and minus one.
more = tm.synth("saif", {n = 40, p = 100, k = 5, seed = 1})
run2 = tm.lasso(more, {lambda_ratio = 0.3, screen = "gap",
                       name = "more samples"}):wait()
---
steps2 = tm.steps(run2)
looked, chosen, bound2 = 1, 1, 0
for k = #steps2, 1, -1 do
    for j = 1, more.p do
        local bound = steps2[k].bounds[j]
        if steps2[k].radius and steps2[k].actions[j] == "certified" and bound then
            if k ~= looked or bound > bound2 then looked, chosen, bound2 = k, j, bound end
        end
    end
end
more_name = "X" .. chosen
tm.show{view = "screen", run = run2, step = looked, feature = chosen, plane = true}
tm.ask{question = "How far is the disc from the nearer line? (That is one less the bound.)",
       number = 1 - bound2, within = 0.002,
       right = "The bound is {bound2:%.4f}: the disc's edge, on the scale of the axis.",
       wrong = "Above the picture stands the sum that is the bound.",
       truth = {view = "screen", run = run2, step = looked, feature = chosen, plane = true}}

-- To try: Ctrl-W, then left and right step through the run, up and down change the feature, the
-- keys [ and ] or the mouse on the line below drag lambda, Enter shows the bounds and back. With
-- two samples z shows bounds and picture. When the bounds are shown, each line is a feature, and
-- the bar's middle is one.
---
tm.show{view = "screen", run = run, step = 1}
