-- MSLR (Tan, Tsang and Wang, TNNLS 2013): figures 1, 3, 4, 6a and table II.
--
--   tamis run examples/papers/mslr.lua [--full] [--out DIR] PART [FILE]
--
--   scales   figure 1: the true weights' sizes vary as v^tau
--   wide     figure 3: 5,000 x 100,000, 300 true features
--   tall     figure 4: 20,000 x 10,000, 600 true features
--   genes    figure 6a: leukemia, 1 to 100 features (takes FILE)
--   splits   table II: random splits, seven tenths to train on (takes FILE)
--
-- Without --full the made data are a fifth of that in both directions or less and there are three
-- splits in place of ten. C = 10 and at most ten rounds, as there. All accuracies but those of
-- `scales` are after retraining with logistic regression, C = 5, as there. FILE: data of two
-- classes; without it `genes` takes the genes that come with Tamis, and `splits`, for which the
-- paper has rcv1, made data of 2,000 x 5,000 whose weights are normal.
local paper = dofile((arg[0]:match("^(.*/)[^/]*$") or "./") .. "paper.lua")
local figure = paper.args[1] or "scales"
local RETRAIN = {C = 5, loss = "logistic", intercept = false, tol = 1e-4}

local function retrained(model, train, test)
  local options = {data = train}
  for key, value in pairs(RETRAIN) do options[key] = value end
  return model:debias(options):score(test, "accuracy")
end

local function found(model, truth)
  local hits = 0
  for _, j in ipairs(model.support) do hits = hits + (truth[j] and 1 or 0) end
  return hits
end

-- Of a path the model whose number of features is nearest to `wanted`, and where it is.
local function nearest(models, wanted)
  local best
  for k, m in ipairs(models) do
    if m.nnz > 0 and (not best
                      or math.abs(m.nnz - wanted) < math.abs(models[best].nnz - wanted)) then best = k end
  end
  return models[best], best
end

local function l1_path(train, most, options)
  local all = {lambdas = 60, lambda_min_ratio = 0.01, max_features = most + most // 5,
               intercept = false, tol = 1e-4}
  for key, value in pairs(options or {}) do all[key] = value end
  return tm.path(train, "l1logistic", all):wait()
end

-- Data of n rows and as many as `rows` more to test on.
local function halves(name, options, rows)
  local n = options.n
  options.n, options.seed = n + rows, 1
  local all = tm.synth(name, options)
  local train, test = all:split{test = rows / (n + rows), seed = 1}
  print(string.format("%d x %d, %d true features, %d rows to test", n, options.p, options.k, rows))
  return train, test, all.truth
end

