-- Samples: the same game with rows
--
-- A support vector machine depends on few of its samples: those beyond their margin could be taken
-- away and nothing would change. Here are {data.n} samples; {support} of them are support vectors.
data = tm.synth("fgm", {n = 600, p = 20, k = 20, seed = 4})
run = tm.svm(data, {C = 0.05, screen = "saiv", tol = 1e-6,
                    name = "saiv"}):wait()
print(run)
---
steps = tm.steps(run)
support = run.support
saiv_most = 0
for _, s in ipairs(steps) do saiv_most = math.max(saiv_most, s.active) end
tm.show{view = "screen", run = run, step = 1}

-- What is screened here is whether a sample is within its margin: y_i x_i'w below one. As with
-- features, the optimum lies in a ball, here of weights, and over it the bound says whether the
-- sample can be within its margin at all. Below one: it is no support vector, for certain.
---
tm.show{view = "screen", run = run, step = "last"}
tm.ask{question = "A sample is beyond its margin in the whole ball. What follows?",
       choices = {"it is no support vector", "it is misclassified", "its weight is C"}, answer = 1,
       right = "The optimum is in the ball, and there the sample is beyond its margin.",
       wrong = "Its loss is zero wherever in the ball the optimum is."}

-- SAIV begins with few samples and lets the worst of the others join (REC); those that are certain
-- leave (SCR). It worked on {saiv_most} samples at most.
rows = {}
for i, screen in ipairs{"none", "gap", "saiv"} do
    local r = tm.svm(data, {C = 0.05, screen = screen, tol = 1e-6,
                            name = screen}):wait()
    rows[i] = {screen = screen, primal = r.primal, gap = r.gap,
               updates = r.updates}
end
print(tm.table(rows, {"screen", "primal", "gap", "updates"}))
---
tm.show{view = "screen", run = run, step = 1}
tm.ask{question = "How many samples had SAIV at its first step?", number = steps[1].active,
       right = "Of {data.n}.", wrong = "The view says how many are in.",
       truth = {view = "screen", run = run, step = 1}}
