-- A path of genlasso from a file and its graph: the CPU seconds of the process while it solves, and
-- the primal and gap at each lambda.
-- usage: structure.lua DATA GRAPH LOSS L1_RATIO TOL LAMBDAS SCREEN...
local path, graph, loss, ratio, tol, list = table.unpack(arg, 1, 6)
local data = tm.load(path)
local lambdas = {}
for word in list:gmatch("[^,]+") do lambdas[#lambdas + 1] = tonumber(word) end
for k = 7, #arg do
    local began = os.clock()
    local run = tm.path(data, "genlasso", {graph = graph, loss = loss, l1_ratio = tonumber(ratio),
        tol = tonumber(tol), lambda = lambdas, screen = arg[k], intercept = false}):wait()
    local seconds = os.clock() - began
    for _, row in ipairs(run.table) do
        print(arg[k], seconds, row.lambda, row.primal, row.gap, row.columns)
    end
end
