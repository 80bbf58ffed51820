-- SAIF (Ren), figure 2.6 (time of a whole path against its number of lambdas, for DPP, homotopy and
-- SAIF) and table 2.1 (recall and precision of the features that homotopy finds).
--
-- Simulation: the paper's generator, 100 x 5,000 (a fifth of the columns without --full); in place
-- of the breast cancer data Golub's genes, or FILE. Lambdas from lambda_max to a thousandth of it.
-- The truth is the path of the strategy auto at a gap 10,000 times smaller. `homotopy` (reference
-- [48]: strong rule, coordinate descent, its own stopping rule) runs at its delta of 0.001 and at
-- 0.01; `strong_once` is the strong rule alone, solved to the gap.
--
-- Words choose among the data, the numbers of lambdas and the strategies (`saif_fig2_6.lua --full
-- simulation 100 homotopy saif`). What is done is written after each path, so that a run which is
-- ended keeps it.
local paper = dofile((arg[0]:match("^(.*/)[^/]*$") or "./") .. "paper.lua")
local counts = paper.size({20, 50, 100, 200, 300, 400, 500}, {20, 50}, {5})
local strategies = {{"dpp"}, {"homotopy", 0.001}, {"homotopy", 0.01}, {"strong_once"}, {"saif"},
                    {"auto"}}
local sets = {"simulation", "genes"}
local sets_run, counts_run, screens_run =
  paper.choose(sets, counts, {"dpp", "homotopy", "strong_once", "saif", "auto"})
local tol = 1e-6

local function moments(values)
  local mean, squares = 0, 0
  for _, v in ipairs(values) do mean = mean + v / #values end
  for _, v in ipairs(values) do squares = squares + (v - mean) ^ 2 / #values end
  return mean, math.sqrt(squares)
end

local function path(data, count, screen, tol, delta)
  return tm.path(data, "lasso", {lambdas = count, lambda_min_ratio = 1e-3, screen = screen,
                                 tol = tol, delta = delta}):wait()
end

local columns = {"data", "lambdas", "screen", "seconds", "columns", "unmet", "recall", "recall_sd",
                 "precision", "precision_sd"}
local name_of_table = paper.full and "saif_table2_1_full" or "saif_table2_1"
local rows = {}

local function measure(name, data, count, truth, screen, delta)
  local r = path(data, count, screen, tol, delta)
  local recall, precision, unmet = {}, {}, 0
  for k, m in ipairs(r.models) do
    local wanted, common = {}, 0
    for _, j in ipairs(truth.models[k].support) do wanted[j] = true end
    for _, j in ipairs(m.support) do common = common + (wanted[j] and 1 or 0) end
    if truth.models[k].nnz > 0 then recall[#recall + 1] = common / truth.models[k].nnz end
    if m.nnz > 0 then precision[#precision + 1] = common / m.nnz end
    if r.table[k].gap > tol * r.null_objective then unmet = unmet + 1 end
  end
  local row = {data = name, lambdas = count, screen = screen .. (delta and " " .. delta or ""),
               seconds = r.seconds, columns = r.columns, unmet = unmet}
  row.recall, row.recall_sd = moments(recall)
  row.precision, row.precision_sd = moments(precision)
  rows[#rows + 1] = row
  paper.table(name_of_table, columns, rows, true)
end

for _, name in ipairs(sets) do
  local data = name == "simulation"
    and tm.synth("saif", {n = 100, p = paper.size(5000, 1000, 60), seed = 1})
    or paper.file and tm.load(paper.file) or paper.golub()
  for _, count in ipairs(sets_run[name] and counts or {}) do
    local truth = counts_run[count] and path(data, count, "auto", tol * 1e-4)
    for _, strategy in ipairs(truth and strategies or {}) do
      if screens_run[strategy[1]] then
        measure(name, data, count, truth, table.unpack(strategy))
      end
    end
  end
end
paper.table(name_of_table, columns, rows)
for _, name in ipairs(sets) do
  local drawn = {}
  for _, row in ipairs(rows) do drawn[#drawn + 1] = row.data == name and row or nil end
  if #drawn > 0 then
    paper.figure("saif_fig2_6_" .. name, drawn, "screen", "lambdas", "seconds", {ylog = true})
  end
end
