-- Zhao, Liu and Cox, "Safe screening for l1-regularised l2-SVM by variational inequalities" (VI):
-- tables 2 and 3 (time and iterations of seven configurations over 20 values of lambda) and figure
-- 2 (the same along lambda, and the inactive features that screening leaves), table 4 (what
-- screening costs beside training, counted in products of a column with a vector).
--
-- All are made with the paper's solver, coordinate gradient descent (solver cgd); tables 2 and 3 also
-- with Tamis's default, proximal Newton.
--
-- The paper's data are gli_85 (85 x 22,283) and four larger ones; none comes with Tamis. In their
-- place stand the 38 x 3,051 genes of Golub et al., and with --full made data of gli_85's size.
-- FILE: any two-class data.
local paper = dofile((arg[0]:match("^(.*/)[^/]*$") or "./") .. "paper.lua")
local data = paper.file and tm.load(paper.file)
  or paper.full and tm.synth("fgm", {n = 85, p = 22283, k = 50, seed = 1}) or paper.golub()
local top = paper.lambda_max(data, "l1svm")
local lambdas = {}
for k = 1, 20 do lambdas[k] = top / k - 1e-8 end

local totals, steps = {}, {}
local function run(solver, config, first)
  local r = tm.l1svm(data, {lambda = lambdas, config = config, solver = solver, tol = 1e-6}):wait()
  local row = {solver = solver, config = config, seconds = r.seconds, epochs = r.epochs,
               updates = r.updates, nnz = r.nnz, status = r.status}
  row.speedup = (first or row).seconds / row.seconds
  totals[#totals + 1] = row
  for k, row in ipairs(solver == "cgd" and r.table or {}) do
    steps[#steps + 1] = {config = config, k = k, lambda = row.lambda, seconds = row.seconds,
                         updates = row.updates, nnz = row.nnz, over_hits = row.active - row.nnz,
                         columns = row.columns}
  end
  return row
end
for _, solver in ipairs{"cgd", "newton"} do
  local first
  for _, config in ipairs{"org", "warm", "shr", "warm_shr", "scr", "warm_scr", "scr_shr"} do
    local row = run(solver, config, first)
    first = first or row
  end
end
paper.table("vi_table2_3", {"solver", "config", "seconds", "speedup", "epochs", "updates", "nnz", "status"},
            totals)
paper.table("vi_fig2", {"config", "k", "lambda", "seconds", "updates", "nnz", "over_hits"}, steps,
            true)
paper.figure("vi_fig2_time", steps, "config", "k", "seconds",
             {ylog = true, xlabel = "lambda_max / lambda"})
local screened = {}
for _, row in ipairs(steps) do
  if row.config == "scr" or row.config == "warm_scr" then screened[#screened + 1] = row end
end
local most = {}
for _, row in ipairs(screened) do
  local m = most[row.config] or {config = row.config, most_over_hits = 0}
  m.most_over_hits = math.max(m.most_over_hits, row.k > 1 and row.over_hits or 0)
  most[row.config] = m
end
paper.table("vi_fig2_summary", {"config", "most_over_hits"}, {most.scr, most.warm_scr})
paper.figure("vi_fig2_over_hits", screened, "config", "k", "over_hits",
             {xlabel = "lambda_max / lambda"})

-- Training updates one coordinate for about two products with its column; the rest of a run's
-- products are those of screening and of the certificate, which look at all features.
local costs = {}
for _, config in ipairs{"scr", "warm_scr"} do
  local row = {config = config, screening = 0, training = 0}
  for _, step in ipairs(steps) do
    if step.config == config then
      row.screening, row.training = row.screening + step.columns, row.training + 2 * step.updates
    end
  end
  row.ratio = row.screening / row.training
  costs[#costs + 1] = row
end
paper.table("vi_table4", {"config", "screening", "training", "ratio"}, costs)
