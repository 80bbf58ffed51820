-- SAIF (Ren), figure 2.4: the features that are worked on, p_t, against lambda and time, for
-- dynamic screening (gap) and SAIF: p_t / p, and log10 of p_t / p', where p' features are in the
-- optimum.
--
-- The paper colours a plane of log10(lambda / lambda_max) and log(100 t); here each lambda is a
-- curve over the share of all column products (passes), which is the same on every machine, and the
-- table has the times too. Data: Golub's genes in place of breast cancer (295 x 8,141). FILE: other
-- data.
local paper = dofile((arg[0]:match("^(.*/)[^/]*$") or "./") .. "paper.lua")
local data = paper.file and tm.load(paper.file) or paper.golub()
local ratios = paper.size({0.5, 0.3, 0.1, 0.03, 0.01, 0.003, 0.001}, {0.5, 0.1, 0.03, 0.01, 0.003},
                          {0.5, 0.1})
local rows, summary, drawn = {}, {}, {gap = {}, saif = {}}
for _, screen in ipairs{"gap", "saif"} do
  for _, ratio in ipairs(ratios) do
    local r = tm.lasso(data, {lambda_ratio = ratio, screen = screen, tol = 1e-8}):wait()
    local area, before, first = 0, 0, nil
    for i = 1, #r.trace do
      local step = r.trace[i]
      local passes = step.columns / data.p
      if not first and step.active < data.p then first = passes end
      local row = {screen = screen, ratio = ratio, lambda = "lambda " .. ratio, seconds = step.time,
                   passes = math.max(passes, 0.01), share = step.active / data.p,
                   excess = math.log(math.max(step.active, 1) / math.max(r.nnz, 1), 10)}
      area, before = area + (passes - before) * row.share, passes
      rows[#rows + 1] = row
      drawn[screen][#drawn[screen] + 1] = row
    end
    -- The mean of p_t / p over the work done: what a pass over the active features costs on
    -- average. first_drop: after how many passes fewer than all features are active.
    summary[#summary + 1] = {screen = screen, ratio = ratio, chosen = r.nnz, passes = r.passes,
                             mean_share = before > 0 and area / before or 1, first_drop = first,
                             seconds = r.seconds}
  end
end
paper.table("saif_fig2_4", {"screen", "ratio", "seconds", "passes", "share", "excess"}, rows, true)
paper.table("saif_fig2_4_summary",
            {"screen", "ratio", "chosen", "passes", "mean_share", "first_drop", "seconds"}, summary)
for _, screen in ipairs{"gap", "saif"} do
  paper.figure("saif_fig2_4_" .. screen, drawn[screen], "lambda", "passes", "share",
               {xlog = true, ylabel = "p_t / p", title = "active features, " .. screen})
  paper.figure("saif_fig2_4_" .. screen .. "_excess", drawn[screen], "lambda", "passes", "excess",
               {xlog = true, ylabel = "log10 p_t / p'",
                title = "active features above the optimum's, " .. screen})
end
