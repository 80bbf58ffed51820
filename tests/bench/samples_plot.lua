-- SAIF's figure 5.1 in kind, from scripts/bench samples: arguments FILE FOLDER. FILE has lines
-- "data kernel screen count seconds kept"; writes svm_paths.svg (seconds of a path against its
-- number of values of C) and svm_kept.svg (mean of the samples kept) into FOLDER, of the kernel rbf
-- on "digits" and of the linear one on "debtext1".
local shown = {digits = "rbf", debtext1 = "linear"}
local series, at = {{}, {}}, {}
for line in io.lines(arg[1]) do
    local data, kernel, screen, count, seconds, kept =
        line:match("(%S+) (%S+) (%S+) (%d+) (%S+) (%S+)")
    if shown[data] == kernel and screen ~= "auto" then
        local name = ("%s, %s: %s"):format(data, kernel, screen)
        at[name] = at[name] or {}
        for k, value in ipairs{tonumber(seconds), tonumber(kept)} do
            local s = at[name][k]
            if not s then
                s = {name = name, x = {}, y = {}}
                at[name][k], series[k][#series[k] + 1] = s, s
            end
            s.x[#s.x + 1], s.y[#s.y + 1] = tonumber(count), value
        end
    end
end

local function figure(name, k, title, ylabel)
    tm.plot{series = series[k], ylog = true, xlabel = "values of C", ylabel = ylabel,
            title = title}:save(arg[2] .. "/" .. name .. ".svg")
end
figure("svm_paths", 1, "time of a path of C", "seconds of the processor")
figure("svm_kept", 2, "samples kept on a path of C", "samples, mean")
