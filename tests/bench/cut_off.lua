-- A sweep that is cut off at random moments, for scripts/bench: what it prints is the table in all
-- digits. Arguments: the kind of its tasks, the tolerance, how often the script itself cancels it
-- before it lets it end, the seconds after which, on average, and the seed of these moments.
local kind, tol, cancels, mean, seed = arg[1], tonumber(arg[2]), tonumber(arg[3]),
                                       tonumber(arg[4]), tonumber(arg[5])
math.randomseed(seed)

local function steps(count, from, by)
    local values = {}
    for i = 1, count do values[i] = from + by * (i - 1) end
    return values
end

local kinds = {}

-- Each run is a task of its own.
function kinds.runs()
    local d = tm.synth("saif", {n=60, p=300, seed=3})
    local count = tol > 1e-3 and 160 or 600
    return {data=d, method="lasso", grid={lambda_ratio=steps(count, 0.01, 0.99 / count)}, folds=20,
            warm=false, screen="none", metric={"r2", "mse"}}
end

-- Chains along lambda, eight points together, and steps of a path.
function kinds.paths()
    local d = tm.synth("saif", {n=60, p=500, seed=3})
    return {data=d, method={"lasso"}, grid={lambda_ratio=steps(40, 0.01, 0.02), alpha={1, 0.5}},
            folds=20, repeats=2, screen="none", metric={"r2", "mse"}}
end

-- Chains along C, one run after the other, of two methods, on columns chosen in each fold.
function kinds.chains()
    local d = tm.synth("fgm", {n=100, p=500, k=10, seed=1})
    return {data=d, method={"fgm", "l1svm"}, folds=10, nested=3, keep={"predictions", "support"},
            grid={fgm={C={0.1, 1, 10, 100}, B={4}}, l1svm={lambda_ratio={0.5, 0.2, 0.1, 0.05}},
                  filter={"t", "auc"}, scale={"none", "standard"}}, params={keep=200}}
end

-- Functions of the script's own prepare rows and score.
function kinds.functions()
    local d = tm.synth("fgm", {n=100, p=300, k=10, seed=1})
    local function few()
        local columns = {}
        for i = 1, 100 do columns[i] = math.random(300) + 0 end
        table.sort(columns)
        local once, last = {}, 0
        for _, j in ipairs(columns) do
            if j ~= last then once[#once + 1] = j end
            last = j
        end
        return function(rows) return rows:select{columns=once} end
    end
    local function cost(z, y)
        local sum = 0
        for i = 1, #z do sum = sum + math.log(1 + math.exp(-z[i] * y[i])) end
        return sum / #z
    end
    return {data=d, method="l1logistic", folds=10, repeats=4, prepare=few,
            grid={lambda_ratio=steps(8, 0.05, 0.1)},
            metric={"accuracy", cost={cost, greater=false}}}
end

local given = kinds[kind]()
given.tol, given.name = tol, "cut off"
for _ = 1, cancels do
    local s = tm.sweep(given):wait(2 * mean * math.random()):cancel():wait()
    if s.status == "done" then os.exit(3) end
end
local s = tm.sweep(given):wait()
if s.status ~= "done" then os.exit(4) end
for _, c in ipairs(s.cells) do
    local row = {c.config, c.rep, c.outer, c.inner, c.status, c.nnz}
    for _, name in ipairs{"r2", "mse", "accuracy", "cost", "lambda", "primal", "gap"} do
        row[#row + 1] = c[name] and string.format("%.17g", c[name]) or "-"
    end
    print(table.concat(row, " "))
end
if given.keep then
    for config = 1, #s.table do
        for _, kept in ipairs(s:predictions(config)) do
            print(config, kept.split, string.format("%.17g %.17g", kept.values[1], kept.values[2]),
                  #s:supports(config)[kept.split].support)
        end
    end
end
