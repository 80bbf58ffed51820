-- Lasso paths: arguments file, response file or "-", number of lambdas, least ratio, tol, what to
-- run... A run is named by its strategy, with ":2" for two threads. One lambda is solved by itself,
-- at that ratio. Among what is to be run, weights=FILE and factors=FILE (one number a line) set
-- those of the runs after them, "lambdas" prints the grid itself, one value a line, and "warm" runs
-- auto without a word. One line a run: name nnz seconds updates passes worst_relative_gap status
-- objective, the objective being the last lambda's. For scripts/bench.
local function numbers(file)
    local list = {}
    for line in io.lines(file) do list[#list + 1] = tonumber(line) end
    return list
end

local response = arg[2] ~= "-" and arg[2] or nil
local weights -- a file, or nil
local count, ratio, factors = math.tointeger(tonumber(arg[3])), tonumber(arg[4]), nil

-- Dense data are read for each run: the first one makes them a copy in bytes, which they keep.
local dense, d = arg[1]:match("%.npy$") or arg[1]:match("%.tam$"), nil

local function run(screen, threads)
    if dense or not d then
        d = nil
        collectgarbage()
        d = tm.load(arg[1], {response = response, weights = weights})
    end
    local options = {tol = tonumber(arg[5]), screen = screen, threads = threads, factors = factors}
    if count == 1 then
        options.lambda_ratio = ratio
        return tm.lasso(d, options):wait()
    end
    options.lambdas, options.lambda_min_ratio = count, ratio
    return tm.path(d, "lasso", options):wait()
end

for i = 6, #arg do
    local key, file = arg[i]:match("^(%a+)=(.+)$")
    local screen, threads = arg[i]:match("^(%a+):?(%d*)$")
    if key == "weights" then
        weights, d = file, nil
    elseif key == "factors" then
        factors = numbers(file)
    elseif screen == "warm" then
        run("auto", 1)
    elseif screen == "lambdas" then
        local r = run("auto", 1)
        for _, row in ipairs(r.table or {{lambda = r.lambda}}) do print(string.format("%.17g", row.lambda)) end
    else
        local r = run(screen, math.tointeger(tonumber(threads)) or 1)
        print(string.format("%s %d %.6f %d %.3f %.3e %s %.12g", arg[i], r.nnz, r.seconds, r.updates,
                            r.passes,
                            (count == 1 and r.gap or r.worst_gap) / r.null_objective, r.status,
                            r.primal))
    end
end
