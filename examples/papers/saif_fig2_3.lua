-- SAIF (Ren), figures 2.3 and 2.4: how the set of features that is worked on and the dual objective
-- change with time, for dynamic screening (gap) and SAIF, at a small and a greater lambda.
--
-- The paper has breast cancer data (295 x 8,141) with lambda 0.1 and 5; here Golub's genes, at
-- lambdas of as many chosen features. FILE: other data.
local paper = dofile((arg[0]:match("^(.*/)[^/]*$") or "./") .. "paper.lua")
local data = paper.file and tm.load(paper.file) or paper.golub()
local rows, summary = {}, {}
for _, ratio in ipairs{0.005, 0.2} do
  for _, screen in ipairs{"gap", "saif"} do
    local r = tm.lasso(data, {lambda_ratio = ratio, screen = screen, tol = 1e-8}):wait()
    local most = 0
    for i = 1, #r.trace do
      local step = r.trace[i]
      most = math.max(most, step.active)
      rows[#rows + 1] = {run = screen .. " " .. ratio, screen = screen, ratio = ratio,
                         seconds = step.time,
                         active = step.active, dual = step.dual, gap = step.gap}
    end
    summary[#summary + 1] = {ratio = ratio, screen = screen, first = r.trace[1].active, most = most,
                             chosen = r.nnz, passes = r.passes, seconds = r.seconds, gap = r.gap}
  end
end
paper.table("saif_fig2_3", {"run", "screen", "ratio", "seconds", "active", "dual", "gap"}, rows,
            true)
paper.table("saif_fig2_3_summary", {"ratio", "screen", "first", "most", "chosen", "passes",
                                    "seconds", "gap"},
            summary)
paper.figure("saif_fig2_3_active", rows, "run", "seconds", "active",
             {ylog = true, ylabel = "active set"})
paper.figure("saif_fig2_3_dual", rows, "run", "seconds", "dual", {})
