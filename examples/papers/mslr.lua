-- MSLR (Tan, Tsang and Wang, TNNLS 2013): figures 1 and 3 to 8, tables I to III.
--
--   tamis run examples/papers/mslr.lua [--full] [--out DIR] PART [FILE]
--
--   scales   figure 1: the true weights' sizes vary as v^tau
--   wide     figure 3: 5,000 x 100,000, 300 true features
--   tall     figure 4: 20,000 x 10,000, 600 true features
--   data     table I: the data that the parts use (takes FILE)
--   rounds   figure 5: how the objective decreases with the rounds (takes FILE)
--   genes    figure 6: leukemia, 1 to 100 features (takes FILE)
--   speed    figure 7: the time of the masters (takes FILE)
--   c        figure 8: accuracy and time at C = 5, 10 and 20 (takes FILE)
--   splits   table II: random splits, seven tenths to train on (takes FILE)
--   sparse   table III: the same on sparse data (takes FILE)
--
-- mslr's master is the paper's smoothing coordinate descent (scd) throughout. The paper's WLR is
-- `reweighted`, its GLR `gomp`; GroundTruth is logistic regression on the true features of the
-- greatest weights. Without --full the made data are a fifth of the paper's in both directions or
-- less. C = 10 and at most ten rounds, as there. All accuracies but those of `scales` are after
-- retraining with logistic regression, C = 5, as there.
-- FILE: data of two classes. Without it `genes` takes the genes that come with Tamis, `rounds`
-- these and the data of `sparse`, `c` the latter. `splits` and `sparse`, for which the paper has
-- rcv1 and real-sim, take made data of 1,000 x 2,500, with --full of 2,000 x 5,000, with all
-- entries and with a tenth of them; `speed` divides columns by their length, and makes
-- 300 x 20,000 with one entry in 200.
local paper = dofile((arg[0]:match("^(.*/)[^/]*$") or "./") .. "paper.lua")
local figure = paper.args[1] or "scales"
local RETRAIN = {C = 5, loss = "logistic", intercept = false, tol = 1e-4}

-- mslr by its own master, with the paper's C and rounds unless others are given.
local function mslr(train, options)
  local all = {C = 10, T = 10, master = "scd", threads = 2}
  for key, value in pairs(options) do all[key] = value or nil end
  return tm.mslr(train, all):wait()
end

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
    local nearer = not best or math.abs(m.nnz - wanted) < math.abs(models[best].nnz - wanted)
    if m.nnz > 0 and nearer then best = k end
  end
  return models[best], best
end

