-- Dense data of any size on disk, and who chooses features of it; for scripts/bench.
--   fgm_size.lua make FOLDER N P K          train.tam (single precision), test.tam (1,024 rows), truth.txt
--   fgm_size.lua fgm FOLDER FEATURES LOSS RESIDENT     at most RESIDENT bytes of the file in memory (0: all)
--   fgm_size.lua l1 FOLDER FEATURES METHOD             the lambda that chooses about as many features
-- The last two print: features, seconds, most kB ever resident, test accuracy, true features,
-- lambda.
local what, folder = arg[1], arg[2]
local function number(i) return math.tointeger(tonumber(arg[i])) end

if what == "make" then
    local n, rows = number(3), 1024
    local all = tm.synth("fgm", {n = n + rows, p = number(4), k = number(5), seed = 1,
                                 storage = "float"})
    local train, test = all:split{test = rows / (n + rows), seed = 1}
    train:save(folder .. "/train.tam")
    test:save(folder .. "/test.tam")
    local out = assert(io.open(folder .. "/truth.txt", "w"))
    local truth = all.truth -- a table made anew each time it is asked for
    for j = 1, all.p do if truth[j] then out:write(j, "\n") end end
    out:close()
    return
end

local train = tm.load(folder .. "/train.tam", {resident = what == "fgm" and number(5) > 0
                                               and number(5) or nil})
local features, model, seconds, lambda = number(3), nil, nil, 0
if what == "fgm" then
    local r = tm.fgm(train, {B = features // 10, features = features, C = 10, loss = arg[4],
                             intercept = false,
                             threads = 2}):wait()
    model, seconds = r.model, r.seconds
else
    local p = tm.path(train, arg[4], {lambdas = 40, lambda_min_ratio = 0.02,
                                      max_features = 11 * features // 10,
                                      intercept = false, tol = 1e-3, threads = 2}):wait()
    local best
    for i, m in ipairs(p.models) do
        if not best or math.abs(m.nnz - features) < math.abs(p.models[best].nnz - features) then best = i end
    end
    model, lambda = p.models[best], p.table[best].lambda
    seconds = tm[arg[4]](train, {lambda = lambda, intercept = false, tol = 1e-3,
                                 threads = 2}):wait().seconds
end

local peak = dofile("tests/bench/peak.lua")()
local truth, hits = {}, 0
for line in io.lines(folder .. "/truth.txt") do truth[math.tointeger(tonumber(line))] = true end
for _, j in ipairs(model.support) do hits = hits + (truth[j] and 1 or 0) end
print(string.format("%d %.4f %s %.4f %d %.17g", model.nnz, seconds, peak,
                    model:score(tm.load(folder .. "/test.tam"), "accuracy"), hits, lambda))
