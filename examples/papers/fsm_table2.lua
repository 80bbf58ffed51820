-- Table 2 of FSM in kind: features for the measure that matters, one class against the rest.
--
--   tamis run examples/papers/fsm_table2.lua TRAIN TEST|SHARE B C_PER_ROW TOL [CLASS ...]
--
-- TEST is a file, or the share of TRAIN's rows to hold out. Without classes all of them, and macro averages; with
-- classes those alone, and l1svm and rfe too. Each measure's own run gives its own column:
-- F1, Rec@2p and PRBEP of fsmulti(Delta) come from three runs, those of fsmulti(hamming) from one.
local train, test, B, C, tol = arg[1], arg[2], tonumber(arg[3]), tonumber(arg[4]), tonumber(arg[5])
local shown = {f1 = "f1", ["rec@2p"] = "rec@2p", prbep = "prbep"}
local order = {"f1", "rec@2p", "prbep"}
local tr, te = tm.load(train), nil
if tonumber(test) then
    tr, te = tr:split{test = tonumber(test), seed = 1}
else
    te = tm.load(test)
end
local classes = {table.unpack(arg, 6)}

-- Mean score of each measure, mean number of features, the time of the slowest part, the worst gap.
local function averages(method, options)
    local sums, features, gap, count = {f1 = 0, ["rec@2p"] = 0, prbep = 0}, 0, 0, 0
    local rows = {}
    options.test = te
    if #classes == 0 then
        local s = tm.ovr(tr, method, options):wait():scores()
        for _, row in ipairs(s.classes) do rows[#rows + 1] = row end
    else
        local runs = {}
        for _, class in ipairs(classes) do
            options.test = te:one_vs_rest(class, true)
            runs[#runs + 1] = tm[method](tr:one_vs_rest(class), options)
        end
        for k, run in ipairs(runs) do
            run:wait()
            local data = te:one_vs_rest(classes[k], true)
            local row = {nnz = run.model.nnz, gap = run.gap / run.null_objective}
            for _, name in ipairs(order) do row[name] = run.model:score(data, name) end
            rows[#rows + 1] = row
        end
    end
    for _, row in ipairs(rows) do
        for _, name in ipairs(order) do sums[name] = sums[name] + row[name] end
        features, gap, count = features + row.nnz, math.max(gap, row.gap or 0), count + 1
    end
    for _, name in ipairs(order) do sums[name] = sums[name] / count end
    return sums, features / count, gap
end

local function line(label, scores, features, began)
    print(string.format("%-22s %8.2f %8.2f %8.2f   %s   %.1f", label, 100 * scores.f1, 100 * scores["rec@2p"],
                        100 * scores.prbep, features, os.time() - began))
end

-- One run for each measure; the score of each measure is its own run's.
local function own(method, options)
    local scores, features, began = {}, {}, os.time()
    for _, name in ipairs(order) do
        local given = {measure = name, C_per_row = C, tol = tol}
        for k, v in pairs(options) do given[k] = v end
        local found, nnz = averages(method, given)
        scores[name], features[#features + 1] = found[name], string.format("%.0f", nnz)
    end
    line(method .. "(measure)", scores, table.concat(features, "/"), began)
end

print(string.format("%-22s %8s %8s %8s   %s   %s", "method", "F1", "Rec@2p", "PRBEP", "features", "seconds"))
own("fsmulti", {B = B})
local began = os.time()
local scores, nnz = averages("fsmulti", {measure = "hamming", C_per_row = C, tol = tol, B = B})
line("fsmulti(hamming)", scores, string.format("%.0f", nnz), began)
own("svmperf", {})
if #classes > 0 then
    began = os.time()
    scores, nnz = averages("l1svm", {lambda_ratio = 0.02, tol = 1e-4})
    line("l1svm", scores, string.format("%.0f", nnz), began)
    began = os.time()
    scores, nnz = averages("rfe", {features = 4 * B})
    line("rfe", scores, string.format("%.0f", nnz), began)
end
