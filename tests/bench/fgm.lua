-- Feature generation: arguments DATA TEST METHOD {VARIANT}, one run each, for scripts/bench.
-- DATA and TEST: a file; or fgm:N:P:K, fgm_group:N:P:K (float or generated storage by a last
-- ":STORAGE"), TEST then being a number of rows split off, or "-". VARIANT: "key=value,key=value".
-- A line is variant nnz chosen seconds columns updates relative_gap status primal test_accuracy
-- true_found peak_kb
local function split_spec(spec)
    local name, n, p, k, storage = spec:match("^([%a_]+):(%d+):(%d+):(%d+):?(%a*)$")
    if not name then return nil end
    return name, {n = math.tointeger(n), p = math.tointeger(p), k = math.tointeger(k), seed = 1,
                  storage = storage ~= "" and storage or nil}
end

local function data(spec, rows)
    local name, sizes = split_spec(spec)
    if not name then return tm.load(spec), rows ~= "-" and tm.load(rows) or nil end
    if rows == "-" then return tm.synth(name, sizes) end
    sizes.n = sizes.n + math.tointeger(rows)
    local all = tm.synth(name, sizes)
    local train, test = all:split{test = tonumber(rows) / sizes.n, seed = 1}
    return train, test, all.truth
end

local function value(text)
    if text == "true" or text == "false" then return text == "true" end
    return math.tointeger(text) or tonumber(text) or text
end

local peak = dofile("tests/bench/peak.lua")

local train, test, truth = data(arg[1], arg[2])
truth = truth or train.truth
for i = 4, #arg do
    local options = {}
    for key, text in arg[i]:gmatch("([%w_]+)=([^,]+)") do options[key] = value(text) end
    local r = tm[arg[3]](train, options):wait()
    local hits, groups = 0, options.groups
    if truth then
        local seen = {}
        for _, j in ipairs(r.model.support) do
            local unit = groups and (j - 1) // groups or j
            if truth[j] and not seen[unit] then hits = hits + 1 end
            seen[unit] = seen[unit] or truth[j]
        end
    end
    print(string.format("%s %d %d %.6f %d %d %.3e %s %.12g %.4f %d %s", arg[i], r.nnz, r.active,
                        r.seconds,
                        r.columns, r.updates, r.gap / r.null_objective, r.status, r.primal,
                        test and r.model:score(test, "accuracy") or 0, hits, peak()))
end
