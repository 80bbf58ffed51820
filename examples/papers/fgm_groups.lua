-- FGM (Tan, Tsang and Wang, JMLR 2014), figure 15: groups of ten features; accuracy, true groups
-- and time against the number of groups chosen, for fgm with four B and several C, and for the
-- group lasso and UFO-MKL; logistic loss.
--
-- By default 1,024 x 5,000, 20 of 500 groups true, and the group lasso by all of its solvers; with
-- --full the paper's 4,096 x 400,000, 100 of 40,000 groups, in single precision (6.6 GB), where
-- FISTA and block coordinate descent are given two minutes a point.
-- Words choose among the methods and fgm's B (`fgm_groups.lua --full fgm active 8 10`). What is
-- done is written after each run, so that one which is ended keeps it.
local paper = dofile((arg[0]:match("^(.*/)[^/]*$") or "./") .. "paper.lua")
local n, p, k, tests = table.unpack(paper.size({4096, 400000, 100, 2000}, {1024, 5000, 20, 512},
                                               {120, 200, 4, 60}))
p = paper.columns or p
-- The rows to test on are those after the first n of longer columns, which are drawn when a
-- prediction needs them.
local function synth(rows, storage)
  return tm.synth("fgm_group", {n = rows, p = p, k = k, seed = 1, storage = storage})
end
local train, longer = synth(n, paper.full and "float" or "double"), synth(n + tests, "generated")
local truth, rows = train.truth, {}

local solvers, sizes = {"active", "bcd", "fista"}, {2, 5, 8, 10}
local methods, sizes_run = paper.choose({"fgm", "active", "bcd", "fista", "ufomkl"}, sizes)
local columns = {"method", "setting", "groups", "true", "accuracy", "seconds", "status"}

local function accuracy(model)
  local z, y, right = model:predict(longer), longer.y, 0
  for i = n + 1, n + tests do right = right + (z[i] * y[i] > 0 and 1 or 0) end
  return right / tests
end

local function groups_of(model)
  local chosen, hits, count = {}, 0, 0
  for _, j in ipairs(model.support) do
    local g = (j - 1) // 10
    if not chosen[g] then
      chosen[g], count = true, count + 1
      for f = g * 10 + 1, g * 10 + 10 do
        if truth[f] then hits = hits + 1 break end
      end
    end
  end
  return count, hits
end

local function add(name, setting, r)
  local count, hits = groups_of(r.model)
  rows[#rows + 1] = {method = name, setting = setting, groups = count, ["true"] = hits,
                     seconds = r.seconds,
                     accuracy = accuracy(r.model), status = r.status}
  paper.table("fgm_fig15", columns, rows, true)
end

for _, B in ipairs(sizes) do
  for _, C in ipairs(methods.fgm and sizes_run[B] and {0.01, 0.1, 1, 10} or {}) do
    local r = tm.fgm(train, {source = "groups", groups = 10, B = B, C = C, loss = "logistic",
                             intercept = false,
                             change = 0.001, features = 3 * k // 2, threads = 2}):wait()
    add("fgm, B = " .. B, "C = " .. C, r)
  end
end
for _, solver in ipairs(solvers) do
  local ratios = paper.full and {0.7, 0.55} or {0.7, 0.5, 0.35}
  for _, ratio in ipairs(methods[solver] and ratios or {}) do
    local r = tm.grouplasso(train, {groups = 10, loss = "logistic", intercept = false,
                                    solver = solver,
                                    lambda_ratio = ratio, tol = 1e-3, threads = 2,
                                    max_seconds = solver ~= "active" and 120 or nil}):wait()
    add("grouplasso, " .. solver, ratio .. " lambda_max", r)
  end
end
-- The paper stops UFO-MKL after 20 epochs.
for _, ratio in ipairs(methods.ufomkl and {0.7, 0.5, 0.35} or {}) do
  local r = tm.ufomkl(train, {groups = 10, loss = "logistic", alpha = 0.9, lambda_ratio = ratio,
                              max_iter = 20}):wait()
  add("ufomkl", ratio .. " lambda_max", r)
end
print(string.format("%d x %d, %d of %d groups true, %d rows to test", n, p, k, p // 10, tests))
paper.table("fgm_fig15", columns, rows)
paper.figure("fgm_fig15a_accuracy", rows, "method", "groups", "accuracy")
paper.figure("fgm_fig15c_seconds", rows, "method", "groups", "seconds", {ylog = true})
