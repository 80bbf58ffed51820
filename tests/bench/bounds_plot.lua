-- SAIF's figures 3.7 to 3.9 from the table of scripts/bench structure_lp: arguments FILE FOLDER.
local rows = {}
for line in io.lines(arg[1]) do
    local row = {}
    for cell in line:gmatch("[^,]+") do row[#row + 1] = tonumber(cell) or cell end
    rows[#rows + 1] = row
end
local column = {}
for k, name in ipairs(table.remove(rows, 1)) do column[name] = k end

local function figure(name, title, ylabel, names)
    local series, at = {}, {}
    for _, row in ipairs(rows) do
        for _, y in ipairs(names) do
            local key = row[1] .. " " .. y
            if not at[key] then
                at[key] = {name = key, x = {}, y = {}}
                series[#series + 1] = at[key]
            end
            local s = at[key]
            s.x[#s.x + 1], s.y[#s.y + 1] = row[column.ratio], row[column[y]]
        end
    end
    tm.plot{series = series, xlog = true, xlabel = "lambda / lambda_max", ylabel = ylabel,
            title = title}:save(arg[2] .. "/" .. name .. ".svg")
end

figure("ren_fig3_7", "edges proven equal", "share of the edges",
       {"rejected_lp", "rejected_bounds", "rejected_transform"})
figure("ren_fig3_8", "greatest |u| allowed", "mean over the edges",
       {"mean_lp", "mean_bounds", "mean_transform"})
figure("ren_fig3_9", "propagated bound - linear program", "mean and variance over the edges",
       {"apart", "apart_variance"})