local function scales()
  local n, p, k = table.unpack(paper.size({2048, 8192, 300}, {512, 2048, 75}, {120, 300, 10}))
  local rows = {}
  for _, tau in ipairs{0, 0.1, 0.5, 1, 2, 3, 5} do
    local train, test, truth = halves("mslr_scale", {n = n, p = p, k = k, tau = tau}, n)
    local m = tm.mslr(train, {B = k // 10, C = 10, T = 10}):wait().model
    local l = nearest(l1_path(train, m.nnz).models, m.nnz)
    for name, model in pairs{mslr = m, l1logistic = l} do
      rows[#rows + 1] = {tau = tau, method = name, features = model.nnz,
                         ["true"] = found(model, truth),
                         accuracy = model:score(test, "accuracy")}
    end
  end
  table.sort(rows, function(a, b) return a.method > b.method or a.method == b.method
             and a.tau < b.tau end)
  paper.table("mslr_fig1", {"method", "tau", "features", "true", "accuracy"}, rows)
  paper.figure("mslr_fig1b_accuracy", rows, "method", "tau", "accuracy")
  paper.figure("mslr_fig1c_true", rows, "method", "tau", "true")
end

local function synthetic(name, options, tests)
  local k = options.k
  local train, test, truth = halves("mslr", options, tests)
  local path, rows = l1_path(train, 3 * k // 2), {}
  for r = 4, 40, 6 do
    local run = tm.mslr(train, {B = math.max(1, r * k // 300), C = 10, T = 10, threads = 2}):wait()
    local l, at = nearest(path.models, run.model.nnz)
    for method, m in pairs{mslr = run.model, l1logistic = l} do
      rows[#rows + 1] = {method = method, features = m.nnz, ["true"] = found(m, truth),
                         retrained = retrained(m, train, test),
                         seconds = method == "mslr" and run.seconds or path.table[at].seconds}
    end
  end
  table.sort(rows, function(a, b)
    return a.method > b.method or a.method == b.method and a.features < b.features
  end)
  paper.table(name, {"method", "features", "true", "retrained", "seconds"}, rows)
  print(string.format("l1logistic's path of %d lambdas: %.2f s", #path.models, path.seconds))
  paper.figure(name .. "a_accuracy", rows, "method", "features", "retrained")
  paper.figure(name .. "b_true", rows, "method", "features", "true")
  paper.figure(name .. "c_seconds", rows, "method", "features", "seconds", {ylog = true})
end

-- The mean over splits into halves: 19 or 36 rows to train on say little each.
local function genes(file)
  local d = file and tm.load(file) or paper.golub()
  local times, rows, sums = paper.size(20, 5, 1), {}, {}
  RETRAIN.intercept = true
  local counts = {1, 2, 4, 8, 16, 32, 64, 100}
  for seed = 1, times do
    local train, test = d:split{test = 0.5, seed = seed, stratify = true}
    local path = l1_path(train, 100, {intercept = true, lambda_min_ratio = 1e-4})
    for _, features in ipairs(counts) do
      local function add(method, m)
        local key = method .. features
        if not sums[key] then
          sums[key] = {method = method, wanted = features, features = 0, accuracy = 0}
          rows[#rows + 1] = sums[key]
        end
        local s = sums[key]
        s.features, s.accuracy = s.features + m.nnz / times, s.accuracy + retrained(m, train, test) / times
      end
      for _, rounds in ipairs{1, 3, 10} do
        add("mslr, T = " .. rounds,
            tm.fgm(train, {B = math.max(1, features // rounds), C = 10, T = rounds,
                           loss = "logistic",
                           master = "apg"}):wait().model)
      end
      add("l1logistic", (nearest(path.models, features)))
    end
  end
  table.sort(rows, function(a, b) return a.method < b.method or a.method == b.method
             and a.wanted < b.wanted end)
  print(string.format("%d x %d, half of it to train on, mean of %d splits", d.n, d.p, times))
  paper.table("mslr_fig6a", {"method", "wanted", "features", "accuracy"}, rows)
  paper.figure("mslr_fig6a", rows, "method", "features", "accuracy", {xlog = true})
end

local function splits(file)
  local d = file and tm.load(file) or tm.synth("mslr", paper.size({n = 2000, p = 5000, k = 200,
                                                                   seed = 1}, {n = 2000, p = 5000, k = 200, seed = 1},
                                                                   {n = 200, p = 300, k = 20,
                                                                    seed = 1}))
  local times, rows = paper.size(10, 3, 2), {}
  local counts = paper.size({65, 172, 202, 264, 332, 381}, {65, 202}, {10, 20})
  local kept = {}
  for seed = 1, times do
    local train, test = d:split{test = 0.3, seed = seed, stratify = true}
    local path = l1_path(train, counts[#counts])
    for _, features in ipairs(counts) do
      local m = tm.mslr(train, {B = math.max(1, features // 10), C = 10, features = features,
                                threads = 2}):wait().model
      local l = nearest(path.models, m.nnz)
      local k = kept[features] or {mslr = 0, l1 = 0, squares = 0, wins = 0}
      local a, b = retrained(m, train, test), retrained(l, train, test)
      kept[features] = k
      k.mslr, k.l1, k.squares = k.mslr + a / times, k.l1 + b / times, k.squares + (a - b) ^ 2
      k.wins = k.wins + (a > b and 1 or 0)
    end
  end
  for _, features in ipairs(counts) do
    local k = kept[features]
    local difference = k.mslr - k.l1
    rows[#rows + 1] = {features = features, mslr = k.mslr, l1logistic = k.l1, better_in = k.wins,
                       of = times,
                       deviation = math.sqrt(math.max(0,
                                                      (k.squares - times * difference ^ 2) / (times - 1)))}
  end
  print("deviation: of the difference over the splits")
  paper.table("mslr_table2", {"features", "mslr", "l1logistic", "deviation", "better_in", "of"},
              rows)
end

local tests = paper.size(2000, 1000, 100)
if figure == "scales" then scales()
elseif figure == "wide" then
  synthetic("mslr_fig3", paper.size({n = 5000, p = 100000, k = 300, variance = 2,
                                     storage = "float"},
                                    {n = 1000, p = 10000, k = 60, variance = 2},
                                    {n = 150, p = 300, k = 12, variance = 2}), tests)
elseif figure == "tall" then
  synthetic("mslr_fig4", paper.size({n = 20000, p = 10000, k = 600, variance = 10},
                                    {n = 2000, p = 1000, k = 60, variance = 10},
                                    {n = 300, p = 150, k = 12, variance = 10}), tests)
elseif figure == "genes" then genes(paper.args[2])
elseif figure == "splits" then splits(paper.args[2])
else error("one of scales, wide, tall, genes, splits") end
