-- The measures of scripts/bench scaling as log plots: arguments FILE FOLDER. FILE has lines "n p
-- screen seconds MB"; writes growth_p.svg, growth_n.svg (seconds) and growth_memory.svg (peak of
-- the process against p) into FOLDER.
local rows = {}
for line in io.lines(arg[1]) do
    local n, p, screen, seconds, peak = line:match("(%d+) (%d+) (%S+) (%S+) (%S+)")
    rows[#rows + 1] = {n = tonumber(n), p = tonumber(p), screen = screen,
                       seconds = tonumber(seconds),
                       peak = tonumber(peak)}
end

-- One series for each strategy of the rows that `of` holds for.
local function figure(name, title, of, x, y, xlabel, ylabel)
    local series, at = {}, {}
    for _, row in ipairs(rows) do
        if of(row) then
            local s = at[row.screen]
            if not s then
                s = {name = row.screen, x = {}, y = {}}
                at[row.screen], series[#series + 1] = s, s
            end
            s.x[#s.x + 1], s.y[#s.y + 1] = row[x], row[y]
        end
    end
    tm.plot{series = series, xlog = true, ylog = true, xlabel = xlabel, ylabel = ylabel,
            title = title}:save(arg[2] .. "/" .. name .. ".svg")
end

local P_OF_TALL = 2000 -- the p at which n grows
local function tall(row) return row.p == P_OF_TALL end
local function wide(row) return not tall(row) end
figure("growth_p", "time against p, n = 100", wide, "p", "seconds", "features", "seconds")
figure("growth_n", "time against n, p = 2,000", tall, "n", "seconds", "samples", "seconds")
figure("growth_memory", "peak memory against p, n = 100", wide, "p", "peak", "features",
       "MB at the peak")
