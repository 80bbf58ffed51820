-- SAIF: features come by ADD and go by DEL
--
-- Dynamic screening begins with all {data.p} features and waits until its ball is small. SAIF
-- begins with a few, solves for them alone, and lets others in: it works on {most} features at
-- most.
data = tm.synth("saif", {n = 100, p = 2000, k = 20, seed = 5})
run = tm.lasso(data, {lambda_ratio = 0.15, screen = "saif", tol = 1e-8,
                      name = "saif"}):wait()
print(run)
---
steps = tm.steps(run)
most, adds, dels, added = 0, 0, 0, 0
for _, s in ipairs(steps) do
    most = math.max(most, s.active)
    adds, added = adds + (s.added > 0 and 1 or 0), added + s.added
    dels = dels + (s.removed > 0 and 1 or 0)
end
tm.show{view = "screen", run = run, step = 1}

-- The sub-problem of the features worked on has a gap, and its ball says where its dual optimum can
-- be. ADD lets those in that the ball cannot rule out, the ones with the greatest bounds first. In
-- {#steps} steps features came in {adds} times, {added} in all.
for k = 1, math.min(#steps, 8) do
    local s = steps[k]
    print(string.format("%2d  active %3d  in %3d  out %3d  %.40s", k, s.active,
                        s.added, s.removed, s.what))
end
---
first_add = 1
for k = #steps, 1, -1 do if steps[k].added > 0 and k > 1 then first_add = k end end
tm.show{view = "screen", run = run, step = first_add}
tm.ask{question = "How many features came in at step {first_add}?", number = steps[first_add].added,
       right = "A plus stands before each of them in the view.",
       wrong = "The view says how many came in.",
       truth = {view = "screen", run = run, step = first_add}}

-- DEL takes features out whose bound over the ball of the sub-problem is below one. That proves
-- something of the sub-problem, not of the whole one: the feature may come back by ADD. Features
-- went out in {dels} steps.
---
first_del = #steps
for k = #steps, 1, -1 do if steps[k].removed > 0 then first_del = k end end
tm.show{view = "screen", run = run, step = first_del}
tm.ask{question = "Does DEL prove that the feature has no weight in the answer?",
       choices = {"yes", "no, only in the sub-problem"}, answer = 2,
       right = "The ball is that of the sub-problem, which does not know the features outside.",
       wrong = "Whose dual optimum does the ball contain?"}

-- It stops when the ball, small by then, excludes every feature outside: each |x_j'theta| over it
-- is below one. Then the sub-problem's optimum is that of the whole problem, and the certificate,
-- over all features, agrees: {run.nnz} features, a gap of {run.gap:%.2g}.
gap = tm.lasso(data, {lambda_ratio = 0.15, screen = "gap", tol = 1e-8,
                      name = "gap"}):wait()
print(tm.table({run, gap}, {"name", "nnz", "gap", "columns", "updates"}))
---
share = run.columns / gap.columns
tm.show{view = "screen", run = run, step = "last"}
tm.ask{question = "Which share of the column products of 'gap' did SAIF need?", number = share,
       within = 0.02, right = "{run.columns} of {gap.columns}.",
       wrong = "Divide the two numbers of the column `columns`."}
