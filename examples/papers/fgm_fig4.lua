-- FGM (Tan, Tsang and Wang, JMLR 2014), figure 4: the best test accuracy and the time of fgm
-- (logistic loss), the l1 SVM and the baselines on data of several densities.
--
-- The paper samples the entries of 8,192 x 65,536 features, of which 300 are true; that is --full
-- (3.2 GB at a density of 0.5, 4.3 at 1). By default 1,024 x 8,192 with 40 true features. The
-- best of a run's numbers of features counts, and the time is that of the whole run: rounds of B
-- features, and paths of 20 lambdas (l1svm, l1logistic) or 8 (sdca, the paper's SGD-SLR, and
-- ufomkl with 60 and 20 epochs a point). Seconds are of the processor. The work is also counted, in
-- updates, which of sdca and ufomkl are samples, and in column products. `fgm-simplemkl` is fgm
-- with the paper's subgradient baseline as its master.
--
-- Words choose among the densities and the methods: `fgm_fig4.lua --full 0.08 0.3 fgm-logistic
-- l1svm` runs two methods on two densities. What is done is written after each method, so that a
-- run which is ended keeps it.
local paper = dofile((arg[0]:match("^(.*/)[^/]*$") or "./") .. "paper.lua")
local n, p, k = table.unpack(paper.size({8192, 65536, 300}, {1024, 8192, 40}, {150, 300, 10}))
local densities = {0.08, 0.1, 0.3, 0.5, 0.8, 1}
local densities_run, methods_run = paper.choose(densities, {"fgm-logistic", "fgm-simplemkl",
                                                            "l1svm", "l1logistic", "sdca",
                                                            "ufomkl"})
local columns = {"density", "method", "features", "accuracy", "updates", "columns", "seconds"}
p = paper.columns or p
local rows = {}

local function best(models, test)
  local accuracy, features = 0, 0
  for _, m in ipairs(models) do
    local score = m.nnz > 0 and m:score(test, "accuracy") or 0
    if score > accuracy then accuracy, features = score, m.nnz end
  end
  return accuracy, features
end

local function add(density, method, models, test, runs)
  local row = {density = density, method = method, seconds = runs.seconds, updates = 0, columns = 0}
  row.accuracy, row.features = best(models, test)
  for _, r in ipairs(runs) do
    row.updates, row.columns = row.updates + r.updates, row.columns + r.columns
  end
  rows[#rows + 1] = row
  paper.table("fgm_fig4", columns, rows, true)
end

local function run_fgm(train, density, test, name, master)
  local runs, models, began = {}, {}, os.clock()
  for _, share in ipairs{0.05, 0.1, 0.15, 0.25} do
    local B = math.max(1, math.floor(k * share))
    local r = tm.fgm(train, {loss = "logistic", B = B, C = 10, T = 5, tol = 1e-3,
                             master = master}):wait()
    runs[#runs + 1], models[#models + 1] = r, r.model
  end
  runs.seconds = os.clock() - began
  add(density, name, models, test, runs)
end

local function run_path(train, density, test, name, options)
  local began = os.clock()
  options.lambda_min_ratio = 0.1
  local l = tm.path(train, name, options):wait()
  add(density, name, l.models, test, {l, seconds = os.clock() - began})
end

for _, density in ipairs(densities) do
  if densities_run[density] then
    local options = {n = n, p = p, k = k, density = density, seed = 1}
    local train = tm.synth("fgm", options)
    options.part = "test"
    local test = tm.synth("fgm", options)
    for _, m in ipairs{{"fgm-logistic", run_fgm, "auto"}, {"fgm-simplemkl", run_fgm, "simplemkl"},
                       {"l1svm", run_path, {lambdas = 20, tol = 1e-4, intercept = false}},
                       {"l1logistic", run_path, {lambdas = 20, tol = 1e-4, intercept = false}},
                       {"sdca", run_path, {lambdas = 8, alpha = 0.95, tol = 1e-2, max_iter = 60,
                                           intercept = false}},
                       {"ufomkl", run_path, {lambdas = 8, alpha = 0.9, max_iter = 20}}} do
      if methods_run[m[1]] then m[2](train, density, test, m[1], m[3]) end
    end
    train, test = nil, nil
    collectgarbage()
  end
end
table.sort(rows, function(a, b)
  return a.density < b.density or a.density == b.density and a.method < b.method
end)
paper.table("fgm_fig4", columns, rows)
paper.figure("fgm_fig4a_accuracy", rows, "method", "density", "accuracy")
paper.figure("fgm_fig4b_seconds", rows, "method", "density", "seconds", {ylog = true})
