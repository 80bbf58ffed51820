-- The works of the part "against": arg[1] names one; arg[2] is the folder of the real data. Prints
-- the peak of memory in KB.
local work, folder = arg[1], arg[2]
local function paths(d, methods, options, times)
  for _ = 1, times do
    for _, m in ipairs(methods) do tm.path(d, m, options):wait() end
  end
end
local genes = "examples/data/golub.svm.xz"
local works = {
  saif = function()
    paths(tm.synth("saif", {n=100, p=5000, seed=1}), {"lasso"},
          {lambdas=20, lambda_min_ratio=0.02, screen="saif", tol=1e-8}, 20)
  end,
  path = function()
    paths(tm.synth("saif", {n=300, p=20000, seed=1}), {"lasso"},
          {lambdas=100, lambda_min_ratio=0.05, tol=1e-6}, 12)
  end,
  strategies = function()
    local d = tm.synth("saif", {n=100, p=3000, seed=1})
    for _, s in ipairs{"none", "gap", "vi", "dpp", "edpp", "ws", "blitz", "hessian", "strong"} do
      paths(d, {"lasso"}, {lambdas=20, lambda_min_ratio=0.05, screen=s, tol=1e-6}, 2)
    end
  end,
  genes = function()
    paths(tm.load(genes), {"lasso", "l1logistic", "l1svm"},
          {lambdas=100, lambda_min_ratio=0.01}, 150)
  end,
  group = function()
    local d = tm.load(genes)
    for _, loss in ipairs{"squared", "logistic", "squared_hinge"} do
      paths(d, {"grouplasso"}, {loss=loss, groups="10", lambdas=20, lambda_min_ratio=0.1}, 80)
    end
  end,
  fgm = function()
    local d = tm.load(genes)
    for i = 1, 60 do
      tm.fgm(d, {B=10, C=10, T=15}):wait()
      tm.fgm(d, {B=10, C=10, T=15, loss="logistic"}):wait()
    end
  end,
  classify = function()
    local d = tm.load(folder .. "/dexter.svm.xz")
    paths(d, {"l1logistic", "l1svm"}, {lambdas=30, lambda_min_ratio=0.02}, 24)
    for _, c in ipairs{0.1, 1, 10} do
      tm.svm_l2(d, {C=c}):wait()
      tm.logistic(d, {C=c}):wait()
    end
  end,
  fgm_size = function()
    local d = tm.load(folder .. "/dexter.svm.xz")
    tm.fgm(d, {B=20, C=10, T=15}):wait()
    tm.fgm(d, {B=20, C=10, T=15, loss="logistic"}):wait()
  end,
  measures = function()
    local d = tm.load(folder .. "/dexter.svm.xz")
    for _, m in ipairs{"f1", "hamming", "rocarea"} do
      tm.svmperf(d, {measure=m, C=300, tol=1e-3}):wait()
      tm.fsmulti(d, {measure=m, C=300, B=20, T=5, tol=1e-3}):wait()
    end
  end,
  load = function()
    for _ = 1, 10 do tm.load(folder .. "/news20.svm.xz") end
  end,
}
works[work]()
print(dofile("tests/bench/peak.lua")())
