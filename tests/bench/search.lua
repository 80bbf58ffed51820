-- Searches at equal counted work: argument 1 a data set, 2 the class against the rest, or nothing,
-- 3 how many seeds, 4 how many configurations random search draws. Prints for each search its work
-- (products with columns and updates of coordinates, of all rows; the median over the seeds), the
-- median of its best score, the median of what random draws had found when they had cost as much,
-- and on how many seeds it is better and worse than that. The folds are the same for all seeds. For
-- scripts/bench search.
local file, class, seeds, drawn = arg[1], arg[2], tonumber(arg[3]), tonumber(arg[4])
local space = {lambda_ratio={min=1e-4, max=1, log=true}, alpha={min=0.05, max=1},
               scale={"none", "standard", "maxabs"}, filter={"none", "t", "auc"},
               keep={min=3, max=1000, log=true, integer=true}}
local method, metric, greater = "l1logistic", "logloss", false
local d = tm.load(file)
if class ~= "" then d = d:one_vs_rest(class) end
if d.n > 600 then d = d:thin(600 / d.n) end
local folds = d:folds{k=5, seed=1}

local function common(seed, n)
    local c = {data=d, method=method, metric=metric, folds=folds, seed=seed, tol=1e-4, random={n=n}}
    for k, v in pairs(space) do c.random[k] = v end
    return c
end

-- Of each configuration what it cost and how it scored, in the order of the draws.
local function trial(s)
    local rows = s.table
    local list = {}
    for c, row in ipairs(rows) do list[c] = {cost=0, score=row[metric]} end
    for _, cell in ipairs(s.cells) do
        list[cell.config].cost = list[cell.config].cost + cell.columns + cell.updates
    end
    return list
end

-- Products with columns and updates, each as dear as it has rows.
local function work_of(r)
    local work = 0
    for _, round in ipairs(r.rounds) do
        work = work + (round.columns + round.updates) * (round.rows or 1)
    end
    return work
end

local function better(a, b) return greater and a > b or not greater and a < b end

-- The best score of the draws that cost no more than `work` together.
local function after(list, work)
    local best
    for _, one in ipairs(list) do
        work = work - one.cost
        if work < 0 and best then break end
        if not best or better(one.score, best) then best = one.score end
    end
    return best
end

local function median(list)
    table.sort(list)
    return list[(#list + 1) // 2]
end

local searches = {
    {"halving along tol", function(c) c.tol = nil c.halving = {tol={0.1, 0.01, 1e-4}} end},
    {"halving along rows", function(c) c.halving = {rows={0.25, 0.5, 1}} end},
    {"TPE", function(c) c.tpe = true c.random.n = drawn // 2 end},
}
local found = {}
for seed = 1, seeds do
    local list = trial(tm.sweep(common(seed, 2 * drawn)):wait())
    for k, search in ipairs(searches) do
        local c = common(seed, drawn)
        search[2](c)
        local r = tm.search(c)
        local at = found[k] or {work={}, ours={}, random={}, better=0, worse=0}
        local ours, random = r.best[metric], after(list, work_of(r))
        table.insert(at.work, work_of(r))
        table.insert(at.ours, ours)
        table.insert(at.random, random)
        at.better = at.better + (better(ours, random) and 1 or 0)
        at.worse = at.worse + (better(random, ours) and 1 or 0)
        found[k] = at
    end
end
for k, search in ipairs(searches) do
    local at = found[k]
    print(table.concat({search[1], metric, string.format("%.0f", median(at.work)),
                        string.format("%.4f", median(at.ours)),
                        string.format("%.4f", median(at.random)), at.better, at.worse}, "\t"))
end
