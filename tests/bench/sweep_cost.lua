-- What sweeps and many runs cost beside the solves: arguments the settings drawn, the runs kept, and
-- a folder for figures. Prints the processor's seconds of a curve through the settings, of its
-- picture and of the table; the kilobytes that a kept run holds, and that it takes of the address
-- space; column products of rfe for ascending and for descending numbers of features.
-- For scripts/bench.
local drawn, runs, folder = tonumber(arg[1]), tonumber(arg[2]), arg[3]

local function clocked(work)
    local began = os.clock()
    local result = work()
    return os.clock() - began, result
end

local tiny = tm.synth("saif", {n=20, p=3, seed=1})
local s = tm.sweep{data=tiny, method="ridge", folds=2, name="drawn",
                   random={n=drawn, C={min=1e-3, max=1e3, log=true},
                           tol={min=1e-6, max=1e-3, log=true}}}:wait()
local curve, c = clocked(function() return s:curve("C", "r2", {xlog=true}) end)
local picture = clocked(function() c:save(folder .. "/drawn.svg") end)
local rows = clocked(function() return s.table end)

local function memory()
    local found = {}
    for line in io.lines("/proc/self/status") do
        local key, value = line:match("^(Vm%a+):%s+(%d+)")
        if key then found[key] = tonumber(value) end
    end
    return found
end
local before, kept = memory(), {}
for i = 1, runs do
    kept[i] = tm.lasso(tiny, {lambda_ratio=0.1})
    if i % 50 == 0 then tm.wait() end
end
tm.wait()
collectgarbage()
local after = memory()

local genes = tm.load("examples/data/golub.svm.xz")
local function products(features)
    local r = tm.rfe(genes, {features=features}):wait()
    return r.columns
end
print(string.format("%.3f %.3f %.3f %.1f %.1f %d %d", curve, picture, rows,
                    (after.VmRSS - before.VmRSS) / runs, (after.VmSize - before.VmSize) / runs,
                    products{5, 10, 20, 50, 100, 200}, products{200, 100, 50, 20, 10, 5}))
