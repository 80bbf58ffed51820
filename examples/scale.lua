-- What a path on data of n rows, p features and k entries a row would take on N machines, from
-- what docs/benchmarks.md counts ("Several processes") and from the rate of products that this
-- machine shows now. usage: scale.lua [N ROWS FEATURES ENTRIES_A_ROW PASSES GBITS]
local N = tonumber(arg[1] or 100)
local n, p, k = tonumber(arg[2] or 1e9), tonumber(arg[3] or 1e7), tonumber(arg[4] or 100)
local passes, gbits = tonumber(arg[5] or 50), tonumber(arg[6] or 10)
local bytes_a_second = gbits / 8 * 1e9

-- Entries that one core multiplies in a second: epochs over all columns of sparse data that do not
-- fit the caches.
local function rate()
    local d = tm.synth("saif", {n = 20000, p = 1000, seed = 1})
    local began = os.clock()
    local r = tm.lasso(d, {lambda_ratio = 0.9, screen = "none", solver = "cgd", max_iter = 3,
                           check_every = 1}):wait()
    return r.columns * d.n / (os.clock() - began)
end

local function amount(bytes)
    for _, unit in ipairs{"B", "kB", "MB", "GB", "TB", "PB"} do
        if bytes < 1000 or unit == "PB" then return string.format("%.3g %s", bytes, unit) end
        bytes = bytes / 1000
    end
end

local entries, each = n * k, rate()
-- Of n values each: response, residual or predictions, dual variables, the null model's, and two of
-- a certificate.
local vectors = 6 * 8 * n
local pass = 8 * p * (N - 1) / N
local rows = {
    {"by columns: entries a machine", amount(12 * entries / N)},
    {"vectors of all rows, on every machine", amount(vectors)},
    {"received in a pass by each", amount(pass)},
    {"the same in seconds at " .. gbits .. " Gbit/s", string.format("%.3g", pass / bytes_a_second)},
    {"products in a pass, seconds of one core", string.format("%.3g", entries / N / each)},
    {"a path of " .. passes .. " passes, seconds",
        string.format("%.3g", passes * (pass / bytes_a_second + entries / N / each))},
    {"a column that enters a working set, sent to all", amount(12 * entries / p)},
}
for _, q in ipairs{100, 1000, 8000} do
    local sums = 8 * (q + 3) + (q + 1) * (q + 4) / 2
    rows[#rows + 1] = {"by rows, " .. q .. " dense features: kept by a machine",
        amount(8 * n * q / N)}
    rows[#rows + 1] = {"received in a pass with a model by each", amount(8 * sums * (N - 1))}
    rows[#rows + 1] = {"the same in seconds",
        string.format("%.3g", 8 * sums * (N - 1) / bytes_a_second)}
    rows[#rows + 1] = {"a pass of 8 lambdas and a sampled model, seconds of one core",
        string.format("%.3g", 16 * n * q / N / each)}
end
local shown = {}
for i, row in ipairs(rows) do shown[i] = {what = row[1], value = row[2]} end
print(string.format("%g machines, %g x %g, %g entries a row; %.3g entries a second here", N, n, p,
    k, each))
print(tm.table(shown, {"what", "value"}))
