-- Compares screening strategies for the lasso on a real data set.
--
--     tamis run examples/compare.lua [DATA]
--
-- Without DATA it takes the Golub leukemia data beside this script. It solves one problem with each
-- strategy, then a whole path, and draws how the duality gap closes, how many features each
-- strategy works on, what it rejects, and how accuracy grows with the number of features.

local strategies = {"none", "gap", "saif", "auto"}
local lambda_ratio, tol, lambdas = 0.05, 1e-8, 40

local here = arg[0]:match("^(.*)/[^/]*$") or "."
local data = tm.load(arg[1] or here .. "/data/golub.svm.xz")
local train, test = data:split{test = 0.3, seed = 1, stratify = data.binary}
print(data)
print(string.format("%d rows to train on, %d to test on\n", train.n, test.n))

-- One lambda. The strategies run one after the other, so that their times can be compared.
local single = {}
for i, screen in ipairs(strategies) do
    single[i] = tm.lasso(train, {lambda_ratio = lambda_ratio, tol = tol, screen = screen,
                                 test = test, name = screen}):wait()
end

-- A path of lambdas, each started from the answer before it.
local paths = {}
for i, screen in ipairs(strategies) do
    paths[i] = tm.path(train, "lasso", {lambdas = lambdas, screen = screen, test = test,
                                        name = screen}):wait()
end

for _, runs in ipairs{single, paths} do
    for _, run in ipairs(runs) do
        if run.error then error(run.name .. ": " .. run.error) end
    end
end

tm.plot{runs = single, x = "time", y = "gap", xlog = true, title = "duality gap"}:show()
tm.plot{runs = single, x = "time", y = "active", xlog = true, title = "active set"}:show()
tm.plot{runs = paths, x = "lambda", y = "rejection", title = "rejection by lambda"}:show()
tm.plot{runs = paths, x = "nnz", y = "test_score",
        title = (data.binary and "test accuracy" or "test r2") .. " by features"}:show()

local function rows_of(runs)
    local rows = {}
    for i, run in ipairs(runs) do
        rows[i] = {screen = run.name, status = run.status, seconds = run.seconds,
                   columns = run.columns, passes = run.passes, updates = run.updates,
                   gap = run.worst_gap, nnz = run.nnz}
    end
    return rows
end
local columns = {"screen", "status", "seconds", "columns", "passes", "updates", "gap", "nnz"}
print(string.format("\none lambda, %g x lambda_max, tol %g", lambda_ratio, tol))
print(tm.table(rows_of(single), columns))
print(string.format("\na path of %d lambdas (the gap is the greatest)", lambdas))
print(tm.table(rows_of(paths), columns))

-- The conclusion follows from the numbers: which strategy needed the fewest passes, and whether
-- all agree.
local function cheapest(runs)
    local best = runs[1]
    for _, run in ipairs(runs) do
        if run.columns < best.columns then best = run end
    end
    return best
end
local base, best, along = single[1], cheapest(single), cheapest(paths)
local function support(run) return table.concat(run.model.support, " ") end
local same, certified = true, true
for _, run in ipairs(single) do
    same = same and support(run) == support(base)
    certified = certified and run.status == "converged"
end
local cost = best == base and "no strategy needs fewer column products than " .. base.name
    or string.format("%s needs %.1f %% of the column products of %s", best.name,
                     100 * best.columns / base.columns, base.name)
print(string.format("\nFor one lambda %s, along the path %s needs the fewest "
    .. "(%.1f passes a lambda); %s; %s.", cost,
    along.name, along.passes / lambdas,
    same and string.format("all choose the same %d of %d features", base.nnz, data.p)
         or "the strategies choose different features",
    certified and "every gap is certified within the tolerance"
              or "not every gap reached the tolerance"))
