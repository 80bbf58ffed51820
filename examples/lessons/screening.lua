-- Four ways to screen: static, sequential, dynamic, incremental
--
-- Most features of a sparse problem have weight zero. Knowing early which ones saves most of the
-- work. Here are {data.p} features and {data.n} rows; at this lambda {none.nnz} features have
-- weights. `columns` counts products x_j'v, the unit of work: it does not depend on the machine.
data = tm.synth("saif", {n = 100, p = 5000, k = 20, seed = 3})
function solve(screen)
    return tm.lasso(data, {lambda_ratio = 0.1, tol = 1e-8, screen = screen,
                           name = screen}):wait()
end
none, gap = solve("none"), solve("gap")
---
steps = tm.steps(gap)
tm.show{view = "screen", run = gap, step = 1, zoom = true}

-- All safe rules do the same: they take a region that surely has the dual optimum, and reject each
-- feature whose |x_j'theta| stays below one in all of it. They differ in where the region is from,
-- and when the question is asked.
--
-- Static: once, before the start, from lambda_max alone. Near lambda_max, at {close:%.1f} of it, that
-- rejects {rejected_close} of {data.p}; here, far below it, {rejected_static}.
static = solve("safe")
print(tm.table({none, static}, {"name", "nnz", "primal", "columns"}))
---
function by_rule(run)
    local steps, count = tm.steps(run), 0
    for k, step in ipairs(steps) do
        if step.radius then
            for _, action in pairs(step.actions) do
                count = count + (action == "certified" and 1 or 0)
            end
            return count, k
        end
    end
end
close = 0.9
rejected_static, static_step = by_rule(static)
rejected_close = by_rule(tm.lasso(data, {lambda_ratio = close, screen = "safe"}):wait())
tm.show{view = "screen", run = static, step = static_step}

-- Dynamic: again and again while the solver runs. The ball of the gap is large at first and rejects
-- nothing; once it is small, it rejects nearly all. The answer is the same one: screening that is
-- safe changes the cost alone.
tm.plot{runs = {gap}, x = "step", y = "rejection",
        title = "share of the features that are out"}:show()
print(tm.table({none, gap}, {"name", "nnz", "primal", "gap", "columns"}))
---
half = #steps
for k = #steps, 1, -1 do if steps[k].active < data.p / 2 then half = k end end
tm.show{view = "screen", run = gap, step = half, zoom = true}
tm.ask{question = "At which step of 'gap' were half of the features gone for the first time?",
       number = half, right = "Then {steps[half].active} of {data.p} were left.",
       wrong = "The view is at it: Ctrl-W, then left and right, shows the steps around.",
       truth = {view = "screen", run = gap, step = half}}

-- Sequential: along a path, from the answer at the lambda before. The two optima are near each
-- other when the lambdas are, so the region is small from the start.
function walk(screen)
    return tm.path(data, "lasso", {lambdas = 20, lambda_min_ratio = 0.1,
                                   screen = screen, tol = 1e-8,
                                   name = screen}):wait()
end
path, plain = walk("dpp"), walk("none")
print(tm.table({plain, path}, {"name", "nnz", "columns", "updates"}))
---
tm.show{view = "path", run = path}
tm.ask{question = "What does a sequential rule need that a dynamic one does not?",
       choices = {"the answer at another lambda", "the gap", "the response"}, answer = 1,
       right = "It is told by a path, which is why such rules are used along paths.",
       wrong = "It works before the solver has done a step at the new lambda."}

-- Incremental: the other way round. Begin with a few features and let in those that the same test
-- cannot exclude: "saif". No feature that stays out is looked at between the tests. The lesson on
-- SAIF goes through it.
saif = solve("saif")
tm.plot{runs = {none, gap, saif}, x = "columns", y = "gap",
        title = "gap by column products"}:show()
---
tm.show{view = "plots"}

-- "auto" solves on a small set exactly and certifies it over all features. It is what runs unless
-- you say otherwise.
auto = solve("auto")
print(tm.table({none, gap, saif, auto},
               {"name", "nnz", "columns", "updates", "seconds"}))
---
least = math.min(none.columns, gap.columns, saif.columns, auto.columns)
order = {none, gap, saif, auto}
for i, r in ipairs(order) do if r.columns == least then cheapest = i end end
tm.show{view = "runs"}
tm.ask{question = "Which one needed the fewest column products?",
       choices = {"none", "gap", "saif", "auto"}, answer = cheapest,
       right = "{least}, where none took {none.columns}.", wrong = "The column `columns` has it."}

-- To try: another lambda_ratio above. When is screening worth most? All strategies:
print(tm.screens())
---
tm.show{}
