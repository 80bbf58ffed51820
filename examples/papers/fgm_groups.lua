-- FGM (Tan, Tsang and Wang, JMLR 2014), figure 15 in kind: groups of ten features, accuracy, true groups and time
-- against the number of groups chosen, for fgm and for the group lasso with its three solvers; logistic loss.
--
--   tamis run examples/papers/fgm_groups.lua           2,048 x 20,000 in 2,000 groups, 50 of them true
--   tamis run examples/papers/fgm_groups.lua quick     a quarter of it
--   tamis run examples/papers/fgm_groups.lua full      the paper's 4,096 x 400,000, drawn anew when needed
local size = arg[1] or ""
local n, p, k = 2048, 20000, 50
if size == "quick" then n, p, k = 1024, 5000, 20 end
if size == "full" then n, p, k = 4096, 400000, 100 end
local rows = n // 2
local all = tm.synth("fgm_group", {n = n + rows, p = p, k = k, seed = 1})
local train, test = all:split{test = rows / (n + rows), seed = 1}
local truth = all.truth

local function groups_of(model)
    local chosen, hits, count = {}, 0, 0
    for _, j in ipairs(model.support) do
        local g = (j - 1) // 10
        if not chosen[g] then
            chosen[g], count = true, count + 1
            for f = g * 10 + 1, g * 10 + 10 do
                if truth[f] then hits = hits + 1 break end
            end
        end
    end
    return count, hits
end

local function show(name, model, seconds)
    local count, hits = groups_of(model)
    print(string.format("%-24s %4d groups, %3d true, accuracy %.4f, %8.2f s", name, count, hits,
                        model:score(test, "accuracy"), seconds))
end

print(string.format("%d x %d, %d true groups", n, p, k))
for _, B in ipairs{2, 5, 8, 10} do
    for _, C in ipairs{0.1, 1, 10} do
        local r = tm.fgm(train, {source = "groups", groups = 10, B = B, C = C, loss = "logistic", intercept = false,
                                 change = 0.001, features = 2 * k}):wait()
        show(string.format("fgm B=%d C=%g", B, C), r.model, r.seconds)
    end
end
for _, solver in ipairs(size == "full" and {"active"} or {"active", "bcd", "fista"}) do
    for _, ratio in ipairs{0.6, 0.4, 0.3} do
        local r = tm.grouplasso(train, {groups = 10, loss = "logistic", intercept = false, solver = solver,
                                        lambda_ratio = ratio, tol = 1e-4, max_seconds = 300}):wait()
        show(string.format("grouplasso %s %g", solver, ratio), r.model, r.seconds)
    end
end
