-- SAIF (Ren), figures 3.4 and 3.5 (rejection of the graph's terms against lambda, with and without
-- the transformation) and 3.6 (rejection against the ratio of the two penalties).
--
-- 3.4 and 3.5: the generators gfl (100 x 3,000) and gfl_logistic (60 x 1,500) with p - 1 and 1.2
-- p edges, lambdas from lambda_max to 0.05 of it, here a tenth of the features without --full.
-- 3.6: gfl_sparse (100 x 5,000) with 0.6 p and 1.2 p edges, the mean over the path for each
-- ratio. A term is rejected when it is proven zero before its lambda is solved, from the answer
-- at the lambda before (dynamic is false), at every lambda (always). Counted by tm.steps: the same
-- run again with a log. Words choose: fig3_4, fig3_6.
local paper = dofile((arg[0]:match("^(.*/)[^/]*$") or "./") .. "paper.lua")
local lambdas = paper.size(50, 20, 12)
local figures = paper.choose({"fig3_4", "fig3_6"})

-- The rejected share of the terms at each lambda of a path but the first, and its mean.
local function rejection(data, options)
  options.graph, options.lambdas, options.lambda_min_ratio = "data", lambdas, 0.05
  options.dynamic, options.always = false, true
  local r = tm.path(data, "genlasso", options):wait()
  local terms = #data.edges + (options.l1_ratio and data.p or 0)
  local shares, mean = {}, 0
  for k = 2, #r.models do shares[k] = 0 end
  for _, step in ipairs(tm.steps(r)) do
    local bounds = step.what:find("^bound propagation")
    if step.point > 1 and bounds then shares[step.point] = step.removed / terms end
  end
  for k = 2, #r.models do mean = mean + shares[k] / (#r.models - 1) end
  return shares, mean, r
end

local rows = {}
local problems = {{"gfl", 3000, 300, 100}, {"gfl_logistic", 1500, 150, 100}}
for _, problem in ipairs(figures.fig3_4 and problems or {}) do
  local id, full, usual, tiny = table.unpack(problem)
  local p = paper.size(full, usual, tiny)
  for _, graph in ipairs{{"p-1", p - 1}, {"1.2p", math.floor(1.2 * p + 0.5)}} do
    local data = tm.synth(id, {p = p, edges = graph[2], seed = 1})
    for _, screen in ipairs{"bounds", "transform"} do
      local shares, _, r = rejection(data, {loss = id == "gfl" and "squared" or "logistic",
                                            screen = screen})
      for k = 2, #r.models do
        rows[#rows + 1] = {series = id .. " " .. graph[1] .. " " .. screen, generator = id,
                           edges = graph[1], screen = screen, ratio = r.table[k].lambda /
                             r.lambda_max, rejection = shares[k]}
      end
    end
  end
end
if figures.fig3_4 then
  paper.table("ren_fig3_4", {"generator", "edges", "screen", "ratio", "rejection"}, rows, true)
  paper.figure("ren_fig3_4", rows, "series", "ratio", "rejection", {xlog = true})
end
if not figures.fig3_6 then return end

local means = {}
local p = paper.size(5000, 500, 40)
for _, density in ipairs{0.6, 1.2} do
  local data = tm.synth("gfl_sparse", {p = p, density = density, seed = 1})
  for _, ratio in ipairs(paper.size({0.1, 0.2, 0.5, 1, 2, 3, 4, 5, 6, 8, 10},
                                    {0.1, 0.5, 1, 2, 5, 10}, {0.1, 1, 10})) do
    local _, mean = rejection(data, {l1_ratio = ratio, screen = "transform"})
    means[#means + 1] = {edges = density .. "p", l1_ratio = ratio, rejection = mean}
  end
end
paper.table("ren_fig3_6", {"edges", "l1_ratio", "rejection"}, means)
paper.figure("ren_fig3_6", means, "edges", "l1_ratio", "rejection", {xlog = true})
