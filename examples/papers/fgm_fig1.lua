-- FGM (Tan, Tsang and Wang, JMLR 2014), figure 1: rounds whose master problems are solved exactly,
-- and not so. The objective relative to the null model's against the work done (coordinate updates
-- of the master, the same on every machine) and against the rounds, for three B.
--
-- By default 1,024 x 1,024 with 75 true features and B of 3, 8 and 13; with --full the paper's
-- 4,096 x 4,096 with 300 and B of 10, 30 and 50. Squared hinge, C = 10, ten rounds, the paper's
-- master. FILE: other data of two classes. Exact is `inner_tol` = 1e-4, a master solved to that
-- share of the gap that is left; 0.1 is the default.
local paper = dofile((arg[0]:match("^(.*/)[^/]*$") or "./") .. "paper.lua")
local n, k = paper.size(4096, 1024, 128), paper.size(300, 75, 10)
local Bs = paper.size({10, 30, 50}, {3, 8, 13}, {2, 4})
local d = paper.file and tm.load(paper.file) or tm.synth("fgm", {n = n, p = n, k = k, seed = 1})

local rounds, summary = {}, {}
for _, B in ipairs(Bs) do
  for _, inner in ipairs{1e-4, 0.1} do
    local r = tm.fgm(d, {B = B, C = 10, T = 10, master = "apg", inner_tol = inner,
                         intercept = false}):wait()
    local name, null, round = string.format("B = %d, %s", B,
                                            inner < 0.1 and "exact" or "inexact"), nil, 0
    for _, event in ipairs(r.trace) do
      if event.kind == "check" then
        null = null or event.primal
        rounds[#rounds + 1] = {run = name, round = round, updates = event.updates,
                               seconds = event.time,
                               objective = event.primal / null, gap = event.gap / null}
        round = round + 1
      end
    end
    summary[#summary + 1] = {B = B, inner_tol = inner, features = r.nnz,
                             objective = r.primal / null, gap = r.gap / null,
                             updates = r.updates, seconds = r.seconds}
  end
end

print(string.format("%d x %d", d.n, d.p))
paper.table("fgm_fig1", {"B", "inner_tol", "features", "objective", "gap", "updates", "seconds"},
            summary)
paper.table("fgm_fig1_rounds", {"run", "round", "updates", "seconds", "objective", "gap"}, rounds,
            true)
local worked = {}
for _, row in ipairs(rounds) do
  if row.updates > 0 then worked[#worked + 1] = row end
end
paper.figure("fgm_fig1a", worked, "run", "updates", "objective", {xlog = true, ylog = true})
paper.figure("fgm_fig1b", rounds, "run", "round", "objective", {ylog = true})
