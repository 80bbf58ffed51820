-- Fixed small problems for each family of tuning constants: arguments family, problem (or "all"),
-- "data" (only make the data). One line a problem: name columns updates status. For scripts/bench.
local problems = {}

local function problem(family, name, data, method, options)
    problems[#problems + 1] = {family = family, name = name, data = data, method = method,
                               options = options}
end

local function synth(name, n, p, k)
    return function() return tm.synth(name, {n = n, p = p, k = k, seed = 3}) end
end

-- Sparse counts like those of texts: each row has `nonzeros` features, small numbers more often,
-- and its class comes from those below 40.
local function texts(n, p, nonzeros)
    return function()
        local name, state = os.tmpname(), 1
        local out = assert(io.open(name, "w"))
        local function draw() -- a generator of its own: the same numbers everywhere
            state = state * 48271 % 2147483647
            return state / 2147483647
        end
        for _ = 1, n do
            local seen, list, sum = {}, {}, 0
            for _ = 1, nonzeros do
                local j = 1 + math.floor(p * draw() ^ 3)
                if not seen[j] then
                    seen[j], list[#list + 1] = true, j
                    if j <= 40 then sum = sum + (j % 2 == 0 and 1 or -1) end
                end
            end
            table.sort(list)
            out:write(sum + draw() - 0.5 > 0 and "+1" or "-1")
            for _, j in ipairs(list) do out:write(" ", j, ":", math.ceil(3 * draw())) end
            out:write("\n")
        end
        out:close()
        local data = tm.load(name, {format = "libsvm", columns = p})
        os.remove(name)
        return data
    end
end

local function file(name) return function() return tm.load("examples/data/" .. name) end end

-- `solve/l1/core` and `solve/gram`: the shapes on which `auto` takes each of its ways, then each of
-- the other strategies.
local wide, tall, even = synth("saif", 100, 2000, 20), synth("saif", 600, 100, 30),
                         synth("saif", 300, 600, 100)
local classes, many = synth("fgm", 200, 1000, 30), synth("fgm", 600, 500, 100)
local function digits() return file("digits.svm.xz")():one_vs_rest("3") end
local path = {lambdas = 20, lambda_min_ratio = 0.01}
problem("l1", "lasso_one", wide, "lasso", {lambda_ratio = 0.05})
problem("l1", "lasso_far", even, "lasso", {lambda_ratio = 0.002})
problem("l1", "lasso_path", wide, "lasso", path)
problem("l1", "lasso_wider", synth("saif", 200, 20000, 50), "lasso",
        {lambdas = 100, lambda_min_ratio = 0.01})
problem("l1", "lasso_wider_loose", synth("saif", 200, 20000, 50), "lasso",
        {lambdas = 100, lambda_min_ratio = 0.01, tol = 1e-6})
problem("l1", "lasso_sparse", texts(800, 8000, 60), "lasso",
        {lambdas = 10, lambda_min_ratio = 0.05})
problem("l1", "lasso_tall", tall, "lasso", path)
problem("l1", "lasso_ridge", even, "lasso", {lambda_ratio = 0.01, alpha = 0.9, positive = true})
problem("l1", "lasso_exact", even, "lasso", {lambda_ratio = 0.01, tol = 1e-13})
for _, method in ipairs {"l1logistic", "l1svm"} do
    local short = method:sub(3)
    problem("l1", short .. "_one", classes, method, {lambda_ratio = 0.05})
    problem("l1", short .. "_far", many, method, {lambda_ratio = 0.01})
    problem("l1", short .. "_path", classes, method, {lambdas = 8, lambda_min_ratio = 0.02})
    problem("l1", short .. "_digits", digits, method, {lambda_ratio = 0.01})
    problem("l1", short .. "_exact", many, method, {lambda_ratio = 0.1, tol = 1e-13})
end
for _, screen in ipairs {"none", "strong", "homotopy", "dpp", "gap", "blitz", "ws", "hessian",
                         "saif"} do
    problem("l1", "lasso_" .. screen, synth("saif", 60, 600, 10), "lasso",
            {lambdas = 6, lambda_min_ratio = 0.1, screen = screen})
    if screen ~= "dpp" then
        problem("l1", "logistic_" .. screen, synth("fgm", 80, 200, 20), "l1logistic",
                {lambdas = 4, lambda_min_ratio = 0.1, screen = screen})
    end
end
problem("l1", "lasso_shrink", wide, "lasso", {lambda_ratio = 0.1, screen = "none", shrink = true})
problem("l1", "svm_shrink", classes, "l1svm", {lambda_ratio = 0.1, screen = "none", shrink = true})
local golub, counts, large = file("golub.svm.xz"), texts(800, 3000, 30),
                             synth("fgm", 800, 1600, 150)
problem("l1", "lasso_genes", golub, "lasso", {lambdas = 30, lambda_min_ratio = 0.001})
problem("l1", "lasso_genes_low", golub, "lasso", {lambda_ratio = 0.001})
problem("l1", "lasso_many", synth("saif", 300, 2500, 200), "lasso", {lambda_ratio = 0.005})
problem("l1", "lasso_many_path", synth("saif", 300, 1000, 200), "lasso", path)
problem("l1", "lasso_texts", counts, "lasso", {lambdas = 10, lambda_min_ratio = 0.01})
for _, method in ipairs {"l1logistic", "l1svm"} do
    local short = method:sub(3)
    problem("l1", short .. "_genes", golub, method, {lambda_ratio = 0.01})
    problem("l1", short .. "_texts", counts, method, {lambda_ratio = 0.02})
    problem("l1", short .. "_texts_low", counts, method, {lambda_ratio = 0.002})
    problem("l1", short .. "_texts_path", counts, method, {lambdas = 6, lambda_min_ratio = 0.005})
    problem("l1", short .. "_large", large, method, {lambda_ratio = 0.05})
    problem("l1", short .. "_bare", classes, method, {lambda_ratio = 0.01, intercept = false})
end
for _, screen in ipairs {"blitz", "ws", "hessian", "saif", "strong"} do
    for _, ratio in ipairs {0.2, 0.01} do
        problem("l1", ("lasso_%s_%g"):format(screen, ratio), synth("saif", 100, 1000), "lasso",
                {lambda_ratio = ratio, screen = screen, tol = 1e-6})
        problem("l1", ("svm_%s_%g"):format(screen, ratio), synth("fgm", 200, 200, 50), "l1svm",
                {lambda_ratio = ratio, screen = screen, tol = 1e-6})
        problem("l1", ("logistic_%s_%g"):format(screen, ratio), synth("fgm", 50, 1000, 50),
                "l1logistic", {lambda_ratio = ratio, screen = screen, tol = 1e-6})
    end
end
problem("l1", "sdca", synth("fgm", 200, 40, 10), "sdca",
        {lambda_ratio = 0.1, alpha = 0.7, intercept = false})

for _, loss in ipairs {"squared", "logistic", "squared_hinge"} do
    local data = loss == "squared" and synth("saif", 80, 600, 20) or synth("fgm_group", 120, 400, 5)
    local cells = file("breast_cancer.csv")
    problem("group", loss .. "_one", data, "grouplasso",
            {loss = loss, groups = "10", lambda_ratio = 0.1})
    problem("group", loss .. "_path", data, "grouplasso",
            {loss = loss, groups = "20", lambdas = 6, lambda_min_ratio = 0.05})
    problem("group", loss .. "_cells", cells, "grouplasso",
            {loss = loss, groups = "5", lambda_ratio = 0.02, standardize = true})
    problem("group", loss .. "_large", data, "grouplasso",
            {loss = loss, groups = "100", lambda_ratio = 0.2})
    problem("group", loss .. "_exact", data, "grouplasso",
            {loss = loss, groups = "10", lambda_ratio = 0.2, tol = 1e-12})
end
-- Groups that share columns, of lengths from 0.06 to 13,600.
local shared = {}
for first = 1, 27, 2 do shared[#shared + 1] = first .. "-" .. first + 3 end
for _, loss in ipairs {"squared", "logistic"} do
    problem("group", loss .. "_shared", file("breast_cancer.csv"), "grouplasso",
            {loss = loss, groups = "[" .. table.concat(shared, "; ") .. "]", lambda_ratio = 0.0001,
             tol = 1e-9})
end
-- Sets that the strong rule begins: blocks alike, as of genes, and independent ones.
for name, data in pairs {genes = golub, independent = synth("saif", 200, 2000, 40)} do
    for _, loss in ipairs {"squared", "logistic"} do
        if loss == "squared" or name == "genes" then
            problem("group", name .. "_" .. loss .. "_path", data, "grouplasso",
                    {loss = loss, groups = "10", lambdas = 20, lambda_min_ratio = 0.1})
        end
    end
end
for _, loss in ipairs {"hinge", "logistic"} do
    problem("group", "ufomkl_" .. loss, synth("fgm", 200, 400, 40), "ufomkl",
            {loss = loss, lambda_ratio = 0.2, tol = 1e-2})
end

for _, method in ipairs {"ridge", "logistic", "svm_l2"} do
    problem("ridge", method, synth("fgm", 200, 400, 40), method, {C = 1})
    problem("ridge", method .. "_tall", synth("fgm", 1500, 30, 10), method, {C = 10})
end
problem("ridge", "rows_few", synth("fgm", 600, 800, 40), "svm_l2", {C = 1})
problem("ridge", "rows_many", synth("fgm", 1300, 1500, 40), "ridge", {C = 1})
problem("ridge", "rfe", synth("fgm", 100, 200, 20), "rfe", {C = 1, features = {5, 20}})
problem("ridge", "gomp", synth("fgm", 100, 200, 20), "gomp", {C = 1, features = {5, 10}})

for _, loss in ipairs {"squared_hinge", "logistic"} do
    problem("fgm", loss, synth("fgm", 200, 1000, 30), "fgm", {loss = loss, B = 10, C = 10, T = 6})
    problem("fgm", loss .. "_close", synth("fgm", 150, 300, 20), "fgm",
            {loss = loss, B = 5, C = 1, tol = 1e-5})
    for _, master in ipairs {"apg", "simplemkl"} do
        problem("fgm", loss .. "_" .. master, synth("fgm", 120, 300, 20), "fgm",
                {loss = loss, B = 5, C = 1, T = 4, master = master})
    end
end
problem("fgm", "scd", synth("mslr", 120, 300, 20), "fgm",
        {loss = "logistic", B = 5, C = 1, T = 4, master = "scd", intercept = false})
problem("fgm", "mslr", synth("mslr", 150, 300, 20), "mslr", {B = 5, C = 10, T = 5})

for _, measure in ipairs {"hamming", "f1", "prec@10", "prbep", "rocarea"} do
    local data = synth("fgm", 150, 100, 10)
    local short = {measure = measure, C = 10, tol = 1e-3}
    problem("multi", "svmperf_" .. measure, data, "svmperf", short)
    problem("multi", "fsmulti_" .. measure, data, "fsmulti",
            {measure = measure, C = 10, B = 5, tol = 1e-3})
    problem("multi", "bmrm_" .. measure, data, "bmrm", short)
end

problem("structure", "edges", function() return tm.synth("gfl", {n = 60, p = 200, seed = 3}) end,
        "genlasso", {lambda_ratio = 0.1})
problem("structure", "edges_path",
        function() return tm.synth("gfl", {n = 60, p = 200, edges = 190, seed = 3}) end,
        "genlasso", {lambdas = 6, lambda_min_ratio = 0.02})
for _, screen in ipairs {"bounds", "transform"} do
    problem("structure", "edges_" .. screen,
            function() return tm.synth("gfl", {n = 60, p = 200, seed = 3}) end, "genlasso",
            {lambdas = 6, lambda_min_ratio = 0.2, screen = screen})
end
for _, graph in ipairs {"chain", "grid:20x10", "trend:2"} do
    local name = graph:match("%a+")
    problem("structure", name, synth("saif", 100, 200, 20), "genlasso",
            {graph = graph, lambdas = 4, lambda_min_ratio = 0.05})
    problem("structure", name .. "_classes", synth("fgm", 100, 200, 20), "genlasso",
            {graph = graph, loss = "logistic", lambdas = 3, lambda_min_ratio = 0.1,
             l1_ratio = 0.1})
end
problem("structure", "edges_classes",
        function() return tm.synth("gfl", {n = 80, p = 100, classes = true, seed = 3}) end,
        "genlasso", {lambda_ratio = 0.1, loss = "logistic"})

-- Columns far from 1, which are scaled by a power of two unless NEAR_ONE lets them be.
for name, size in pairs {large = 1e9, small = 1e-9} do
    problem("structure", "far_" .. name, function()
        local x, y, state = {}, {}, 1
        for i = 1, 60 do
            x[i] = {}
            for j = 1, 40 do
                state = state * 48271 % 2147483647
                x[i][j] = size * (state / 2147483647 - 0.5)
            end
            y[i] = (x[i][3] + x[i][4] - x[i][20]) / size > 0 and 1 or -1
        end
        return tm.dataset{x = x, y = y, name = "far"}
    end, "genlasso", {graph = "chain", loss = "logistic", lambda_ratio = 0.05})
end

for _, kernel in ipairs {"linear", "rbf"} do
    local data = synth("fgm", 200, 20, 10)
    for _, screen in ipairs {"none", "gap", "saiv"} do
        problem("samples", kernel .. "_" .. screen, data, "svm",
                {kernel = kernel, C = 1, screen = screen})
    end
    problem("samples", kernel .. "_exact", data, "svm", {kernel = kernel, C = 10, tol = 1e-12})
end

-- Kernels of single features: sets that begin with all features or grow, graphs, and both solvers.
local kernels = synth("fgm", 60, 300, 10)
problem("kernel", "chain", kernels, "kernelfs", {lambdas = 4, lambda_min_ratio = 0.1})
problem("kernel", "exact", kernels, "kernelfs", {lambda_ratio = 0.1, tol = 1e-11})
problem("kernel", "loose", kernels, "kernelfs", {lambda_ratio = 0.1, tol = 1e-3})
problem("kernel", "smooth", kernels, "kernelfs", {lambda_ratio = 0.1, lambda2_ratio = 1000})
problem("kernel", "rough", kernels, "kernelfs", {lambda_ratio = 0.1, lambda2 = 0})
problem("kernel", "grid", synth("fgm", 50, 400, 10), "kernelfs",
        {graph = "grid:20x20", lambda_ratio = 0.1})
problem("kernel", "wide", synth("fgm", 40, 3000, 10), "kernelfs",
        {lambdas = 3, lambda_min_ratio = 0.05})
problem("kernel", "genes", golub, "kernelfs", {lambda_ratio = 0.3})
problem("kernel", "averaging", synth("fgm", 50, 100, 10), "kernelfs",
        {solver = "dual_averaging", lambda_ratio = 0.3, tol = 0.1})

-- Coefficients without a penalty, and the normal equations of tall data.
local free = {}
for j = 1, 300 do free[j] = j <= 20 and 0 or 1 end
problem("free", "lasso", synth("saif", 200, 300, 20), "lasso",
        {lambda_ratio = 0.1, factors = free})
problem("free", "logistic", synth("fgm", 200, 300, 20), "l1logistic",
        {lambda_ratio = 0.1, factors = free})
problem("free", "svm", synth("fgm", 200, 300, 20), "l1svm", {lambda_ratio = 0.1, factors = free})
problem("free", "svm_limits", synth("fgm", 200, 300, 20), "l1svm",
        {lambda_ratio = 0.1, factors = free, positive = true})
problem("free", "lasso_limits", synth("saif", 200, 300, 20), "lasso",
        {lambda_ratio = 0.1, factors = free, positive = true})
problem("tall", "lasso", synth("saif", 8000, 60, 20), "lasso",
        {lambdas = 30, lambda_min_ratio = 0.001})
problem("tall", "logistic", synth("fgm", 5000, 60, 20), "l1logistic", path)

for _, it in ipairs(problems) do
    if it.family == arg[1] and (arg[2] == "all" or arg[2] == it.name) then
        local data = it.data()
        if arg[3] == "data" then return end
        local options = {tol = 1e-7}
        for key, value in pairs(it.options) do options[key] = value end
        local r = tm[it.method](data, options):wait()
        local columns, updates = r.columns, r.updates
        for i, point in ipairs(r.table or {}) do
            columns = (i == 1 and 0 or columns) + point.columns
            updates = (i == 1 and 0 or updates) + point.updates
        end
        print(it.name, columns, updates, r.status)
    end
end
