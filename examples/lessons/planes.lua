-- Cutting planes: two bounds that close
--
-- Feature generation has more groups of features than can be counted. A cutting-plane method solves
-- a smaller problem with the groups it knows, and asks which group is violated most. Each round has
-- two numbers: what the small problem reaches, which the whole one cannot be better than, and what
-- the present answer costs, which the best one cannot be worse than.
data = tm.synth("fgm", {n = 300, p = 1000, k = 15, seed = 8})
run = tm.fgm(data, {B = 5, C = 10, tol = 1e-4}):wait()
print(run)
---
first_gap, last_gap, rounds = nil, nil, 0
for i = 1, #run.trace do
    local t = run.trace[i]
    if t.gap and t.gap == t.gap and t.gap < math.huge then
        first_gap, last_gap, rounds = first_gap or t.gap, t.gap, rounds + 1
    end
end
tm.show{view = "path", run = run}

-- The gap between them was {first_gap:%.4g} at first and {last_gap:%.2g} at the end. Every round
-- adds a plane that cuts the present answer off, so the lower number rises; the upper one falls on
-- the whole.
tm.plot{runs = {run}, x = "step", y = "gap", ylog = true,
        title = "how the bounds close"}:show()
---
tm.show{view = "plots"}
tm.ask{question = "The gap is zero. What is proven?",
       choices = {"no group that is left out could improve the answer",
                  "all groups were added", "the features are the true ones"}, answer = 1,
       right = "The worst violated group is not violated.",
       wrong = "It stops long before all groups are known, and nothing is said of the truth."}

-- How many features came in by then? B in each round, {run.nnz} with weights in all, of {data.p}.
hits = 0
for _, j in ipairs(run.model.support) do
    hits = hits + (data.truth[j] and 1 or 0)
end
print("features", run.nnz, "true ones among them", hits)
---
tm.show{view = "path", run = run}
tm.ask{question = "How many of the {run.nnz} features are true ones?", number = hits,
       right = "Of {run.nnz}.", wrong = "It was printed."}

-- The same with a coarser tolerance stops earlier, with a gap that says by how much at most.
coarse = tm.fgm(data, {B = 5, C = 10, tol = 1e-1}):wait()
print(tm.table({coarse, run}, {"nnz", "primal", "gap", "updates"}))
---
tm.show{view = "runs"}
tm.ask{question = "Is the coarse answer off by more than its gap?", choices = {"yes", "no"},
       answer = coarse.primal - run.primal > coarse.gap and 1 or 2,
       right = "It is off by {coarse.primal - run.primal:%.3g}; the gap was {coarse.gap:%.3g}.",
       wrong = "Subtract the two primal values and compare with the first gap."}
