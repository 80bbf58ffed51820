-- SAIF (Ren), tables 3.6 to 3.8 and figures 3.11 and 3.12 in kind: what screening rejects, what it
-- costs, and the primal difference, on data of the sizes of the thesis's.
--
-- Table 3.6, figure 3.11: instead of FDG-PET images the generator gfl with 327 samples and 116
-- features. Tables 3.7 and 3.8, figure 3.12: instead of breast cancer the genes of Golub et al.
-- that come with Tamis (38 x 3,051; those of the greatest variance without --full), or a FILE of
-- two classes; their graph is a random tree, to which random edges are added, as the thesis does
-- with a network of proteins. Table 3.8 has l1_ratio 5. Passes are column products over p, of the
-- path's screening and solves. A term is rejected when it is proven zero before its lambda is
-- solved.
local paper = dofile((arg[0]:match("^(.*/)[^/]*$") or "./") .. "paper.lua")

-- A random tree, then edges between random features until there are `count`.
local function random_edges(p, count)
  local edges, seen = {}, {}
  math.randomseed(7)
  local function add(a, b)
    local key = math.min(a, b) .. " " .. math.max(a, b)
    if a == b or seen[key] then return end
    seen[key], edges[#edges + 1] = true, {a, b}
  end
  for j = 2, p do add(j, math.random(1, j - 1)) end
  while #edges < count do add(math.random(1, p), math.random(1, p)) end
  return edges
end

local rows, points = {}, {}
local function measure(title, data, graph, edges, options)
  options.graph, options.lambda_min_ratio = graph, 0.05
  local plain
  for _, screen in ipairs{"none", "bounds", "transform"} do
    options.screen, options.dynamic = screen, false
    local run = tm.path(data, "genlasso", options):wait()
    local lambdas, terms = #run.table, #edges.list + (options.l1_ratio and data.p or 0)
    local mean, differs, columns = 0, 0, 0
    plain = plain or run
    for k, row in ipairs(run.table) do
      columns = columns + row.columns
      differs = math.max(differs, math.abs(row.primal / plain.table[k].primal - 1))
    end
    if screen ~= "none" then
      for _, step in ipairs(tm.steps(run)) do
        if step.point > 1 and step.what:find("^bound propagation") then
          mean = mean + step.removed / terms / (lambdas - 1)
          points[#points + 1] = {series = title .. " " .. edges.name .. " " .. screen,
            ratio = step.lambda / run.lambda_max, rejection = step.removed / terms}
        end
      end
    end
    rows[#rows + 1] = {table = title, edges = edges.name, screen = screen, rejection = mean,
      passes = columns / data.p, primal_difference = differs}
  end
end

local function densities(data, names)
  local all = {}
  for _, name in ipairs(names) do
    local count = name == "p-1" and data.p - 1 or math.floor(tonumber(name:sub(1, -2)) * data.p)
    all[#all + 1] = {name = name, list = random_edges(data.p, count), count = count}
  end
  return all
end

for _, name in ipairs{"p-1", "1.1p", "1.2p", "1.3p"} do
  local p = paper.size(116, 116, 20)
  local count = name == "p-1" and p - 1 or math.floor(tonumber(name:sub(1, -2)) * p)
  local data = tm.synth("gfl", {n = paper.size(327, 327, 40), p = p, edges = count, seed = 3})
  measure("3.6", data, "data", {name = name, list = data.edges}, {lambdas = paper.size(54, 54, 6)})
end
local genes = paper.file and tm.load(paper.file) or paper.golub()
if not paper.full then genes = genes:filter{by = "variance", keep = paper.size(0, 300, 30)} end
for _, edges in ipairs(densities(genes, {"p-1", "1.1p", "1.2p", "1.3p"})) do
  measure("3.7", genes, edges.list, edges, {loss = "logistic", lambdas = paper.size(64, 20, 5)})
end
for _, edges in ipairs(densities(genes, {"p-1", "1.3p", "1.7p", "2p", "2.5p"})) do
  measure("3.8", genes, edges.list, edges, {loss = "logistic", l1_ratio = 5,
                                            lambdas = paper.size(30, 20, 5)})
end
paper.table("ren_table3_6", {"table", "edges", "screen", "rejection", "passes",
                             "primal_difference"}, rows)
paper.table("ren_fig3_11", {"series", "ratio", "rejection"}, points, true)
for figure, title in pairs{ren_fig3_11 = "3.6", ren_fig3_12 = "3.8"} do
  local some = {}
  for _, point in ipairs(points) do
    if point.series:sub(1, 3) == title then some[#some + 1] = point end
  end
  paper.figure(figure, some, "series", "ratio", "rejection", {xlog = true})
end
