-- A path of genlasso from a file and its graph: the CPU seconds of the process while it solves, and
-- (the median of five times), and the primal and gap at each lambda.
-- usage: structure.lua DATA GRAPH LOSS L1_RATIO TOL LAMBDAS SCREEN...
local path, graph, loss, ratio, tol, list = table.unpack(arg, 1, 6)
local data = tm.load(path)
local lambdas = {}
for word in list:gmatch("[^,]+") do lambdas[#lambdas + 1] = tonumber(word) end
local function solve(screen)
    local began = os.clock()
    local run = tm.path(data, "genlasso", {graph = graph, loss = loss, l1_ratio = tonumber(ratio),
        tol = tonumber(tol), lambda = lambdas, screen = screen, intercept = false}):wait()
    return run, os.clock() - began
end
-- What is done once, and a processor that is only waking up, would be the cost of the first screen:
-- the screens take turns, after a round that does not count.
local runs, seconds = {}, {}
for round = 0, 5 do
    for k = 7, #arg do
        local run, spent = solve(arg[k])
        runs[k], seconds[k] = run, seconds[k] or {}
        if round > 0 then table.insert(seconds[k], spent) end
    end
end
for k = 7, #arg do
    table.sort(seconds[k])
    for _, row in ipairs(runs[k].table) do
        print(arg[k], seconds[k][3], row.lambda, row.primal, row.gap, row.columns)
    end
end
