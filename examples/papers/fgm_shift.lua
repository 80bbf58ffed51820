-- FGM (Tan, Tsang and Wang, JMLR 2014), figures 5 and 6: what the shift of the hyperplane brings.
-- The objective after each round, relative to the first, and the test accuracy against the number
-- of features, for fgm and l1svm with and without an intercept.
--
-- By default 1,024 x 1,024 with 75 true features and b = 2; with --full the paper's 4,096 x 4,096
-- with 300 and b = 4: a quarter of the deviation of Xw in both. FILE: other data of two classes,
-- half of whose rows are to test.
local paper = dofile((arg[0]:match("^(.*/)[^/]*$") or "./") .. "paper.lua")
local n, k, shift = paper.size(4096, 1024, 256), paper.size(300, 75, 20), paper.size(4, 2, 1)
local all = paper.file and tm.load(paper.file) or tm.synth("fgm_shift",
                                                           {n = 2 * n, p = n, k = k, shift = shift,
                                                            seed = 1})
local train, test = all:split{test = 0.5, seed = 1, stratify = true}

local rounds, summary, rows = {}, {}, {}
local Bs = {}
for _, share in ipairs{0.05, 0.1, 0.2, 0.3, 0.4, 0.6} do
  local B = math.max(1, math.floor(share * k / 2.5))
  if B ~= Bs[#Bs] then Bs[#Bs + 1] = B end
end

local function name(method, intercept) return intercept and method .. " with shift" or method end

for _, intercept in ipairs{false, true} do
  for i, B in ipairs(Bs) do
    local r = tm.fgm(train, {B = B, C = 10, T = 10, intercept = intercept}):wait()
    rows[#rows + 1] = {method = name("fgm", intercept), features = r.nnz,
                       accuracy = r.model:score(test, "accuracy"),
                       intercept = r.model.intercept}
    if i == #Bs then
      -- Figure 5 takes one run; what is known before the first round is the null model's objective.
      local null, round = nil, 0
      for _, event in ipairs(r.trace) do
        if event.kind == "check" then
          null = null or event.primal
          rounds[#rounds + 1] = {method = name("fgm", intercept), round = round,
                                 objective = event.primal,
                                 relative = event.primal / null}
          round = round + 1
        end
      end
      summary[#summary + 1] = {method = name("fgm", intercept), B = B, features = r.nnz,
                               objective = r.primal, null = null}
    end
  end
  local path = tm.path(train, "l1svm", {lambdas = 60, lambda_min_ratio = 0.03, max_features = 2 * k,
                                        intercept = intercept,
                                        tol = 1e-4}):wait()
  local last = 0
  for _, m in ipairs(path.models) do
    if m.nnz >= last + k / 8 and m.nnz <= 2 * k then
      last = m.nnz
      rows[#rows + 1] = {method = name("l1svm", intercept), features = m.nnz,
                         accuracy = m:score(test, "accuracy"),
                         intercept = m.intercept}
    end
  end
end

print(string.format("%d x %d, %d rows to test", train.n, train.p, test.n))
paper.table("fgm_fig5", {"method", "B", "features", "objective", "null"}, summary)
paper.table("fgm_fig5_rounds", {"method", "round", "objective", "relative"}, rounds, true)
paper.figure("fgm_fig5", rounds, "method", "round", "relative")
paper.table("fgm_fig6", {"method", "features", "accuracy", "intercept"}, rows)
paper.figure("fgm_fig6", rows, "method", "features", "accuracy")
