-- SAIF's figure 2.3: arguments data (data_spec.lua), lambda ratio, tol, rows, strategies...
-- Per strategy, the run's steps thinned to so many rows: screen seconds columns active dual
-- relative_gap; the last row is the answer's. For scripts/bench.
local d = dofile("tests/bench/data_spec.lua")(arg[1])
local rows = tonumber(arg[4])
for i = 5, #arg do
    local r = tm.lasso(d, {lambda_ratio = tonumber(arg[2]), tol = tonumber(arg[3]),
                           screen = arg[i]}):wait()
    local t, last = r.trace, 0
    for k = 1, rows do
        local at = math.max(1, math.floor(#t * k / rows + 0.5))
        if at > last then
            local s = t[at]
            print(string.format("%s %.6f %d %d %.6g %.2e", arg[i], s.time, s.columns, s.active,
                                s.dual,
                                s.gap / r.null_objective))
        end
        last = at
    end
end
