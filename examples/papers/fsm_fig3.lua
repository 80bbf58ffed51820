-- Figures 3 and 4 of FSM in kind: test accuracy and which features stay selected as B grows.
--
--   tamis run examples/papers/fsm_fig3.lua TRAIN TEST|SHARE [CLASS|-] [C_PER_ROW [OUT]]
--
-- Prints a line for each B: features, accuracy, F1, and how many of the features chosen at the B before are still chosen: fewer than all
-- of them is what makes the choice non-monotonic. Writes OUT_accuracy.svg and OUT_features.svg (fsm).
local test, class, C, out = arg[2], arg[3] or "-", tonumber(arg[4] or 1), arg[5] or "fsm"
local tr, te = tm.load(arg[1]), nil
if tonumber(test) then
    tr, te = tr:split{test = tonumber(test), seed = 1}
else
    te = tm.load(test)
end
if class ~= "-" then
    tr, te = tr:one_vs_rest(class), te:one_vs_rest(class)
end
local budgets = {2, 5, 10, 20, 30, 40, 50, 60}
local counts, accuracy, x, y, place, before = {}, {}, {}, {}, {}, {}
local places = 0
print(string.format("%4s %9s %9s %9s %6s", "B", "features", "accuracy", "F1", "kept"))
for k, B in ipairs(budgets) do
    local run = tm.fsmulti(tr, {measure = "hamming", B = B, C_per_row = C, tol = 1e-3}):wait()
    local kept, chosen = 0, {}
    for _, j in ipairs(run.model.support) do
        if not place[j] then places = places + 1; place[j] = places end
        x[#x + 1], y[#y + 1] = place[j], B
        chosen[j] = true
        if before[j] then kept = kept + 1 end
    end
    local had = 0
    for _ in pairs(before) do had = had + 1 end
    counts[k], accuracy[k] = run.model.nnz, run.model:score(te, "accuracy")
    print(string.format("%4d %9d %9.4f %9.4f %6s", B, run.model.nnz, accuracy[k], run.model:score(te, "f1"),
                        k > 1 and kept .. "/" .. had or ""))
    before = chosen
end
tm.plot{series = {{x = counts, y = accuracy, name = "fsmulti(hamming)"}}, title = "test accuracy by features",
        xlabel = "features", ylabel = "accuracy"}:save(out .. "_accuracy.svg")
tm.plot{series = {{x = x, y = y, name = "selected", points = true}}, title = "which features are selected",
        xlabel = "feature, in the order of its first selection", ylabel = "B"}:save(out .. "_features.svg")
