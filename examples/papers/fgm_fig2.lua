-- FGM (Tan, Tsang and Wang, JMLR 2014), figure 2: accuracy and true features found against the number
-- of features, for fgm with both losses, the l1 methods, and all of them retrained on what they chose.
--
--   tamis run examples/papers/fgm_fig2.lua              the paper's size, 4,096 x 4,096, 300 true features
--   tamis run examples/papers/fgm_fig2.lua quick        a quarter of it
--   tamis run examples/papers/fgm_fig2.lua full OUT.csv the lines as a file
local quick = arg[1] == "quick"
local n = quick and 1024 or 4096
local truths = quick and 75 or 300
local all = tm.synth("fgm", {n = 2 * n, p = n, k = truths, seed = 1})
local train, test = all:split{test = 0.5, seed = 1}
local truth = all.truth
local out = arg[2] and assert(io.open(arg[2], "w"))

local function found(model)
    local hits = 0
    for _, j in ipairs(model.support) do
        if truth[j] then hits = hits + 1 end
    end
    return hits
end

local function show(name, model, debiased, seconds)
    local line = {name, model.nnz, found(model), model:score(test, "accuracy"),
                  debiased:score(test, "accuracy"), seconds}
    print(string.format("%-14s %5d features  %4d true  accuracy %.4f  retrained %.4f  %7.2f s",
                        table.unpack(line)))
    if out then out:write(table.concat(line, ","), "\n") end
end

if out then out:write("method,features,true,accuracy,retrained,seconds\n") end
print(string.format("%d x %d, %d true features", n, n, truths))

-- FGM: C = 10, T = 10 rounds (its section 8.4.3 finds 5 to 20 enough), B from 2 to 60.
local Bs = quick and {2, 4, 8, 16} or {4, 8, 12, 16, 20, 30, 40, 60}
for _, loss in ipairs{"squared_hinge", "logistic"} do
    for _, master in ipairs{"apg", "support"} do
        for _, B in ipairs(Bs) do
            local r = tm.fgm(train, {B = B, C = 10, T = 10, loss = loss, master = master,
                                     intercept = false}):wait()
            local again = r.model:debias{data = train, C = 20, loss = "squared_hinge", intercept = false}
            show((loss == "logistic" and "fgm-log-" or "fgm-") .. master, r.model, again, r.seconds)
        end
    end
end

-- The l1 methods along a path: the points nearest to the same numbers of features.
for _, method in ipairs{"l1svm", "l1logistic"} do
    local p = tm.path(train, method, {lambdas = 40, lambda_min_ratio = 0.05, intercept = false,
                                      tol = 1e-4}):wait()
    local last = -1
    for _, m in ipairs(p.models) do
        if m.nnz > 0 and m.nnz <= 2 * truths and m.nnz >= last + truths / 8 then
            last = m.nnz
            show(method, m, m:debias{data = train, C = 20, loss = "squared_hinge", intercept = false},
                 p.seconds)
        end
    end
end

-- All features.
for _, method in ipairs{"svm_l2", "logistic"} do
    local r = tm[method](train, {C = 10, intercept = false, tol = 1e-4}):wait()
    show(method, r.model, r.model, r.seconds)
end
if out then out:close() end
