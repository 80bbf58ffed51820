-- Ren, "Scalable algorithms for high dimensional structured data" (SAIF), figures 2.2 and 2.5: the
-- time to a duality gap, for no screening, dynamic screening (gap), BLITZ and SAIF, at several
-- lambdas.
--
-- Simulation: the paper's generator, 100 x 5,000 (a fifth of the columns without --full). The
-- breast cancer data (295 x 8,141), USPS and Gisette do not come with Tamis: Golub's genes stand in
-- their place, for least squares (2.2) and for logistic regression (2.5). FILE: any data in place
-- of Golub's.
local paper = dofile((arg[0]:match("^(.*/)[^/]*$") or "./") .. "paper.lua")
local genes = paper.file and tm.load(paper.file) or paper.golub()
local sets = {
  {"simulation", tm.synth("saif", {n = 100, p = paper.size(5000, 1000, 60), seed = 1}), "lasso",
   {20, 100, 1000}},
  {"genes", genes, "lasso", {0.02, 0.1, 0.5}},
  {"genes", genes, "l1logistic", {0.02, 0.1, 0.5}},
}
local rows = {}
for i, set in ipairs(sets) do
  local name, data, method, lambdas = table.unpack(set)
  local top = paper.lambda_max(data, method)
  for _, lambda in ipairs(lambdas) do
    if i > 1 then lambda = lambda * top end
    for _, screen in ipairs{"none", "gap", "blitz", "saif", "auto"} do
      for _, tol in ipairs(paper.size({1e-4, 1e-6, 1e-8}, {1e-4, 1e-6, 1e-8}, {1e-4})) do
        local r = tm[method](data, {lambda = lambda, screen = screen, tol = tol}):wait()
        rows[#rows + 1] = {data = name, method = method, lambda = lambda, ratio = lambda / top,
                           screen = screen, tol = tol, gap = r.gap, nnz = r.nnz,
                           seconds = r.seconds,
                           passes = r.passes, status = r.status}
      end
    end
  end
end
paper.table("saif_fig2_2", {"data", "method", "ratio", "screen", "tol", "gap", "nnz", "seconds",
                            "passes",
                            "status"}, rows)
local drawn = {}
for _, row in ipairs(rows) do
  if row.data == "simulation" and row.lambda == 20 then drawn[#drawn + 1] = row end
end
paper.figure("saif_fig2_2", drawn, "screen", "tol", "seconds",
             {xlog = true, ylog = true, xlabel = "relative gap", title = "simulation, lambda 20"})
