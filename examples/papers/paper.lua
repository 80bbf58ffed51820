-- What the scripts of this folder share: arguments, figures and tables.
--
--   tamis run examples/papers/NAME.lua [--full | --tiny] [--out DIR] [--columns P] [FILE]
--
-- Without --full the sizes are such that a laptop needs seconds; with it they are the paper's, as
-- far as its data can be had. --tiny only shows that a script runs. --columns, of fgm_fig4 and
-- fgm_groups, makes data of P columns with as many rows and true features as before. Each figure
-- or table is written as DIR/NAME.svg and DIR/NAME.csv ("." without --out). FILE takes the place of
-- the data where a script says so. `args` are all the words that are no options, the last of which
-- is `file`.
local paper = {full = false, tiny = false, out = ".", file = nil, columns = nil, args = {}}

do
  local i = 1
  while i <= #arg do
    if arg[i] == "--full" then
      paper.full = true
    elseif arg[i] == "--tiny" then
      paper.tiny = true
    elseif arg[i] == "--out" then
      i = i + 1
      paper.out = assert(arg[i], "--out: name a folder")
    elseif arg[i] == "--columns" then
      i = i + 1
      local script = arg[0]:match("[^/]*$")
      assert(script == "fgm_fig4.lua" or script == "fgm_groups.lua",
             "--columns: " .. script .. " makes data of one size only")
      paper.columns = assert(math.tointeger(tonumber(arg[i])), "--columns: expected a number")
    elseif arg[i]:sub(1, 2) == "--" then
      error("unknown option " .. arg[i] .. "; there are --full, --tiny, --out DIR and --columns P")
    else
      paper.file = arg[i]
      paper.args[#paper.args + 1] = arg[i]
    end
    i = i + 1
  end
  paper.here = arg[0]:match("^(.*)/[^/]*$") or "."
end

-- The leukemia data of Golub et al., which come with Tamis: 38 rows, 3,051 genes.
function paper.golub()
  local data = tm.load(paper.here .. "/../data/golub.svm.xz")
  return paper.tiny and data:filter{by = "variance", keep = 200} or data
end

-- One of three values: for --full, by default, for --tiny.
function paper.size(full, usual, tiny)
  if paper.full then return full end
  return paper.tiny and tiny or usual
end

local function readable(path)
  local file = io.open(path)
  if file then file:close() end
  return file ~= nil
end

-- Words choose among the values of lists, of which those without a word are taken whole: for each
-- list the set of what is chosen. A word of no list is FILE, or an error.
function paper.choose(...)
  local lists, chosen = {...}, {}
  paper.file = nil
  for _, word in ipairs(paper.args) do
    local known = false
    for k, values in ipairs(lists) do
      for _, value in ipairs(values) do
        if tostring(value) == word then
          chosen[k] = chosen[k] or {}
          chosen[k][value], known = true, true
        end
      end
    end
    if not known then
      local words = {}
      for _, values in ipairs(lists) do words[#words + 1] = table.concat(values, ", ") end
      assert(readable(word), word .. ": expected a file, or of " .. table.concat(words, "; "))
      paper.file = word
    end
  end
  for k, values in ipairs(lists) do
    if not chosen[k] then
      chosen[k] = {}
      for _, value in ipairs(values) do chosen[k][value] = true end
    end
  end
  return table.unpack(chosen)
end

-- lambda_max of a method on the data.
function paper.lambda_max(data, method)
  return tm[method](data, {lambda = 1e300}):wait().lambda_max
end

local function cell(value)
  if math.type(value) == "float" then return string.format("%.10g", value) end
  local text = value == nil and "" or tostring(value)
  return text:find('[",]') and '"' .. text:gsub('"', '""') .. '"' or text
end

-- Writes the rows as name.csv and, unless there are too many to look at, prints them.
function paper.table(name, columns, rows, quiet)
  local path = paper.out .. "/" .. name .. ".csv"
  local file = assert(io.open(path, "w"))
  file:write(table.concat(columns, ","), "\n")
  for _, row in ipairs(rows) do
    local cells = {}
    for k, column in ipairs(columns) do cells[k] = cell(row[column]) end
    file:write(table.concat(cells, ","), "\n")
  end
  file:close()
  if quiet then return end
  print("\n" .. name)
  print(tm.table(rows, columns))
end

-- Writes name.svg: one series for each value of `by`, y over x.
function paper.figure(name, rows, by, x, y, options)
  local series, at = {}, {}
  for _, row in ipairs(rows) do
    local key = tostring(row[by])
    if not at[key] then
      at[key] = {name = key, x = {}, y = {}}
      series[#series + 1] = at[key]
    end
    local s = at[key]
    if row[x] and row[y] then s.x[#s.x + 1], s.y[#s.y + 1] = row[x], row[y] end
  end
  local plot = {series = series, xlabel = x, ylabel = y, title = name}
  for key, value in pairs(options or {}) do plot[key] = value end
  tm.plot(plot):save(paper.out .. "/" .. name .. ".svg")
end

return paper
