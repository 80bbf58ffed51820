-- MSLR (Tan, Tsang and Wang, TNNLS 2013): figures 1, 3, 4, 6a and table II in kind.
--
--   tamis run examples/papers/mslr.lua scales          figure 1: the sizes of the true weights vary as v^tau
--   tamis run examples/papers/mslr.lua wide            figure 3: 5,000 x 100,000, 300 true features
--   tamis run examples/papers/mslr.lua tall            figure 4: 20,000 x 10,000, 600 true features
--   tamis run examples/papers/mslr.lua genes FILE      figure 6a: accuracy against 1 to 100 features, on a file
--   tamis run examples/papers/mslr.lua splits FILE     table II: accuracy over ten random splits, on a file
--
-- A last argument `quick` makes each a fraction of its size. All accuracies but those of `scales` are after
-- retraining with logistic regression, C = 5, as there. FILE for `genes`: leukemia, for example; labels of two classes.
local figure = arg[1] or "scales"
local quick = arg[#arg] == "quick"
local RETRAIN = {C = 5, loss = "logistic", intercept = false}

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

-- Of a path the model whose number of features is nearest to `wanted`.
local function nearest(models, wanted)
    local best
    for _, m in ipairs(models) do
        if m.nnz > 0 and (not best or math.abs(m.nnz - wanted) < math.abs(best.nnz - wanted)) then
            best = m
        end
    end
    return best
end

local function l1_path(train, options)
    local all = {lambdas = 40, lambda_min_ratio = 0.02, intercept = false, tol = 1e-4}
    for key, value in pairs(options or {}) do all[key] = value end
    return tm.path(train, "l1logistic", all):wait()
end

local function scales()
    local n, p, k = 2048, 8192, 300
    if quick then n, p, k = 512, 2048, 75 end
    print(string.format("%d x %d, %d true features, about as many chosen", n, p, k))
    print("tau    accuracy: mslr  l1logistic     true features: mslr  l1logistic")
    for _, tau in ipairs{0, 0.1, 0.5, 1, 2, 3, 5} do
        local all = tm.synth("mslr_scale", {n = 2 * n, p = p, k = k, tau = tau, seed = 1})
        local train, test = all:split{test = 0.5, seed = 1}
        local m = tm.mslr(train, {B = k // 10, C = 10, T = 10}):wait().model
        local l = nearest(l1_path(train).models, m.nnz)
        print(string.format("%-8g %12.4f  %10.4f %20d  %10d   of %d and %d", tau, m:score(test, "accuracy"),
                            l:score(test, "accuracy"), found(m, all.truth), found(l, all.truth), m.nnz, l.nnz))
    end
end

local function synthetic(n, p, k, rows, variance)
    local all = tm.synth("mslr", {n = n + rows, p = p, k = k, variance = variance, seed = 1})
    local train, test = all:split{test = rows / (n + rows), seed = 1}
    print(string.format("%d x %d, %d true features", n, p, k))
    local path = l1_path(train)
    for r = 4, 40, 6 do
        local B = math.max(1, r * k // 300)
        local run = tm.mslr(train, {B = B, C = 10, T = 10}):wait()
        local m, l = run.model, nearest(path.models, run.model.nnz)
        print(string.format("B = %-3d  mslr %4d features, %4d true, %.4f, %.2f s;  l1logistic %4d, %4d, %.4f",
                            B, m.nnz, found(m, all.truth), retrained(m, train, test), run.seconds, l.nnz,
                            found(l, all.truth), retrained(l, train, test)))
    end
    print(string.format("l1logistic's path of %d points: %.2f s", #path.models, path.seconds))
end

local function genes(file)
    local d = tm.load(file)
    local train, test = d:split{test = 0.5, seed = 1, stratify = true}
    RETRAIN.intercept = true
    local path = l1_path(train, {intercept = true, lambda_min_ratio = 1e-3})
    for _, features in ipairs{1, 2, 4, 8, 16, 32, 64, 100} do
        local line = string.format("%3d features:", features)
        for _, rounds in ipairs{1, 4, 10} do
            local B = math.max(1, features // rounds)
            local m = tm.fgm(train, {B = B, C = 10, features = features, loss = "logistic", master = "apg",
                                     tol = 1e-9, max_iter = 2000}):wait().model
            line = line .. string.format("  B = %-3d %.4f (%d)", B, retrained(m, train, test), m.nnz)
        end
        local l = nearest(path.models, features)
        print(line .. string.format("  l1logistic %.4f (%d)", retrained(l, train, test), l.nnz))
    end
end

local function splits(file)
    local d = tm.load(file)
    local times = quick and 3 or 10
    for _, features in ipairs(quick and {65, 202} or {65, 172, 202, 264, 332, 381}) do
        local sums, wins = {0, 0}, 0
        for seed = 1, times do
            local train, test = d:split{test = 0.3, seed = seed, stratify = true}
            local m = tm.mslr(train, {B = math.max(1, features // 10), C = 10, features = features}):wait().model
            local l = nearest(l1_path(train).models, m.nnz)
            local a, b = retrained(m, train, test), retrained(l, train, test)
            sums[1], sums[2], wins = sums[1] + a, sums[2] + b, wins + (a > b and 1 or 0)
        end
        print(string.format("%3d features: mslr %.4f, l1logistic %.4f, mslr better in %d of %d splits",
                            features, sums[1] / times, sums[2] / times, wins, times))
    end
end

if figure == "scales" then scales()
elseif figure == "wide" then
    if quick then synthetic(1000, 10000, 60, 1000, 2) else synthetic(5000, 100000, 300, 2000, 2) end
elseif figure == "tall" then
    if quick then synthetic(2000, 1000, 60, 1000, 10) else synthetic(20000, 10000, 600, 2000, 10) end
elseif figure == "genes" then genes(arg[2] or "../shared/data/leukemia.svm.xz")
elseif figure == "splits" then splits(assert(arg[2], "splits needs a FILE of two classes"))
else error("one of scales, wide, tall, genes, splits") end
