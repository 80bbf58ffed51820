-- FGM (Tan, Tsang and Wang, JMLR 2014), figure 2: test accuracy, true features found and the
-- accuracy after retraining, against the number of features, for fgm with both losses, the l1
-- methods, the baselines, and all features.
--
-- By default 1,024 x 1,024 with 75 true features; with --full the paper's 4,096 x 4,096 with 300. C
-- = 10 and ten rounds for fgm, B varies; retraining is the l2 SVM with C = 20, as there. `fgm`
-- solves over all sets of the features met, `fgm-apg` over the rounds' sets, as the paper's
-- PROX-FGM does, and `fgm-simplemkl` is its MKL-FGM. `sdca` is its SGD-SLR; `ufomkl` (20 epochs a
-- point) it has in figure 15. Seconds are of the processor, of a path those of all its points.
local paper = dofile((arg[0]:match("^(.*/)[^/]*$") or "./") .. "paper.lua")
local n, truths = table.unpack(paper.size({4096, 300}, {1024, 75}, {120, 10}))
local all = tm.synth("fgm", {n = 2 * n, p = n, k = truths, seed = 1})
local train, test = all:split{test = 0.5, seed = 1}
local truth, rows = all.truth, {}

local function found(model)
  local hits = 0
  for _, j in ipairs(model.support) do hits = hits + (truth[j] and 1 or 0) end
  return hits
end

local function add(name, model, seconds)
  local again = model:debias{data = train, C = 20, loss = "squared_hinge", intercept = false,
                             tol = 1e-4}
  rows[#rows + 1] = {method = name, features = model.nnz, ["true"] = found(model),
                     accuracy = model:score(test, "accuracy"),
                     retrained = again:score(test, "accuracy"),
                     seconds = seconds}
end

local Bs = paper.full and {4, 8, 12, 16, 20, 24, 30, 40, 60} or {1, 2, 3, 4, 5, 6, 8, 10, 15}
for _, m in ipairs{{"fgm", "squared_hinge", "auto"}, {"fgm-logistic", "logistic", "auto"},
                   {"fgm-apg", "squared_hinge", "apg"},
                   {"fgm-simplemkl", "squared_hinge", "simplemkl"}} do
  for _, B in ipairs(Bs) do
    local began = os.clock()
    local r = tm.fgm(train, {B = B, C = 10, T = 10, loss = m[2], master = m[3],
                             intercept = false}):wait()
    add(m[1], r.model, os.clock() - began)
  end
end

-- Of a path the points where the number of features has grown by an eighth of the true ones.
local L1 = {lambdas = 60, lambda_min_ratio = 0.03, max_features = 2 * truths, intercept = false,
            tol = 1e-4}
for _, m in ipairs{{"l1svm", L1}, {"l1logistic", L1},
                   {"sdca", {alpha = 0.95, lambdas = 8, lambda_min_ratio = 0.12, intercept = false,
                             tol = 1e-2, max_iter = 2000}},
                   {"ufomkl", {alpha = 0.9, lambdas = 10, lambda_min_ratio = 0.1,
                               max_iter = 20}}} do
  local method, began = m[1], os.clock()
  local p = tm.path(train, method, m[2]):wait()
  local seconds, last = os.clock() - began, 0
  for k, m in ipairs(p.models) do
    if m.nnz >= last + truths / 8 and m.nnz <= 2 * truths then
      last = m.nnz
      add(method, m, seconds)
    end
  end
end
for _, method in ipairs{"svm_l2", "logistic"} do
  local r = tm[method](train, {C = 10, intercept = false, tol = 1e-4}):wait()
  rows[#rows + 1] = {method = method .. ", all", features = r.nnz, ["true"] = truths,
                     seconds = r.seconds,
                     accuracy = r.model:score(test, "accuracy")}
end

print(string.format("%d x %d, %d true features, %d rows to test", n, n, truths, test.n))
paper.table("fgm_fig2", {"method", "features", "true", "accuracy", "retrained", "seconds"}, rows)
local curves = {}
for _, row in ipairs(rows) do
  if row.features <= 2 * truths then curves[#curves + 1] = row end
end
paper.figure("fgm_fig2a_accuracy", curves, "method", "features", "accuracy")
paper.figure("fgm_fig2b_true", curves, "method", "features", "true")
paper.figure("fgm_fig2c_retrained", curves, "method", "features", "retrained")
