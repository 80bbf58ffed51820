-- What a process takes of memory beyond what it has before it reads a file: arguments file,
-- response file or "-", method or "-", number of lambdas, least ratio. Prints the bytes when the
-- file is read, those at the end of the path, chosen features, status. For scripts/bench memory.
local peak = dofile("tests/bench/peak.lua")
local before = peak()
local d = tm.load(arg[1], arg[2] ~= "-" and {response = arg[2]} or {})
local read, nnz, status = peak(), 0, "read"
if arg[3] ~= "-" then
    local r = tm.path(d, arg[3], {lambdas = math.tointeger(tonumber(arg[4])), threads = 1,
                                  lambda_min_ratio = tonumber(arg[5]), tol = 1e-6}):wait()
    nnz, status = r.nnz, r.status
end
print(string.format("%d %d %d %s", 1024 * (read - before), 1024 * (peak() - before), nnz, status))
