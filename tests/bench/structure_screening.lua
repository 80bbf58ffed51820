-- Paths of 50 lambdas of genlasso from a file and its graph, without screening and with.
-- usage: structure_screening.lua DATA GRAPH LOSS L1_RATIO FIRST REPEATS SCREEN... (FIRST: the first
-- lambda, 0: lambda_max; the last of 3.2 and 3.3 is a third of it, that of 3.4 a half).
-- Prints "SCREEN SECONDS PASSES REJECTION PRIMAL GAP" of each run: CPU seconds of the process, the
-- mean share of the features that are proven equal or zero, the greatest relative difference of
-- the primal from the first screen's, and the greatest gap.
local path, graph, loss, ratio, first, repeats = table.unpack(arg, 1, 6)
local data = tm.load(path)
local options = {graph = graph, loss = loss, l1_ratio = tonumber(ratio), tol = 1e-8,
    intercept = false}
first = tonumber(first)
local least = first > 0 and 1 / 2 or 1 / 3
if first == 0 then
    options.lambda_ratio = 1
    first = tm.genlasso(data, options):wait().lambda
    options.lambda_ratio = nil
end
options.lambda = {}
for k = 0, 49 do options.lambda[k + 1] = first * (1 - (1 - least) * k / 49) end

local plain
for _ = 1, tonumber(repeats) do
    for k = 7, #arg do
        options.screen = arg[k]
        local began = os.clock()
        local run = tm.path(data, "genlasso", options):wait()
        local seconds, columns, rejection, differs, gap = os.clock() - began, 0, 0, 0, 0
        plain = plain or run
        for i, row in ipairs(run.table) do
            columns = columns + row.columns
            rejection = rejection + (row.screened or 0) / data.p / #run.table
            differs = math.max(differs, math.abs(row.primal / plain.table[i].primal - 1))
            gap = math.max(gap, row.gap)
        end
        print(arg[k], seconds, columns / data.p, rejection, differs, gap)
    end
end
