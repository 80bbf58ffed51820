-- One large structured problem in a process of its own: CPU seconds of the solve, what the whole
-- process held at most, and the certificate.
-- usage: structure_large.lua line|trend|trend_rows|image|grid|graph|tree|tree_saif
local kind = arg[1]

local function identity(count, value)
    local name = os.tmpname()
    local file <close> = io.open(name, "w")
    for j = 1, count do file:write(string.format("%.6g %d:1\n", value(j), j)) end
    file:close()
    local data = tm.load(name, {format = "libsvm"})
    os.remove(name)
    return data
end

local function noise()
    return math.sqrt(-2 * math.log(1 - math.random())) * math.cos(2 * math.pi * math.random())
end

-- A random tree, and more edges between random features.
local function edges(p, more)
    local name = os.tmpname()
    local file <close> = io.open(name, "w")
    for j = 2, p do file:write(j, " ", math.random(1, j - 1), "\n") end
    for _ = 1, more do
        local a, b = math.random(1, p), math.random(1, p)
        if a ~= b then file:write(a, " ", b, "\n") end
    end
    return name
end

local function disc(j)
    local row, column = (j - 1) // 256, (j - 1) % 256
    local inside = (row - 100) ^ 2 + (column - 120) ^ 2 < 3600
    return (inside and 2 or 0) + (row > 180 and 1 or 0) + 0.5 * noise()
end

math.randomseed(7)
local options = {intercept = false, tol = 1e-8}
local data
if kind == "line" then
    data = identity(1000000, function(j) return (j // 100000) % 3 + noise() end)
    options.graph, options.lambda = "chain", 5
elseif kind == "trend" then
    local function wave(j) return math.sin(j / 5000) + (j / 1e5) ^ 2 + 0.3 * noise() end
    data = identity(100000, wave)
    options.graph, options.lambda, options.tol = "trend:1", 1000, 1e-6
elseif kind == "trend_rows" then
    data = tm.synth("saif", {n = 100, p = 20000, seed = 1})
    options.graph, options.lambda_ratio, options.tol = "trend:1", 0.1, 1e-6
elseif kind == "image" then
    data = identity(65536, disc)
    options.graph, options.lambda = "grid:256x256", 1
elseif kind == "grid" then
    data = tm.synth("saif", {n = 200, p = 131072, seed = 1})
    options.graph, options.lambda_ratio = "grid:64x64x32", 0.3
elseif kind == "graph" then
    data = tm.synth("saif", {n = 100, p = 100000, seed = 1})
    options.graph, options.lambda_ratio = edges(100000, 200001), 0.3
else
    data = tm.synth("saif", {n = 100, p = 100000, seed = 1})
    options.graph, options.lambda_ratio = edges(100000, 0), 0.3
    options.screen = kind == "tree_saif" and "saif" or "none"
end
local began = os.clock()
local run = tm.genlasso(data, options):wait()
local seconds = os.clock() - began
local status <close> = io.open("/proc/self/status")
local peak = tonumber(status:read("a"):match("VmHWM:%s*(%d+)"))
print(kind, run.status, seconds, peak / 1024, run.gap, run.primal, run.columns)
if options.graph:sub(1, 1) == "/" then os.remove(options.graph) end
