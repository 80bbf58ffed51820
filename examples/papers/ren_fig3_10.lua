-- SAIF (Ren), figure 3.10 in kind: dynamic screening. Left: the terms proven zero and the features
-- merged as the gap falls, round by round. Right: the columns read until each gap is reached, with
-- and without it.
--
-- As in the thesis the data are those of gfl (100 x 3,000) with a random graph of 1.1 p edges, and
-- a tree beside it; the size is the thesis's by default. One lambda, 0.1 of lambda_max, is solved
-- from the null model by cut pursuit, where the thesis has ADMM; work is column products over p in
-- place of seconds. `always` makes the smaller problems also where they cost more than they save.
local paper = dofile((arg[0]:match("^(.*/)[^/]*$") or "./") .. "paper.lua")
local p = paper.size(3000, 3000, 1500)

local rounds, costs, summary = {}, {}, {}
for _, graph in ipairs{{"p-1", p - 1}, {"1.1p", math.floor(1.1 * p + 0.5)}} do
  local data = tm.synth("gfl", {p = p, edges = graph[2], seed = 1})
  for _, name in ipairs{"none", "sequential", "dynamic"} do
    local run = tm.genlasso(data, {graph = "data", lambda_ratio = 0.1, tol = 1e-9, always = true,
                                   screen = name == "none" and "none" or "transform",
                                   dynamic = name == "dynamic"}):wait()
    local trace, series, best = run.trace, graph[1] .. " " .. name, math.huge
    for k = 1, #trace do
      local step = trace[k]
      if step.gap then best = math.min(best, step.gap) end
      -- Gaps relative to the first one, which is the null model's; 1e-9 is also less.
      local gap = math.max(best / trace.gap[1], 1e-9)
      if step.kind ~= "point" then
        costs[#costs + 1] = {series = series, gap = gap, passes = step.columns / p}
        if name ~= "none" then
          rounds[#rounds + 1] = {series = series, step = k, gap = gap,
            rejected = step.rejected / graph[2], aggregated = step.aggregated / p}
        end
      end
    end
    summary[#summary + 1] = {edges = graph[1], screen = name, steps = #trace - 1,
      rejected = name ~= "none" and trace.rejected[#trace] / graph[2] or 0,
      aggregated = name ~= "none" and trace.aggregated[#trace] / p or 0, passes = run.columns / p,
      primal = run.primal}
  end
end
paper.table("ren_fig3_10", {"series", "step", "gap", "rejected", "aggregated"}, rounds, true)
paper.table("ren_fig3_10_passes", {"series", "gap", "passes"}, costs, true)
paper.table("ren_fig3_10_summary", {"edges", "screen", "steps", "rejected", "aggregated", "passes",
                                    "primal"}, summary)
paper.figure("ren_fig3_10", rounds, "series", "gap", "rejected", {xlog = true})
paper.figure("ren_fig3_10_passes", costs, "series", "gap", "passes", {xlog = true})
