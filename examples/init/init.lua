-- Keys, colours and commands of your own: copy this to ~/.config/tamis/init.lua and change it.

-- Colours: auto (the default, for dark and light backgrounds), dark, light, contrast, mono;
-- or a theme of your own, made from one of these.
tm.ui.theme("auto")
-- tm.ui.theme{base="dark", selected="#5f005f", series1="#ffaf00"}

-- A key in one view ("explore", "runs", ...), in plots ("in-plot") or in all: what it asks for ...
tm.ui.bind("all", "F2", "view-runs")
tm.ui.bind("explore", "F5", "cold")
-- ... or a function.
tm.ui.bind("explore", "F6", function() tm.ui.set("lambda_ratio", 0.05) end)

-- Commands: typed as :ratio 0.2, or found in the palette (Ctrl-P).
tm.ui.command("ratio", "set lambda to a share of lambda_max", function(argument)
    tm.ui.set("lambda_ratio", tonumber(argument) or error("which share? :ratio 0.1"))
end)
tm.ui.command("keep", "append the answer on the screen to notes.txt", function(argument)
    local notes = assert(io.open("notes.txt", "a"))
    notes:write(os.date(), "  ", argument, "\n", tm.screen("explore"), "\n")
    notes:close()
    print("kept in notes.txt")
end)
