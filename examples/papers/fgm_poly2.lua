-- FGM (Tan, Tsang and Wang, JMLR 2014), figures 13 and 14: products of two features, never stored,
-- beside the plain features and beside the same problem with every product stored.
--
-- The paper has mnist's digits 3 and 8. Here they are the 8 x 8 digits that come with Tamis, 3
-- against 8: 64 pixels, 2,145 products; with --full 8 against all others. FILE: other data of two
-- classes and so few columns that their products can be stored. gamma = 4 for pixels of 0..1, as
-- there.
local paper = dofile((arg[0]:match("^(.*/)[^/]*$") or "./") .. "paper.lua")
local gamma, coef0 = 4 / 256, 1
local d
if paper.file then
  d, gamma = tm.load(paper.file), 1
else
  local digits, wanted = tm.load(paper.here .. "/../data/digits.svm.xz"), {}
  for i, y in ipairs(digits.y) do
    if paper.full or y == 3 or y == 8 then wanted[#wanted + 1] = i end
  end
  d = digits:select{rows = wanted}:one_vs_rest("8")
  if paper.tiny then d = d:filter{by = "variance", keep = 10} end
end
local train, test = d:split{test = 0.5, seed = 1, stratify = true}

-- Every feature of (gamma x'z + coef0)^2 as a column: the constant, columns, squares, products.
local function expand(data)
  local columns, rows = {}, {}
  for j = 1, data.p do columns[j] = data:column(j) end
  for i = 1, data.n do
    local row = {coef0}
    for j = 1, data.p do row[#row + 1] = math.sqrt(2 * gamma * coef0) * columns[j][i] end
    for j = 1, data.p do row[#row + 1] = gamma * columns[j][i] ^ 2 end
    for j = 1, data.p do
      for k = j + 1, data.p do
        row[#row + 1] = math.sqrt(2) * gamma * columns[j][i] * columns[k][i]
      end
    end
    rows[i] = row
  end
  return tm.dataset{x = rows, y = data.y}
end

local stored, stored_test = expand(train), expand(test)
local rows = {}
local function add(method, r, data, B)
  rows[#rows + 1] = {method = method, B = B, features = r.nnz, objective = r.primal, columns = r.columns,
                     accuracy = r.model:score(data, "accuracy"), seconds = r.seconds}
end
print(string.format("%d x %d, %d products, %d rows to test", train.n, train.p, stored.p, test.n))
for _, B in ipairs{2, 5, 10} do
  local limits = {B = B, C = 10, T = 5}
  local function fgm(data, more)
    local options = {}
    for key, value in pairs(limits) do options[key] = value end
    for key, value in pairs(more) do options[key] = value end
    return tm.fgm(data, options):wait()
  end
  add("fgm, plain, B = " .. B, fgm(train, {}), test, B)
  add("fgm, products, B = " .. B, fgm(train, {source = "poly2", gamma = gamma, coef0 = coef0}),
      test, B)
  add("fgm, stored products, B = " .. B, fgm(stored, {}), stored_test, B)
end
local path = tm.path(stored, "l1svm", {lambdas = 30, lambda_min_ratio = 0.01, max_features = 60,
                                       tol = 1e-4}):wait()
for _, m in ipairs(path.models) do
  if m.nnz >= 10 and (#rows < 10 or m.nnz >= rows[#rows].features + 15) then
    rows[#rows + 1] = {method = "l1svm, stored products", features = m.nnz,
                       accuracy = m:score(stored_test, "accuracy")}
  end
end
paper.table("fgm_fig13_14", {"method", "B", "features", "objective", "accuracy", "columns",
                            "seconds"}, rows)
