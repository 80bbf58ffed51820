-- The variational inequality, by picture
--
-- A ball is not the only region. Here are {#y} samples again, and {#names} features without an
-- intercept. The answer at lambda = {lambda_1:%.3f} is known; what can be said of the dual optimum
-- at {lambda_2:%.3f}?
X = {{1.0, 0.3, -0.6, 0.5, 0.8},
     {0.2, 1.0, 0.7, 0.2, 0.5}}
y = {1.0, 0.5}
names = {"ash", "birch", "cedar", "daisy", "elder"}
data = tm.dataset{x = X, y = y, names = names, name = "two samples"}
---
lambda_max = 0
for j = 1, 5 do
    lambda_max = math.max(lambda_max, math.abs(X[1][j] * y[1] + X[2][j] * y[2]))
end
lambda_1, lambda_2 = 0.8 * lambda_max, 0.6 * lambda_max
function path(rule)
    return tm.path(data, "lasso", {lambda = {lambda_1, lambda_2}, intercept = false, screen = rule,
                                   tol = 1e-10, name = rule}):wait()
end
function step_of(rule)
    local run = path(rule)
    local steps = tm.steps(run)
    for k, s in ipairs(steps) do
        if s.point == 2 and s.radius then return run, steps, k end
    end
    error("no region")
end
vi, vi_steps, at = step_of("vi")
dpp, dpp_steps, dpp_at = step_of("dpp")
tm.show{view = "screen", run = dpp, step = dpp_at, zoom = true}

-- The dual optimum is the feasible point nearest to y / lambda, a projection. Projections move no
-- further apart than what is projected: that is the ball of "dpp" around the optimum before, with
-- the radius |y| (1 / lambda_2 - 1 / lambda_1) = {dpp_steps[dpp_at].radius:%.4f}.
---
tm.show{view = "screen", run = dpp, step = dpp_at, zoom = true}
tm.ask{question = "Which radius has the ball?", number = dpp_steps[dpp_at].radius, within = 0.002,
       right = "|y| is {math.sqrt(y[1] ^ 2 + y[2] ^ 2):%.4f}.", wrong = "The formula has it.",
       truth = {view = "screen", run = dpp, step = dpp_at}}

-- The optimum before says more. It is the nearest feasible point to y / lambda_1, so for every
-- feasible theta the angle at it is not acute:
--
--     (theta_1 - y / lambda_1)'(theta - theta_1) >= 0
--
-- This is the variational inequality. The new optimum is feasible: it lies on one side of a line
-- through theta_1. The same inequality for the new optimum gives a ball; both together cut a
-- smaller region, figure 1 of the work on VI. Its radius is {vi_steps[at].radius:%.4f}.
---
tm.show{view = "screen", run = vi, step = at, zoom = true}
tm.ask{question = "What makes the line a bound for the new optimum?",
       choices = {"the new optimum is feasible, and theta_1 was the nearest feasible point",
                  "the gap is small", "y / lambda_2 lies on it"}, answer = 1,
       right = "Every feasible point is on that side of it.",
       wrong = "Which property of theta_1 does the inequality state?"}

-- Over the ball cut by the half-space the greatest |x_j'theta| has a closed form. A smaller region
-- rejects at least as much. The bounds of both rules, feature by feature:
---
table_rows, vi_out, dpp_out = {}, {}, {}
for j = 1, 5 do
    local a, b = vi_steps[at].bounds[j], dpp_steps[dpp_at].bounds[j]
    table_rows[j] = {feature = names[j], vi = a, dpp = b}
    if a and a < 1 then vi_out[#vi_out + 1] = j end
    if b and b < 1 then dpp_out[#dpp_out + 1] = j end
end
print(tm.table(table_rows, {"feature", "vi", "dpp"}))
tm.show{view = "screen", run = vi, step = at}
tm.ask{question = "Mark the features that VI rejects.", mark = names, answer = vi_out,
       right = "dpp rejects {#dpp_out} of {#names}, VI {#vi_out}.",
       wrong = "Those whose bound is below one in the column vi.",
       truth = {view = "screen", run = vi, step = at, zoom = true}}