local function l1_path(train, most, options, method)
  local all = {lambdas = 60, lambda_min_ratio = 0.01, intercept = false, tol = 1e-4}
  if method ~= "reweighted" then all.max_features = most + most // 5 end
  for key, value in pairs(options or {}) do all[key] = value end
  return tm.path(train, method or "l1logistic", all):wait()
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
    local m = mslr(train, {B = k // 10}).model
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

-- The accuracy of logistic regression on the `count` true features of the greatest weights.
local function ground_truth(train, test, truth, count)
  local order = {}
  for j, weight in pairs(truth) do
    if weight ~= 0 then order[#order + 1] = {j, math.abs(weight)} end
  end
  table.sort(order, function(a, b) return a[2] > b[2] or a[2] == b[2] and a[1] < b[1] end)
  local columns = {}
  for i = 1, math.min(count, #order) do columns[i] = order[i][1] end
  table.sort(columns)
  local r = tm.logistic(train:select{columns = columns},
                        {C = 5, intercept = false, tol = 1e-4}):wait()
  return r.model:score(test:select{columns = columns}, "accuracy"), #columns
end

-- `greedy`: with GLR, which figure 4 leaves out for its cost.
local function synthetic(name, options, tests, greedy)
  local k, counts = options.k, {}
  local train, test, truth = halves("mslr", options, tests)
  for r = 4, 40, 6 do counts[#counts + 1] = 10 * math.max(1, r * k // 300) end
  local rows = {}
  local function add(method, m, seconds)
    rows[#rows + 1] = {method = method, features = m.nnz, ["true"] = found(m, truth),
                       retrained = retrained(m, train, test), seconds = seconds}
  end
  for _, count in ipairs(counts) do
    local run = mslr(train, {B = count // 10})
    add("mslr", run.model, run.seconds)
    local accuracy, taken = ground_truth(train, test, truth, count)
    rows[#rows + 1] = {method = "GroundTruth", features = taken, ["true"] = taken,
                       retrained = accuracy}
  end
  local weighted = {lambdas = 30, lambda_min_ratio = 0.05}
  for method, settings in pairs{l1logistic = {}, reweighted = weighted} do
    local path = l1_path(train, 3 * k // 2, settings, method)
    for _, count in ipairs(counts) do
      local m, at = nearest(path.models, count)
      add(method, m, path.table[at].seconds)
    end
    print(string.format("%s: path of %d lambdas, %.2f s", method, #path.models, path.seconds))
  end
  if greedy then
    local path = tm.gomp(train, {features = counts, C = 1000, loss = "logistic",
                                 intercept = false, tol = 1e-3}):wait()
    for at, m in ipairs(path.models) do add("gomp", m, path.table[at].seconds) end
  end
  table.sort(rows, function(a, b)
    return a.method > b.method or a.method == b.method and a.features < b.features
  end)
  paper.table(name, {"method", "features", "true", "retrained", "seconds"}, rows)
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
    local weighted = l1_path(train, 100, {intercept = true, lambdas = 30,
                                          lambda_min_ratio = 0.01}, "reweighted")
    local greedy = tm.gomp(train, {features = counts, C = 1000, loss = "logistic",
                                   tol = 1e-3}):wait()
    for at, features in ipairs(counts) do
      local function add(method, m)
        local key = method .. features
        if not sums[key] then
          sums[key] = {method = method, wanted = features, features = 0, accuracy = 0}
          rows[#rows + 1] = sums[key]
        end
        local s = sums[key]
        s.features = s.features + m.nnz / times
        s.accuracy = s.accuracy + retrained(m, train, test) / times
      end
      for _, rounds in ipairs{1, 3, 10} do
        add("mslr, T = " .. rounds,
            tm.fgm(train, {B = math.max(1, features // rounds), C = 10, T = rounds,
                           loss = "logistic", intercept = false,
                           master = "scd"}):wait().model)
      end
      add("l1logistic", (nearest(path.models, features)))
      add("reweighted", (nearest(weighted.models, features)))
      add("gomp", greedy.models[at])
    end
  end
  table.sort(rows, function(a, b) return a.method < b.method or a.method == b.method
             and a.wanted < b.wanted end)
  print(string.format("%d x %d, half of it to train on, mean of %d splits", d.n, d.p, times))
  paper.table("mslr_fig6a", {"method", "wanted", "features", "accuracy"}, rows)
  paper.figure("mslr_fig6a", rows, "method", "features", "accuracy", {xlog = true})
end

-- Figure 5: |f_t - f_(t - 1)| / f* of the primal objective after each round, f* a certified optimum
-- by the default master.
local function rounds(file)
  local rows = {}
  for _, name in ipairs(file and {file:match("[^/]*$")} or {"golub", "made for sparse"}) do
    local d = file and tm.load(file) or name == "golub" and paper.golub() or paper.made("sparse")
    local best = tm.mslr(d, {B = 10, C = 10, tol = 1e-6}):wait().primal
    local trace, before, round = mslr(d, {B = 10}).trace, nil, 0
    for i = 1, #trace do
      local step = trace[i]
      if step.kind == "check" then
        if before then
          round = round + 1
          rows[#rows + 1] = {data = name, round = round, above = (step.primal - best) / best,
                             change = math.max(before - step.primal, 1e-16 * best) / best}
        end
        before = step.primal
      end
    end
  end
  paper.table("mslr_fig5", {"data", "round", "change", "above"}, rows)
  paper.figure("mslr_fig5", rows, "data", "round", "change", {ylog = true})
end

-- Figure 8: accuracy and processor time against the number of features, at three values of C.
local function of_c(file)
  local d = file and tm.load(file) or paper.made("sparse")
  local train, test = d:split{test = 0.3, seed = 1, stratify = true}
  local counts, rows = paper.size({40, 80, 160, 240, 320, 400}, {20, 40, 80, 120, 160, 200},
                                  {10, 20}), {}
  local function add(method, m, seconds)
    rows[#rows + 1] = {method = method, features = m.nnz, seconds = seconds,
                       accuracy = retrained(m, train, test)}
  end
  for _, C in ipairs{5, 10, 20} do
    for _, count in ipairs(counts) do
      local began = os.clock()
      local run = mslr(train, {B = count // 10, C = C})
      add("mslr, C = " .. C, run.model, os.clock() - began)
    end
  end
  local path = l1_path(train, counts[#counts])
  for _, count in ipairs(counts) do
    local m, at = nearest(path.models, count)
    add("l1logistic", m, path.table[at].seconds)
  end
  paper.table("mslr_fig8", {"method", "features", "accuracy", "seconds"}, rows)
  paper.figure("mslr_fig8a_accuracy", rows, "method", "features", "accuracy")
  paper.figure("mslr_fig8b_seconds", rows, "method", "features", "seconds", {ylog = true})
end

-- Table I: what the data are.
local function data(file)
  local rows, all = {}, {}
  local function add(name, d)
    local positive = 0
    for _, y in ipairs(d.y) do positive = positive + (y > 0 and 1 or 0) end
    rows[#rows + 1] = {data = name, rows = d.n, features = d.p,
                       nonzeros_a_row = d.nnz / d.n, positive = positive}
  end
  if file then
    add(file:match("[^/]*$"), tm.load(file))
  else
    add("golub", paper.golub())
    for _, made in ipairs{"splits", "sparse"} do all[#all + 1] = made end
    for _, made in ipairs(all) do add("made for " .. made, paper.made(made)) end
  end
  paper.table("mslr_table1", {"data", "rows", "features", "nonzeros_a_row", "positive"}, rows)
end

-- What stands for rcv1 and real-sim, and for the texts of figure 7.
function paper.made(part)
  local n, p, k = table.unpack(paper.size({2000, 5000, 200}, {1000, 2500, 100}, {200, 300, 20}))
  if part == "splits" then return tm.synth("mslr", {n = n, p = p, k = k, seed = 1}) end
  if part == "sparse" then
    return tm.synth("fgm", {n = n, p = p, k = k, density = 0.1, seed = 1})
  end
  n, p, k = table.unpack(paper.size({300, 20000, 100}, {300, 20000, 100}, {60, 300, 10}))
  return tm.synth("fgm", {n = n, p = p, k = k, density = 0.005, seed = 1})
end

-- Processor time of the process, which other work on the machine changes less than the clock's. The
-- masters differ in what an update is, so that updates do not compare.
local function speed(file)
  local train = (file and tm.load(file) or paper.made("speed")):scale{how = "norm"}
  local rows = {}
  for _, B in ipairs{2, 8, 20, 40} do
    for _, way in ipairs{{"mslr", "logistic", "scd"}, {"FGM-LR", "logistic", "simplemkl"},
                         {"FGM-SVM", "squared_hinge", "simplemkl"},
                         {"default", "logistic", "auto"}} do
      local began = os.clock()
      local r = tm.fgm(train, {B = B, C = 10, T = 10, loss = way[2], master = way[3],
                               intercept = false}):wait()
      rows[#rows + 1] = {B = B, method = way[1], features = r.model.nnz, objective = r.primal,
                         seconds = os.clock() - began, columns = r.columns}
    end
  end
  print(string.format("%d x %d", train.n, train.p))
  paper.table("mslr_fig7", {"B", "method", "features", "objective", "columns", "seconds"}, rows)
  paper.figure("mslr_fig7", rows, "method", "B", "seconds", {ylog = true})
end

-- Tables II and III. Wilcoxon: 1 where the signed ranks of the splits' differences differ from 0 at
-- 5 %, as the paper marks them.
local function splits(name, d, counts)
  local times, rows, kept = paper.size(10, 10, 2), {}, {}
  for seed = 1, times do
    local train, test = d:split{test = 0.3, seed = seed, stratify = true}
    local path = l1_path(train, counts[#counts])
    for _, features in ipairs(counts) do
      local m = mslr(train, {B = math.max(1, features // 10), T = false, features = features}).model
      local k = kept[features] or {mslr = {}, l1 = {}}
      kept[features] = k
      k.mslr[seed] = retrained(m, train, test)
      k.l1[seed] = retrained(nearest(path.models, m.nnz), train, test)
    end
  end
  local function moments(list)
    local mean, squares = 0, 0
    for _, value in ipairs(list) do mean = mean + value / #list end
    for _, value in ipairs(list) do squares = squares + (value - mean) ^ 2 end
    return mean, math.sqrt(squares / math.max(1, #list - 1))
  end
  for _, features in ipairs(counts) do
    local k, wins = kept[features], 0
    for i = 1, times do wins = wins + (k.mslr[i] > k.l1[i] and 1 or 0) end
    local row = {features = features, better_in = wins, of = times}
    row.mslr, row.mslr_deviation = moments(k.mslr)
    row.l1logistic, row.l1_deviation = moments(k.l1)
    row.p = tm.compare(k.mslr, k.l1).wilcoxon_p
    row.wilcoxon = row.p < 0.05 and 1 or 0
    rows[#rows + 1] = row
  end
  paper.table(name, {"features", "mslr", "mslr_deviation", "l1logistic", "l1_deviation",
                     "better_in", "of", "wilcoxon", "p"}, rows)
end

local tests, file = paper.size(2000, 1000, 100), paper.args[2]
if figure == "scales" then scales()
elseif figure == "wide" then
  synthetic("mslr_fig3", paper.size({n = 5000, p = 100000, k = 300, variance = 2,
                                     storage = "float"},
                                    {n = 1000, p = 10000, k = 60, variance = 2},
                                    {n = 150, p = 300, k = 12, variance = 2}), tests, true)
elseif figure == "tall" then
  synthetic("mslr_fig4", paper.size({n = 20000, p = 10000, k = 600, variance = 10},
                                    {n = 2000, p = 1000, k = 60, variance = 10},
                                    {n = 300, p = 150, k = 12, variance = 10}), tests, false)
elseif figure == "data" then data(file)
elseif figure == "rounds" then rounds(file)
elseif figure == "genes" then genes(file)
elseif figure == "c" then of_c(file)
elseif figure == "speed" then speed(file)
elseif figure == "splits" then
  splits("mslr_table2", file and tm.load(file) or paper.made("splits"),
         paper.size({65, 172, 202, 264, 332, 381}, {65, 202}, {10, 20}))
elseif figure == "sparse" then
  splits("mslr_table3", file and tm.load(file) or paper.made("sparse"),
         paper.size({101, 159, 195, 242, 266, 318}, {101, 242}, {10, 20}))
else error("one of scales, wide, tall, data, rounds, genes, speed, c, splits, sparse") end
