-- FSM (Mao and Tsang, TPAMI 2013), figures 1, 3 and 4: the number of features against B, accuracy
-- against the number of features, and which features are selected as B grows.
--
--   tamis run examples/papers/fsm_fig3.lua [--full] [--out DIR] [FILE]
--
-- The paper has News20.binary (11,997 x 1,355,191) and URL1. Here synthetic data of 1,024 x 4,096
-- with 75 true features, with --full of 4,096 x 16,384 with 300; FILE takes their place (of more
-- than two classes the one with most rows against the rest; half of the rows for testing).
package.path = (arg[0]:match("^(.*)/[^/]*$") or ".") .. "/?.lua;" .. package.path
local paper = require("paper")

local data
if paper.file then
  data = tm.load(paper.file)
  if #data.classes > 2 then
    local most = data.classes[1]
    for _, class in ipairs(data.classes) do
      if class.rows > most.rows then most = class end
    end
    data = data:one_vs_rest(most.label)
  end
else
  data = tm.synth("fgm", {n = paper.full and 8192 or 2048, p = paper.full and 16384 or 4096,
                          k = paper.full and 300 or 75, seed = 1})
end
local train, test = data:split{test = 0.5, seed = 1}
local budgets = {2, 5, 10, 20, 30, 40, 50, 60}

-- Figure 1: C is 0.1, 1 and 10 times the number of rows; five rounds at most.
local rows, runs = {}, {}
for _, C in ipairs{0.1, 1, 10} do
  runs[C] = {}
  for k, B in ipairs(budgets) do
    runs[C][k] = tm.fsmulti(train, {measure = "hamming", B = B, C_per_row = C, tol = 1e-2, T = 5})
  end
end
for _, C in ipairs{0.1, 1, 10} do
  for k, B in ipairs(budgets) do
    local run = runs[C][k]:wait()
    rows[#rows + 1] = {["C/n"] = C, B = B, features = run.model.nnz,
                       gap = run.gap / run.null_objective,
                       accuracy = run.model:score(test, "accuracy"),
                       f1 = run.model:score(test, "f1")}
  end
end

-- How much of the variance of the number of features a line over B leaves unexplained.
local function bend(points)
  local n, sx, sy, xx, xy, yy = #points, 0, 0, 0, 0, 0
  for _, row in ipairs(points) do
    sx, sy = sx + row.B, sy + row.features
    xx, xy, yy = xx + row.B ^ 2, xy + row.B * row.features, yy + row.features ^ 2
  end
  local cov, vx, vy = xy - sx * sy / n, xx - sx * sx / n, yy - sy * sy / n
  return cov / vx, 1 - cov * cov / (vx * vy)
end
local slopes = {}
for _, C in ipairs{0.1, 1, 10} do
  local points = {}
  for _, row in ipairs(rows) do
    if row["C/n"] == C then points[#points + 1] = row end
  end
  local slope, unexplained = bend(points)
  slopes[#slopes + 1] = {["C/n"] = C, ["features for each B"] = slope,
                         ["explained by a line"] = 1 - unexplained}
end
paper.table("fsm_fig1", {"C/n", "B", "features", "accuracy", "f1", "gap"}, rows)
paper.table("fsm_fig1_slopes", {"C/n", "features for each B", "explained by a line"}, slopes)
paper.figure("fsm_fig1", rows, "C/n", "B", "features")

-- Figure 3: beside methods that choose by other means.
local lines = {}
for _, row in ipairs(rows) do
  if row["C/n"] == 1 then
    lines[#lines + 1] = {method = "fsmulti(hamming)", features = row.features,
                         accuracy = row.accuracy}
  end
end
local path = tm.path(train, "l1svm", {lambdas = 15, lambda_min_ratio = 0.02, tol = 1e-4}):wait()
for _, model in ipairs(path.models) do
  if model.nnz > 0 then
    lines[#lines + 1] = {method = "l1svm", features = model.nnz,
                         accuracy = model:score(test, "accuracy")}
  end
end
local eliminated = tm.rfe(train, {features = {500, 200, 100, 50, 20, 10}, drop = 0.2,
                                  tol = 1e-4}):wait()
for _, model in ipairs(eliminated.models) do
  lines[#lines + 1] = {method = "rfe", features = model.nnz,
                       accuracy = model:score(test, "accuracy")}
end
paper.table("fsm_fig3", {"method", "features", "accuracy"}, lines)
paper.figure("fsm_fig3", lines, "method", "features", "accuracy", {xlog = true})

-- Figure 4: a dot for each selected feature, features in the order in which they first came in. A
-- feature that a smaller B selected and a greater one does not makes the choice non-monotonic.
local place, places, dots, kept, before = {}, 0, {}, {}, nil
for k, B in ipairs(budgets) do
  local chosen, had, stayed = {}, 0, 0
  for _, j in ipairs(runs[1][k].model.support) do
    if not place[j] then
      places = places + 1
      place[j] = places
    end
    dots[#dots + 1] = {method = "selected", feature = place[j], B = B}
    chosen[j] = true
  end
  for j in pairs(before or {}) do
    had, stayed = had + 1, stayed + (chosen[j] and 1 or 0)
  end
  kept[k] = {B = B, features = #runs[1][k].model.support,
             ["of the B before"] = before and had or nil,
             ["still selected"] = before and stayed or nil}
  before = chosen
end
paper.table("fsm_fig4", {"B", "features", "of the B before", "still selected"}, kept)
local x, y = {}, {}
for k, dot in ipairs(dots) do x[k], y[k] = dot.feature, dot.B end
tm.plot{series = {{x = x, y = y, name = "selected", points = true}}, title = "fsm_fig4",
        xlabel = "feature, in the order of its first selection",
        ylabel = "B"}:save(paper.out .. "/fsm_fig4.svg")
