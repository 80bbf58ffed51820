-- The format: one lesson with everything in it
--
-- Text with a value: {1 + 1}, {math.pi:%.3f}, {{braces}}.
--
--     a line as it is
data = tm.synth("saif", {n = 50, p = 200, k = 5, seed = 3})
print("printed", data.n)
---
hidden = data.p
run = tm.lasso(data, {lambda_ratio = 0.3, screen = "gap", name = "by gap"}):wait()
tm.show{view = "screen", run = run, step = 1, zoom = true}

-- How many features are there? The Lua that knows is not shown: {hidden}.
---
tm.ask{question = "How many of {hidden} features have a weight?", number = run.nnz,
       right = "{run.nnz} of {hidden}.", wrong = "The answer has {run.nnz - 1} and one more.",
       truth = {view = "screen", run = run, rule = "saif", step = "last", zoom = false}}

-- A choice.
---
tm.ask{question = "What is greater?", choices = {"{1 + 1}", "{2 + 1}", "neither"}, answer = 2,
       right = "3 is.", wrong = "Count again."}

-- Marks, and the form beside them.
---
tm.show{view = "explore", run = run, set = {lambda_ratio = 0.5}, zoom = 2}
tm.ask{question = "Which are even?", mark = {"1", "2", "3", "4"}, answer = {2, "4"},
       right = "Both of them.", wrong = "Divide by two."}

-- The end, with the lesson alone.
---
tm.show{}
