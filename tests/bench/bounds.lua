-- The bounds that screening finds along a path of genlasso, to be compared with linear programs.
-- usage: bounds.lua DATA GRAPH TOL LAMBDAS LEAST (the last lambda over lambda_max).
-- Prints "time SCREEN SECONDS" (CPU of the whole path, with its screening and solves), "edges A B
-- ...", for each lambda but the first "step LAMBDA BEFORE RADIUS GAP" and the previous answer
-- "w W...", and for each screen "bounds SCREEN B...", by edge.
local path, graph, tol, count, least = table.unpack(arg)
local data = tm.load(path)

local runs, logs, edges = {}, {}, {}
for _, screen in ipairs{"bounds", "transform"} do
    local began = os.clock()
    runs[screen] = tm.path(data, "genlasso", {graph = graph, tol = tonumber(tol), screen = screen,
        lambdas = tonumber(count), lambda_min_ratio = tonumber(least), intercept = false}):wait()
    print("time", screen, os.clock() - began)
    logs[screen] = {}
    local steps = tm.steps(runs[screen])
    for k, item in ipairs(steps.items) do edges[k] = table.concat(item.features, " ") end
    for _, step in ipairs(steps) do
        if step.what:find("^bound propagation") and not logs[screen][step.point] then
            logs[screen][step.point] = step
        end
    end
end

print("edges", table.concat(edges, " "))
local rows = runs.bounds.table
for k = 2, #rows do
    local first, second = logs.bounds[k], logs.transform[k]
    if first and second then
        local w = {}
        for j = 1, data.p do w[j] = string.format("%.17g", runs.bounds.models[k - 1]:weight(j)) end
        print("step", string.format("%.17g", rows[k].lambda),
              string.format("%.17g", rows[k - 1].lambda), first.radius, first.gap)
        print("w", table.concat(w, " "))
        print("bounds", "bounds", table.concat(first.bounds, " "))
        print("bounds", "transform", table.concat(second.bounds, " "))
    end
end
