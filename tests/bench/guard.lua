-- The counted work of fixed problems, on one thread: a line each, name columns updates status, where
-- columns are column products and updates coordinate updates of all the points of a path. For
-- scripts/bench guard and its test; arguments: names to run, or none for all.
local folder = "examples/data/"

-- Sparse rows of few entries: their Hessians are not computed. Classes are the sign of a sum.
local function sparse_classes(n, p, a_row)
    math.randomseed(7)
    local path = os.tmpname()
    local file = assert(io.open(path, "w"))
    for _ = 1, n do
        local entries, sum = {}, math.random() - 0.5
        for k = 1, a_row do -- one in each of as many blocks of features
            local j = (k - 1) * (p // a_row) + math.random(p // a_row)
            local value = 2 * math.random() - 1
            entries[k] = string.format("%d:%.17g", j, value)
            sum = sum + (j % 10 == 0 and 3 * value or 0)
        end
        file:write(sum > 0 and "1 " or "-1 ", table.concat(entries, " "), "\n")
    end
    file:close()
    local d = tm.load(path, {format = "libsvm"})
    os.remove(path)
    return d
end

local data = {
    golub = tm.load(folder .. "golub.svm.xz"),
    cancer = tm.load(folder .. "breast_cancer.csv"),
    digits = tm.load(folder .. "digits.svm.xz"):one_vs_rest(3),
    wide = tm.synth("saif", {n = 100, p = 2000, seed = 3}),
    wider = tm.synth("saif", {n = 200, p = 20000, k = 50, seed = 3}),
    dense = tm.synth("saif", {n = 400, p = 4000, k = 100, seed = 4}),
    pairs = tm.synth("fgm", {n = 300, p = 800, seed = 2}),
    tall = tm.synth("saif", {n = 4000, p = 50, seed = 5}),
    tallpairs = tm.synth("fgm", {n = 5000, p = 60, k = 20, seed = 5}),
    sparse = sparse_classes(800, 16000, 60),
}

-- name, method, data, parameters; with `lambdas` a path
local problems = {
    {"path wide auto", "lasso", "wide", {lambdas = 50, lambda_min_ratio = 0.01}},
    {"path wider auto", "lasso", "wider", {lambdas = 100, lambda_min_ratio = 0.01}},
    {"path dense long", "lasso", "dense", {lambdas = 1000, lambda_min_ratio = 0.01}},
    {"single wider auto", "lasso", "wider", {lambda_ratio = 0.1}},
    {"path wide gap", "lasso", "wide", {lambdas = 20, lambda_min_ratio = 0.1, screen = "gap"}},
    {"path tall auto", "lasso", "tall", {lambdas = 100, lambda_min_ratio = 0.001}},
    {"path tall none", "lasso", "tall", {lambdas = 20, lambda_min_ratio = 0.01, screen = "none"}},
    {"path golub auto", "lasso", "golub", {lambdas = 50, lambda_min_ratio = 0.01}},
    {"path sparse auto", "lasso", "sparse", {lambdas = 15, lambda_min_ratio = 0.05, tol = 1e-6}},
    {"single wide none", "lasso", "wide", {lambda_ratio = 0.05, screen = "none"}},
    {"single wide saif", "lasso", "wide", {lambda_ratio = 0.05, screen = "saif"}},
    {"single wide ws", "lasso", "wide", {lambda_ratio = 0.05, screen = "ws"}},
    {"single wide blitz", "lasso", "wide", {lambda_ratio = 0.05, screen = "blitz"}},
    {"single golub hessian", "lasso", "golub", {lambda_ratio = 0.05, screen = "hessian"}},
    {"elastic net", "lasso", "golub", {lambdas = 20, lambda_min_ratio = 0.05, alpha = 0.5}},
    {"positive", "lasso", "wide", {lambdas = 20, lambda_min_ratio = 0.05, positive = true}},
    {"logistic path auto", "l1logistic", "golub", {lambdas = 30, lambda_min_ratio = 0.01}},
    {"logistic path pairs", "l1logistic", "pairs", {lambdas = 20, lambda_min_ratio = 0.05}},
    {"logistic single none", "l1logistic", "golub", {lambda_ratio = 0.1, screen = "none"}},
    {"logistic single saif", "l1logistic", "golub", {lambda_ratio = 0.1, screen = "saif"}},
    {"logistic cancer", "l1logistic", "cancer",
     {lambdas = 20, lambda_min_ratio = 0.01, standardize = true}},
    {"logistic digits", "l1logistic", "digits", {lambdas = 10, lambda_min_ratio = 0.05}},
    {"hinge path auto", "l1svm", "golub", {lambdas = 30, lambda_min_ratio = 0.01}},
    {"hinge single shrink", "l1svm", "golub", {lambda_ratio = 0.1, screen = "shrink"}},
    {"hinge digits", "l1svm", "digits", {lambdas = 10, lambda_min_ratio = 0.05}},
    {"logistic path tall", "l1logistic", "tallpairs", {lambdas = 50, lambda_min_ratio = 0.001}},
    {"hinge path tall", "l1svm", "tallpairs", {lambdas = 50, lambda_min_ratio = 0.001}},
    {"hinge path tall strict", "l1svm", "tallpairs",
     {lambdas = 50, lambda_min_ratio = 0.01, tol = 1e-9}},
    {"hinge path sparse", "l1svm", "sparse", {lambdas = 15, lambda_min_ratio = 0.05, tol = 1e-6}},
    {"logistic path sparse", "l1logistic", "sparse",
     {lambdas = 15, lambda_min_ratio = 0.05, tol = 1e-6}},
    {"groups", "grouplasso", "wide", {groups = "10", lambdas = 10, lambda_min_ratio = 0.1}},
    {"groups logistic", "grouplasso", "pairs",
     {groups = "8", loss = "logistic", lambdas = 8, lambda_min_ratio = 0.1}},
    {"fgm", "fgm", "pairs", {B = 10, C = 1}},
    {"fgm logistic", "fgm", "pairs", {B = 5, C = 1, loss = "logistic"}},
    {"mslr", "mslr", "pairs", {B = 10, C = 1}},
    {"rfe", "rfe", "golub", {C = 1, features = {5, 20}}},
    {"gomp", "gomp", "golub", {C = 1, features = {5, 20}}},
    {"ridge", "ridge", "golub", {C = 1}},
    {"svm_l2", "svm_l2", "digits", {C = 1}},
    {"f1", "fsmulti", "pairs", {B = 5, C = 1, measure = "f1"}},
    {"f1 at a large C", "fsmulti", "pairs", {B = 5, C_per_row = 1, measure = "f1"}},
    {"hinge loss svm", "svm", "digits", {C = 1}},
}

local wanted = {}
for _, name in ipairs(arg) do wanted[name] = true end

for _, problem in ipairs(problems) do
    local name, method, set, options = table.unpack(problem)
    if #arg == 0 or wanted[name] then
        options.threads = 1
        local run = options.lambdas and tm.path(data[set], method, options) or
                    tm[method](data[set], options)
        -- The run's own counts hold what was begun and given up, too, which no point has.
        local r, status = run:wait(), "converged"
        for _, point in ipairs(r.table or {r}) do
            if point.status ~= "converged" then status = point.status end
        end
        print(string.format("%s\t%d\t%d\t%s", name, r.columns, r.updates, status))
    end
end
