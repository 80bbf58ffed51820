-- Table 2 of FSM in kind: features for the measure that matters, one class against the rest.
--
--   tamis run examples/papers/fsm_table2.lua [--scores FILE] [--C VALUE] TRAIN TEST|SHARE B METHODS
--       [CLASS ...]
--
-- --scores: each class's score by each method and measure is kept in FILE (CSV), and not computed
-- again if it is there. A run that was ended goes on, and classes may be done in several runs: the
-- last, without classes, prints the table. --C: the C for each row of the data of fsmulti, svmperf
-- and bmrm, in place of the choice below; the paper has 0.1 on News20 and 5 on Sector.
--
-- TEST is a file, or the share of TRAIN's rows to hold out. METHODS is a list with commas of
-- fsmulti, hamming (fsmulti with that measure for all), few and hamming-few (the same, ended at 4 B
-- features as the paper's table is), svmperf, bmrm, l1svm and rfe, or "all". Without classes all of
-- them. Prints the means over the classes, in per cent: each measure's score on the test data by
-- its own run, with the mean number of features of that run. As in the paper the numbers in
-- parentheses are the classes that the method has won and lost against fsmulti for the measure (the
-- first of the lines that is one: without a limit of features, if it is there), and * says that
-- the scores of the classes differ from its by Student's t test at 0.95; both need two classes.
--
-- Every method's parameter is chosen the same way, for each class and measure by itself: all values
-- are tried on three quarters of the training rows, the one whose model has the best value of the
-- measure on the fourth quarter is taken (of equals the one with fewer features), and the method
-- runs once more on all training rows. No limit is one of time, so that the scores are the same on
-- every machine.
local words, given = {table.unpack(arg)}, {}
while #words > 0 and words[1]:sub(1, 2) == "--" do
    local option = table.remove(words, 1)
    if option ~= "--scores" and option ~= "--C" then
        error("unknown option " .. option .. "; there are --scores FILE and --C VALUE")
    end
    given[option] = table.remove(words, 1) or error(option .. ": expected a value")
end
local scores_file = given["--scores"]
local train, test, B, wanted = words[1], words[2], tonumber(words[3]), words[4]
local measures = {"f1", "rec@2p", "prbep"}
local C = {0.01, 0.1, 1, 10}
if given["--C"] then
    C = {tonumber(given["--C"]) or error("--C: expected a number, not " .. given["--C"])}
end
local tr, te = tm.load(train), nil
if tonumber(test) then
    tr, te = tr:split{test = tonumber(test), seed = 1}
else
    te = tm.load(test)
end
local labels = {table.unpack(words, 5)}
if #labels == 0 then
    for k, class in ipairs(tr.classes) do labels[k] = class.label end
end

-- key: in METHODS. own: a run for each measure; else the same runs for all of them. name: the
-- parameter that is chosen, of values.
local rows = {
    {"fsmulti(measure)", "fsmulti", {B = B, T = 20, max_iter = 2000}, key = "fsmulti", own = true,
     name = "C_per_row",
     values = C},
    {"fsmulti(measure), " .. 4 * B, "fsmulti", {B = B, features = 4 * B}, key = "few", own = true,
     name = "C_per_row",
     values = C},
    {"fsmulti(hamming)", "fsmulti", {B = B, T = 20, max_iter = 2000, measure = "hamming"},
     key = "hamming",
     name = "C_per_row", values = C},
    {"fsmulti(hamming), " .. 4 * B, "fsmulti", {B = B, features = 4 * B, measure = "hamming"},
     key = "hamming-few",
     name = "C_per_row", values = C},
    {"svmperf(measure)", "svmperf", {max_iter = 2000}, key = "svmperf", own = true,
     name = "C_per_row", values = C},
    {"bmrm(measure)", "bmrm", {max_iter = 200}, key = "bmrm", own = true, name = "C_per_row",
     values = C},
    {"l1svm", "l1svm", {tol = 1e-4}, key = "l1svm", name = "lambda_ratio",
     values = {0.3, 0.1, 0.03, 0.01, 0.003}},
    {"rfe", "rfe", {features = 4 * B, drop = 0.3, tol = 1e-4}, key = "rfe", name = "C",
     values = {0.01, 0.1, 1}},
}

local function run(row, measure, value, data)
    local given = {[row.name] = value, tol = 1e-2}
    for key, v in pairs(row[3]) do given[key] = v end
    if row.own then given.measure = measure end
    return tm[row[2]](data, given)
end

-- All values on the fitting part of a class, for one measure or for all.
local function try(row, measure, class)
    local found = {}
    if #row.values == 1 then return found end
    for v, value in ipairs(row.values) do found[v] = run(row, measure, value, class.fit) end
    return found
end

local function best_value(row, runs, measure, validation)
    if #row.values == 1 then return row.values[1] end
    local best, chosen, features = -1, nil, nil
    for v, value in ipairs(row.values) do
        local model = runs[v]:wait().model
        local score = model:score(validation, measure)
        if score > best or (score == best and model.nnz < features) then
            best, chosen, features = score, value, model.nnz
        end
    end
    return chosen
end

-- Won, lost and the test's mark of a method's scores of the classes beside the reference's.
local function beside(scores, reference)
    if not reference or #scores < 2 then return "" end
    local won, lost = 0, 0
    for k, score in ipairs(scores) do
        if score > reference[k] then won = won + 1 end
        if score < reference[k] then lost = lost + 1 end
    end
    local p = won + lost > 0 and tm.compare(scores, reference).t_p or 1
    return string.format(" (%d/%d)%s", won, lost, p and p < 0.05 and "*" or "")
end

-- What is known of a method, measure and class: {score, features, seconds, status}.
local known = {}
local function key_of(row, measure, class)
    return row.key .. "," .. measure .. "," .. class.label
end

if scores_file and io.open(scores_file) then
    for line in io.lines(scores_file) do
        local key, score, features, seconds, status =
            line:match("^(.*),([^,]*),([^,]*),([^,]*),([^,]*)$")
        if key then
            known[key] = {score = tonumber(score), features = tonumber(features),
                          seconds = tonumber(seconds), status = status}
        end
    end
end

local function keep(key, found)
    known[key] = found
    if not scores_file then return end
    local file = assert(io.open(scores_file, "a"))
    file:write(string.format("%s,%.17g,%d,%.6f,%s\n", key, found.score, found.features,
                             found.seconds, found.status))
    file:close()
end

-- Runs what is not known of the classes: all values of a measure at once, then the chosen ones.
local function solve(row, measure, classes)
    local open = {}
    for _, class in ipairs(classes) do
        if not known[key_of(row, measure, class)] then open[#open + 1] = class end
    end
    -- The runs of all values are those of all measures, unless each has its own.
    local key = row.own and measure or "all"
    for _, class in ipairs(open) do
        class.tried[row.key .. key] = class.tried[row.key .. key] or try(row, measure, class)
    end
    local last = {}
    for k, class in ipairs(open) do
        local value = best_value(row, class.tried[row.key .. key], measure, class.validation)
        last[k] = run(row, measure, value, class.train)
    end
    for k, class in ipairs(open) do
        local r = last[k]:wait()
        keep(key_of(row, measure, class), {score = r.model:score(class.test, measure),
                                           features = r.model.nnz, seconds = r.seconds,
                                           status = r.status})
    end
end

local reference = {} -- of each measure: the scores of the classes by fsmulti for it
local function table_row(row, classes)
    local scores, features, seconds, at_limit = {}, {}, 0, 0
    for m, measure in ipairs(measures) do
        -- What is kept is kept a class at a time.
        for _, class in ipairs(scores_file and classes or {}) do solve(row, measure, {class}) end
        solve(row, measure, classes)
        local sum, count, of_class = 0, 0, {}
        for k, class in ipairs(classes) do
            local found = known[key_of(row, measure, class)]
            of_class[k] = found.score
            sum, count, seconds = sum + found.score, count + found.features, seconds + found.seconds
            if found.status ~= "converged" then at_limit = at_limit + 1 end
        end
        local marks = beside(of_class, reference[measure])
        if row.own and row[2] == "fsmulti" then
            reference[measure] = reference[measure] or of_class
        end
        scores[m] = string.format("%.1f%s", 100 * sum / #classes, marks)
        features[m] = string.format("%.0f", count / #classes)
    end
    for _, class in ipairs(classes) do class.tried = {} end
    print(string.format("%s|%s|%s|%s|%s|%.1f|%d", row[1], scores[1], scores[2], scores[3],
                        table.concat(features, " / "), seconds / #measures / #classes, at_limit))
end

local classes = {}
for k, label in ipairs(labels) do
    local class = {train = tr:one_vs_rest(label), test = te:one_vs_rest(label, true),
                   label = label, tried = {}}
    class.fit, class.validation = class.train:split{test = 0.25, seed = 1, stratify = true}
    classes[k] = class
end
print("method|F1|Rec@2p|PRBEP|features|seconds of a run|runs at a limit")
for _, row in ipairs(rows) do
    if wanted == "all" or ("," .. wanted .. ","):find("," .. row.key .. ",", 1, true) then
        table_row(row, classes)
        collectgarbage()
    end
end
