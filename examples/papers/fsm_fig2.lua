-- FSM (Mao and Tsang, TPAMI 2013), figure 2: the training time of five methods against the number
-- of features: fsmulti for F1 and for Hamming loss, the l1 SVM, SVM-RFE, and the l1 bundle for F1.
--
--   tamis run examples/papers/fsm_fig2.lua [--full | --tiny] [--out DIR] [FILE]
--
-- The paper has News20.binary (11,997 x 1,355,191) and Image (Desert). Here synthetic data of 512 x
-- 2,048 with 40 true features, with --full of 4,096 x 16,384 with 300; FILE takes their place (of
-- more than two classes the first against the rest). Beside the seconds of one thread, which are
-- those of the machine, stands the work that is the same on all: column products / features. As in
-- the paper fsmulti has C = n and stops when there are 4 B features, the l1 methods go along their
-- parameter, and the bundle ends after 200 subgradients or at a tenth of the null model's
-- objective.
package.path = (arg[0]:match("^(.*)/[^/]*$") or ".") .. "/?.lua;" .. package.path
local paper = require("paper")

local data
if paper.file then
  data = tm.load(paper.file)
  if #data.classes > 2 then data = data:one_vs_rest(data.classes[1].label) end
else
  data = tm.synth("fgm", {n = paper.size(4096, 512, 80), p = paper.size(16384, 2048, 100),
                          k = paper.size(300, 40, 5), seed = 1})
end
local budgets = paper.size({2, 5, 10, 20, 30, 40, 50, 60}, {2, 5, 10, 20, 30}, {2, 4})
local rows = {}

local function add(method, r, features)
  rows[#rows + 1] = {method = method, features = features or r.nnz, seconds = r.seconds,
                     passes = r.passes or r.columns / data.p, status = r.status,
                     stopped_by = r.stopped_by}
end

for _, measure in ipairs{"f1", "hamming"} do
  for _, B in ipairs(budgets) do
    add("fsmulti(" .. measure .. ")",
        tm.fsmulti(data, {measure = measure, B = B, C_per_row = 1, features = 4 * B, tol = 1e-2,
                          threads = 1}):wait())
  end
end
for _, ratio in ipairs{0.5, 0.2, 0.1, 0.05, 0.02} do
  add("l1svm", tm.l1svm(data, {lambda_ratio = ratio, tol = 1e-4, threads = 1}):wait())
end
for k = #budgets, 1, -1 do
  add("rfe", tm.rfe(data, {features = {4 * budgets[k]}, drop = 0.1, tol = 1e-3,
                           threads = 1}):wait())
end
for _, C in ipairs{0.01, 0.03, 0.1, 0.3} do
  local r = tm.bmrm(data, {measure = "f1", C_per_row = C, tol = 0.1, max_iter = 200,
                           threads = 1}):wait()
  if r.nnz > 0 then add("bmrm(f1)", r) end
end
paper.table("fsm_fig2", {"method", "features", "seconds", "passes", "status", "stopped_by"}, rows)
paper.figure("fsm_fig2", rows, "method", "features", "seconds", {ylog = true})
paper.figure("fsm_fig2_passes", rows, "method", "features", "passes", {ylog = true})
