-- Samples: the same game with rows
--
-- A support vector machine depends on few of its samples: those beyond their margin could be taken
-- away and nothing would change. Here are {data.n} samples of {data.p} features in two classes.
--
--     min  1/2 |w|^2 + C (sum over samples max(0, 1 - y_i x_i'w))
--
-- Sample i costs something when its margin y_i x_i'w is below one; then it is a support vector.
math.randomseed(4)
n, p, C = 400, 10, 0.1
X, y = {}, {}
for i = 1, n do
    X[i] = {}
    local sum = 0
    for j = 1, p do
        X[i][j] = 2 * math.random() - 1
        sum = sum + X[i][j] * (j <= 5 and 1 or -1)
    end
    y[i] = sum + 0.8 * (math.random() - 0.5) > 0 and 1 or -1
end
data = tm.dataset{x = X, y = y, name = "rows"}
run = tm.svm(data, {C = C, screen = "gap", tol = 1e-9, name = "gap"}):wait()
print(string.format("objective %.6f", run.primal))
---
function margins(model)
    local m = {}
    for i = 1, n do
        m[i] = 0
        for j = 1, p do m[i] = m[i] + y[i] * X[i][j] * model:weight(j) end
    end
    return m
end
margin = margins(run.model)
support = 0
for i = 1, n do support = support + (margin[i] < 1 + 1e-6 and 1 or 0) end
order, sorted = {}, {}
for i = 1, n do order[i], sorted[i] = i, margin[i] end
table.sort(sorted)
tm.plot{series = {{x = order, y = sorted, name = "margin"}},
        title = "margins, the least first"}:show()
function fit(rows)
    local fewer, labels = {}, {}
    for i = 1, n do
        if rows(i) then fewer[#fewer + 1], labels[#labels + 1] = X[i], y[i] end
    end
    return tm.svm(tm.dataset{x = fewer, y = labels, name = #fewer .. " rows"},
                  {C = C, tol = 1e-9}):wait()
end
function apart(a, b)
    local sum = 0
    for j = 1, p do sum = sum + (a:weight(j) - b:weight(j)) ^ 2 end
    return math.sqrt(sum)
end
tm.show{view = "plots"}
tm.ask{question = "How many support vectors does the program count? (The plot says about where the "
           .. "margins pass one; 5 more or less will do.)", number = run.support, within = 5,
       right = "{run.support} of {n}.", wrong = "Where does the line of margins pass one?"}

-- Is it so that the others could be taken away? The same problem on the support vectors alone, and,
-- for comparison, on the others alone:
alone = fit(function(i) return margin[i] < 1 + 1e-6 end)
others = fit(function(i) return margin[i] >= 1 + 1e-6 end)
print(string.format("support vectors alone: %d rows, w moves by %.6f",
                    alone.train.n, apart(alone.model, run.model)))
print(string.format("the others alone:      %d rows, w moves by %.6f",
                    others.train.n, apart(others.model, run.model)))
---
steps = tm.steps(run)
looked = 1
for k = 1, #steps do if looked == 1 and steps[k].removed > 0 then looked = k end end
gap_asked = 0.25
hand, near = 1, -1
for i = 1, n do -- of those that are out the one with the greatest bound
    local bound = steps[looked].bounds[i]
    if bound and bound < 1 and bound > near then hand, near = i, bound end
end
long = 0
for j = 1, p do long = long + X[hand][j] ^ 2 end
long = math.sqrt(long)
centre_margin = 2 + steps[looked].radius * long - steps[looked].bounds[hand]
beyond, within, share_certain, looks = 0, 0, {}, 0
for k = 1, #steps do
    if steps[k].radius then looks = k end
end
for _, action in pairs(steps[looks].actions) do
    if action == "certified" then beyond = beyond + 1 end
    if action == "at_limit" then within = within + 1 end
end
tm.show{view = "runs"}
tm.ask{question = "Which rows could have been left out from the beginning?",
       choices = {"the support vectors", "those beyond their margin", "none"},
       answer = apart(alone.model, run.model) < apart(others.model, run.model) and 2 or 1,
       right = "Without them the answer is the same. But who they are is known at the end only: "
           .. "so it has to be proven before.",
       wrong = "Without which rows does w stay where it is?"}

-- The proof is that of the lasso with the parts exchanged. There the optimum was a dual point in a
-- ball, and each feature a constraint; here it is w in a ball, and each sample a margin. Around the
-- weights that belong to the present dual variables the radius is
--
--     |w - w*| <= sqrt(gap)
--
-- because P rises from its least value by at least half the squared distance, and D falls as much.
-- The run starts with all samples; then it looks at its gap, and at last the certificate does:
for k = 2, #steps do
    print(string.format("step %d   gap %9.6f   radius %7.4f   certain %3d", k,
                        steps[k].gap, steps[k].radius, steps[k].removed))
end
---
tm.show{view = "screen", run = run, step = looked}
tm.ask{question = "Which radius does a gap of {gap_asked} give?", number = math.sqrt(gap_asked),
       within = 0.002, right = "Its square root; lambda has no part in it.",
       wrong = "The formula: the square root of the gap."}

-- One sample by hand. Over the ball its margin is at least y_i x_i'w - r |x_i|. The view has as the
-- bound what that lacks of one, and one more, so that, as with features, below one means out: it is
-- beyond its margin wherever in the ball w* is. Take row {hand} in step {looked}: |x_i| is
-- {long:%.4f}, the radius {steps[looked].radius:%.4f}, and the margin at the centre
-- {centre_margin:%.4f}.
---
tm.show{view = "screen", run = run, step = looked, feature = hand}
tm.ask{question = "What is the bound of row {hand}?", number = steps[looked].bounds[hand],
       within = 0.003, right = "2 - {centre_margin:%.4f} + {steps[looked].radius:%.4f} times "
           .. "{long:%.4f}; the view has the same number.",
       wrong = "2 - margin + radius times length.",
       truth = {view = "screen", run = run, step = looked, feature = hand}}

-- There is a second certainty, which features do not have. A sample may be within its margin in the
-- whole ball: then its dual variable is at its bound, C, in every answer, and it needs no work
-- either. What is left are samples whose place is open: at the end those near their margin.
print("certain to be beyond", beyond, "certain to be within", within)
---
tm.show{view = "screen", run = run, step = #steps}
tm.ask{question = "A sample is beyond its margin in the whole ball. What follows?",
       choices = {"it is no support vector", "it is misclassified", "its dual variable is C"},
       answer = 1, right = "w* is in the ball, and there the sample is beyond its margin.",
       wrong = "Its loss is zero wherever in the ball w* is."}

-- SAIV (SAIF for vectors) turns it around, as SAIF does with features: begin with few samples, a
-- twentieth, and solve for them. REC: the worst of the samples outside join. SCR: those that the
-- ball certifies to be no support vectors of the set leave it. It ends when every sample outside is
-- beyond its margin in the whole ball. Step through it with Ctrl-W and left and right.
saiv = tm.svm(data, {C = C, screen = "saiv", tol = 1e-9, name = "saiv"}):wait()
saiv_steps = tm.steps(saiv)
for k = 1, #saiv_steps do
    local s = saiv_steps[k]
    if k <= 4 or k > #saiv_steps - 2 then
        print(string.format("%2d  %3d in  %s", k, s.active, s.what))
    end
end
---
tm.show{view = "screen", run = saiv, step = 1}
tm.ask{question = "How many samples had SAIV at its first step?", number = saiv_steps[1].active,
       right = "Of {data.n}.", wrong = "The view says how many are in.",
       truth = {view = "screen", run = saiv, step = 1}}

-- Never has it worked on more than {saiv_most} of the {n} samples. The sets that it worked on:
sets, worked = {}, {}
for k = 1, #saiv_steps do sets[k], worked[k] = k, saiv_steps[k].active end
tm.plot{series = {{x = sets, y = worked, name = "samples in"}},
        title = "SAIV's set, step by step"}:show()
---
saiv_most = 0
for k = 1, #saiv_steps do saiv_most = math.max(saiv_most, saiv_steps[k].active) end
tm.show{view = "plots"}
tm.ask{question = "May SAIV stop when no sample outside is within its margin at the present w?",
       choices = {"yes", "no: it must be so in the whole ball"}, answer = 2,
       right = "The present w is that of the set, not yet of the whole problem.",
       wrong = "What is known of w*? Not that it is here, but that it is in the ball."}

-- All ways have the same answer. What differs is the work: `updates` are steps on one sample.
table_of = {}
for i, screen in ipairs{"none", "shrink", "gap", "saiv", "auto"} do
    local r = tm.svm(data, {C = C, screen = screen, tol = 1e-9,
                            name = screen}):wait()
    table_of[i] = {screen = screen, primal = r.primal, support = r.support,
                   updates = r.updates}
end
print(tm.table(table_of, {"screen", "primal", "support", "updates"}))
---
least, fewest = 1, {}
for i, row in ipairs(table_of) do
    if row.updates < table_of[least].updates then least = i end
    fewest[i] = row.screen
end
tm.show{view = "runs"}
tm.ask{question = "Which needs the fewest updates here?", choices = fewest, answer = least,
       right = "{table_of[least].updates}. On few samples the starts over of SAIV cost more than "
           .. "they save; its gain is that samples outside are not even looked at, which counts "
           .. "where there are many of them, or where each costs a row of kernel values.",
       wrong = "The last column of the table."}

-- With other kernels than the linear one the same tests hold, but the distances between samples are
-- at most the root of two with a Gaussian kernel, beside which the radius is large for long:
for _, kernel in ipairs{"linear", "rbf"} do
    local r = tm.svm(data, {C = C, kernel = kernel, screen = "gap",
                            tol = 1e-6}):wait()
    local all = tm.steps(r)
    local certain = 0
    for k = 1, #all - 1 do certain = certain + all[k].removed end
    print(string.format("%-6s   support vectors %3d, certain early %3d",
                        kernel, r.support, certain))
    share_certain[kernel] = certain
end
---
tm.show{view = "runs"}
tm.ask{question = "With which kernel were more samples certain before the last step?",
       choices = {"linear", "rbf"},
       answer = share_certain.linear >= share_certain.rbf and 1 or 2,
       right = "The ball is compared with |x_i|, which the kernel fixes.",
       wrong = "The two lines printed."}

-- To try, at the prompt: a lesser and a greater C (more and fewer support vectors), and
--
--     tm.svm(data, {{C = {0.01, 0.03, 0.1}, screen = "sequential"}})
--
-- which has a ball from one C to the next.
---
tm.show{view = "screen", run = saiv, step = 1}
