-- CPU seconds of strategies on random problems: arguments first, last (numbers of problems; each is
-- also its seed), strategies... Strategies after the first are stopped after ten times its time.
-- One line a solve: problem method rows features density correlation spread ratio tol screen
-- seconds columns status. For scripts/bench.
local first, last = math.tointeger(tonumber(arg[1])), math.tointeger(tonumber(arg[2]))
local REPEATS = 3

local function pick(list) return list[math.random(#list)] end

local function between(low, high) -- geometric
    return low * (high / low) ^ math.random()
end

local function normal()
    return math.sqrt(-2 * math.log(1 - math.random())) * math.cos(2 * math.pi * math.random())
end

-- Neighbouring features have this correlation; their deviations are spread over a factor. Sparse
-- rows are what is left of the same numbers.
local function features(spec)
    local rows, scale = {}, {}
    for j = 1, spec.p do scale[j] = between(1 / math.sqrt(spec.spread), math.sqrt(spec.spread)) end
    local rest = math.sqrt(1 - spec.correlation ^ 2)
    for i = 1, spec.n do
        local row, last_value = {}, normal()
        for j = 1, spec.p do
            local kept = spec.density == 1 or math.random() < spec.density
            row[j] = kept and scale[j] * last_value or 0
            last_value = spec.correlation * last_value + rest * normal()
        end
        rows[i] = row
    end
    return rows
end

-- A linear response with noise of half its deviation; classes are its sign.
local function response(spec, rows)
    local y, used = {}, {}
    for _ = 1, spec.k do used[math.random(spec.p)] = normal() end
    local sum, squares = 0, 0
    for i, row in ipairs(rows) do
        y[i] = 0
        for j, w in pairs(used) do y[i] = y[i] + w * row[j] end
        sum, squares = sum + y[i], squares + y[i] ^ 2
    end
    local deviation = math.sqrt(squares / #rows - (sum / #rows) ^ 2)
    for i = 1, #rows do y[i] = y[i] - sum / #rows + 0.5 * deviation * normal() end
    if spec.method ~= "lasso" then
        for i = 1, #rows do y[i] = y[i] > 0 and 1 or -1 end
    end
    return y
end

-- Sparse rows are read as text, so that they are kept as such.
local function dataset(spec)
    local rows = features(spec)
    local y = response(spec, rows)
    if spec.density == 1 then return function() return tm.dataset{x = rows, y = y} end end
    local path = os.tmpname()
    local file = assert(io.open(path, "w"))
    for i, row in ipairs(rows) do
        file:write(string.format("%.17g", y[i]))
        for j, value in ipairs(row) do
            if value ~= 0 or (i == 1 and j == spec.p) then
                file:write(string.format(" %d:%.17g", j, value))
            end
        end
        file:write("\n")
    end
    file:close()
    local data = tm.load(path, {format = "libsvm"})
    os.remove(path)
    return function() return data end
end

local function specification()
    local spec = {method = pick{"lasso", "l1logistic", "l1svm"}, density = pick{1, 1, 0.2, 0.02},
                  correlation = pick{0, 0.5, 0.9, 0.99}, spread = pick{1, 1, 100}}
    spec.n = math.floor(between(20, 3000))
    spec.p = math.floor(between(20, math.min(20000, 1.5e6 / spec.n)))
    spec.k = math.floor(between(1, math.min(spec.p, 100)))
    spec.ratio = between(0.005, 0.5)
    spec.tol = pick{1e-4, 1e-6, 1e-8}
    return spec
end

local function solve(make, spec, screen, limit)
    local best, r
    local data = make()
    for i = 1, REPEATS do
        -- Under "auto" the first run makes the data a copy in bytes, which they keep.
        if i > 1 and screen == "auto" then data = make() end
        local start = os.clock()
        r = tm[spec.method](data, {screen = screen, lambda_ratio = spec.ratio, tol = spec.tol,
                                   max_seconds = limit, max_iter = 1000000}):wait()
        local seconds = os.clock() - start
        best = math.min(best or seconds, seconds)
        if seconds > 0.3 then break end
    end
    return best, r.columns, r.status
end

for problem = first, last do
    math.randomseed(problem)
    local spec = specification()
    local make = dataset(spec)
    local limit
    for i = 3, #arg do
        local seconds, columns, status = solve(make, spec, arg[i], limit)
        limit = limit or 10 * seconds + 0.5
        print(problem, spec.method, spec.n, spec.p, spec.density, spec.correlation, spec.spread,
              string.format("%.4f", spec.ratio), spec.tol, arg[i], string.format("%.6f", seconds),
              columns, status)
    end
end
