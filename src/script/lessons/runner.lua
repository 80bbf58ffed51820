-- Runs lessons: reads their steps, runs them, hands out pages, checks answers.
--
-- `host` is what C offers: own (the program's own, name and text), capture (calls a function
-- and returns what it printed, whether it went well, and the error), order (asks the workbench),
-- workbench (whether there is one), run_id (of a run, or nil), rule (whether there is such a rule).
local host = ...
local runner = {}
local load, pcall, tostring, tonumber, type = load, pcall, tostring, tonumber, type
local format, floor = string.format, math.floor

local lesson    -- the one that is open
local collector -- the step that is being run

-- ---- reading ------------------------------------------------------------------------------------

-- Lines that begin with two dashes are read, the others are Lua; a line of three dashes alone
-- begins Lua that is run and not shown. Reading after Lua begins a step.
local function parse(name, text)
    local steps, step, hidden, number = {}, nil, false, 0
    for line in (text:gsub("\r\n", "\n") .. "\n"):gmatch("(.-)\n") do
        number = number + 1
        local mark = line:match("^%-%-%-%s*$")
        local prose = not mark and not line:match("^%-%-%[=*%[") and line:match("^%-%- ?(.*)$")
        if not step or (prose and step.first) then
            if prose or mark or line:match("%S") then
                step = {line = number, prose = {}, code = {}, shown = {}}
                steps[#steps + 1], hidden = step, false
            end
        end
        if prose then
            step.prose[#step.prose + 1] = prose
        elseif mark then
            hidden = true
            step.first = step.first or number
        elseif step and (step.first or line:match("%S")) then
            step.first = step.first or number
            step.code[number - step.first + 1] = line
            if not hidden then step.shown[#step.shown + 1] = line end
        end
        if mark then step.code[number - step.first + 1] = "" end
    end
    if #steps == 0 then error(format("the lesson '%s' is empty", name), 0) end
    local title = table.remove(steps[1].prose, 1)
    if not title or not title:match("%S") then
        error(format("the lesson '%s' has no title: its first line is a comment", name), 0)
    end
    for _, s in ipairs(steps) do
        while s.shown[#s.shown] and not s.shown[#s.shown]:match("%S") do s.shown[#s.shown] = nil end
        while s.shown[1] and not s.shown[1]:match("%S") do table.remove(s.shown, 1) end
    end
    return {name = name, title = title, steps = steps, at = 0, ran = 0}
end

-- ---- text with values in it ---------------------------------------------------------------------

local function shown(value, how)
    if how then return format(how, value) end
    if math.type(value) == "float" then
        if value == floor(value) and value > -1e15 and value < 1e15 then
            return format("%d", value)
        end
        return format("%.4g", value)
    end
    return tostring(value)
end

-- "{nnz} of {p}" with the values that they have in Lua; {x:%.2f} is written so, {{ }} is itself.
local function expand(text)
    local alone = text:gsub("%b{}", ""):match("[{}].*")
    if alone then
        error(format("'%s' in the text: a brace without the other one in its line", alone), 0)
    end
    return (text:gsub("%b{}", function(word)
        local inside = word:sub(2, -2)
        if inside:match("^%b{}$") then return inside end
        local expression, how = inside:match("^(.*):(%%[-+ #0]*%d*%.?%d*[diuxXeEfFgGs])$")
        local chunk, why = load("return " .. (expression or inside), "=" .. word)
        if not chunk then error(format("'%s' in the text is no Lua: %s", word, why), 0) end
        local ok, value = pcall(chunk)
        if not ok then error(format("'%s' in the text: %s", word, tostring(value)), 0) end
        if value == nil then error(format("'%s' in the text is nil", word), 0) end
        ok, value = pcall(shown, value, how)
        if not ok then
            error(format("'%s' in the text: %s", word, value:gsub("^lessons:%d+: ", "")), 0)
        end
        return value
    end))
end

-- Lines without an empty one between them are a paragraph; indented lines stay as they are.
local function add_prose(page, lines)
    local paragraph = {}
    local function finish()
        if #paragraph > 0 then page[#page + 1] = "P" .. table.concat(paragraph, " ") end
        paragraph = {}
    end
    for _, line in ipairs(lines) do
        if not line:match("%S") or line:match("^  ") then finish() end
        if line:match("^  ") then
            page[#page + 1] = "F" .. line
        elseif line:match("%S") then
            paragraph[#paragraph + 1] = line
        end
    end
    finish()
end

local function add_lines(page, kind, text)
    for line in (text:gsub("\n$", "") .. "\n"):gmatch("(.-)\n") do
        page[#page + 1] = kind .. line
    end
end

-- ---- questions ----------------------------------------------------------------------------------

local function check_keys(what, given, known)
    if type(given) ~= "table" then
        error(format("%s takes a table, not a %s", what, type(given)), 0)
    end
    for key in pairs(given) do
        if not known[key] then
            error(format("%s: there is no '%s'", what, tostring(key)), 0)
        end
    end
end

local ask_keys = {question = true, number = true, within = true, choices = true, mark = true,
                  answer = true, right = true, wrong = true, truth = true}

local function as_set(list, names)
    local set = {}
    for _, item in ipairs(list) do
        local at = math.type(item) == "integer" and item
        for i, name in ipairs(names) do at = at or (name == item and i) end
        if not at or not names[at] then
            error(format("tm.ask: '%s' is none of what can be marked", tostring(item)), 0)
        end
        set[at] = true
    end
    return set
end

local function check_choice(q)
    if type(q.choices) ~= "table" or #q.choices < 2 then
        error("tm.ask: choices is a list of two or more texts", 0)
    end
    if not q.choices[q.answer] then
        error("tm.ask: answer is the number of the right one of choices", 0)
    end
end

-- "FILE:LINE: " of the lesson's line that is being run; "" when it is none of its lines.
local function place()
    for level = 3, 9 do
        local _, where = pcall(error, "", level)
        if lesson and where:sub(1, #lesson.name + 1) == lesson.name .. ":" then return where end
    end
    return ""
end

function runner.ask(q)
    check_keys("tm.ask", q, ask_keys)
    if type(q.question) ~= "string" then error("tm.ask: question is a text", 0) end
    local kinds = (q.number and 1 or 0) + (q.choices and 1 or 0) + (q.mark and 1 or 0)
    if kinds ~= 1 then error("tm.ask: one of number, choices and mark says what is asked", 0) end
    if q.number and (type(q.number) ~= "number" or q.number ~= q.number) then
        error("tm.ask: number is a number: the answer", 0)
    end
    if q.choices then check_choice(q) end
    if q.mark then q.set = as_set(q.answer or {}, q.mark) end
    if q.truth then runner.check_show(q.truth) end
    if not collector then return end
    if collector.ask then error("tm.ask: a step has one question", 0) end
    collector.ask = q
    if q.truth then collector.places[q.truth] = place() end
end

local function kind_of(q)
    return q.number and "number" or q.choices and "choice" or "mark"
end

local function judge(q, given)
    if q.number then
        local number = tonumber(given)
        local within = q.within or (math.type(q.number) == "integer" and 0)
            or 0.01 * math.abs(q.number)
        if not number then return nil, "a number is asked for" end
        return math.abs(number - q.number) <= within * (1 + 1e-12)
    end
    if q.choices then return tonumber(given) == q.answer end
    local marked = {}
    for at in tostring(given):gmatch("%d+") do marked[tonumber(at)] = true end
    for at in pairs(marked) do if not q.set[at] then return false end end
    for at in pairs(q.set) do if not marked[at] then return false end end
    return true
end

local function truth_text(q)
    if q.number then return shown(q.number) end
    if q.choices then return expand(q.choices[q.answer]) end
    local names = {}
    for at in pairs(q.set) do names[#names + 1] = at end
    table.sort(names)
    for i, at in ipairs(names) do names[i] = tostring(q.mark[at]) end
    return #names > 0 and table.concat(names, ", ") or "none of them"
end

-- ---- what is shown beside the text --------------------------------------------------------------

local show_keys = {view = true, run = true, rule = true, step = true, feature = true, zoom = true,
                   side = true, set = true, moment = true, lambda = true, plane = true}

function runner.check_show(s)
    check_keys("tm.show", s, show_keys)
    if s.run and not host.run_id(s.run) then error("tm.show: run is a run", 0) end
    if s.rule and not host.rule(s.rule) then
        error(format("tm.show: there is no rule '%s'; tm.screens() lists them",
                     tostring(s.rule)), 0)
    end
    if s.side and s.side ~= "beside" and s.side ~= "below" then
        error("tm.show: side is \"beside\" or \"below\"", 0)
    end
end

local function apply(s)
    if s.run then host.order("study", host.run_id(s.run), s.view == "explore" and "form" or "") end
    host.order("beside", s.view or "", s.side or "")
    for name, value in pairs(s.set or {}) do host.order("set", name, tostring(value)) end
    for _, key in ipairs{"rule", "lambda", "step", "feature", "plane", "zoom", "moment"} do
        if s[key] ~= nil then host.order("at", s.view or "", key, tostring(s[key])) end
    end
end

function runner.show(s)
    runner.check_show(s)
    if collector then
        collector.shows[#collector.shows + 1] = s
        collector.places[s] = place()
    elseif host.workbench() then
        apply(s)
    end
end

-- ---- steps --------------------------------------------------------------------------------------

-- An error without the runner's own functions, which say nothing to who wrote the lesson.
local function own_lines(message)
    local lines = {}
    for line in message:gmatch("[^\n]+") do
        if not line:match("%(lessons:%d+%)$") then lines[#lines + 1] = line end
    end
    return table.concat(lines, "\n")
end

local function run_step(k)
    local step = lesson.steps[k]
    step.shows, step.ask, step.output, step.failed = {}, nil, "", nil
    step.places = {} -- of the calls of tm.show
    if step.first then
        local lines = {}
        for i = 1, #step.code do lines[i] = step.code[i] or "" end
        local text = string.rep("\n", step.first - 1) .. table.concat(lines, "\n")
        local chunk, why = load(text, "@" .. lesson.name)
        if chunk then
            local ok, message
            collector = step
            step.output, ok, message = host.capture(chunk)
            collector = nil
            if not ok then step.failed = own_lines(tostring(message)) end
        else
            step.failed = why
        end
    end
    lesson.ran = math.max(lesson.ran, k)
end

local function add_question(page, q)
    add_lines(page, "Q", expand(q.question))
    page[#page + 1] = "A" .. kind_of(q)
    for _, choice in ipairs(q.choices or q.mark or {}) do
        page[#page + 1] = "K" .. expand(tostring(choice))
    end
    if q.verdict == "W" then
        page[#page + 1] = "W" .. (q.said or "No. ") .. (q.wrong and expand(q.wrong) or "")
    elseif q.verdict then
        page[#page + 1] = q.verdict .. (q.said or "") .. (q.right and expand(q.right) or "")
    end
end

local function page_of(k)
    local step, page = lesson.steps[k], {}
    page[1] = "T" .. lesson.title
    page[2] = format("S%d %d", k, #lesson.steps)
    local texts = {}
    local ok, why = pcall(function()
        for i, line in ipairs(step.prose) do texts[i] = expand(line) end
    end)
    add_prose(page, ok and texts or step.prose)
    for _, line in ipairs(step.shown) do page[#page + 1] = "C" .. line end
    if step.output ~= "" then add_lines(page, "O", step.output) end
    if step.ask and ok then
        local before = #page
        ok, why = pcall(add_question, page, step.ask)
        if not ok then for i = #page, before + 1, -1 do page[i] = nil end end
    end
    step.problem = step.failed or (not ok and format("line %d: %s", step.line, why)) or nil
    if step.problem then add_lines(page, "E", step.problem) end
    return table.concat(page, "\n")
end

local function publish(shows)
    local name = lesson.name
    host.order("lesson", name, page_of(lesson.at))
    for _, s in ipairs(shows) do
        local ok, why = pcall(apply, s)
        if not ok then
            why = tostring(why):gsub("^lessons:%d+: ", ""):gsub("\n", " ")
            why = (lesson.steps[lesson.at].places[s] or "") .. why
            host.order("lesson", name, page_of(lesson.at) .. "\nE" .. why)
        end
    end
end

local function find(name)
    for i, known in ipairs(host.own) do
        if known.name == name or i == tonumber(name) then return known.name, known.text end
    end
    error(format("there is no lesson '%s'", tostring(name)), 0)
end

local function open(name, text)
    if not text then name, text = find(name) end
    lesson = parse(name, text)
    return lesson
end

local function need()
    if not lesson then error("no lesson is open; tm.lesson.open(\"gap\") opens one", 0) end
    return lesson
end

-- tm.lesson.open(name, step): the steps before are run, so that what they define is there.
function runner.open(name, text, step)
    open(name, text)
    runner.go(math.min(math.max(tonumber(step) or 1, 1), #lesson.steps))
end

-- tm.lesson.go(step): forward runs what was not run; back shows what was.
function runner.go(step)
    need()
    local to = step == "next" and lesson.at + 1 or step == "back" and lesson.at - 1
        or step == "again" and lesson.at or tonumber(step)
    if not to then error("tm.lesson.go: a step's number, \"next\", \"back\" or \"again\"", 0) end
    to = math.min(math.max(math.tointeger(to) or 1, 1), #lesson.steps)
    for k = lesson.ran + 1, to do run_step(k) end
    lesson.at = to
    if host.workbench() then
        publish(lesson.steps[to].shows)
    else
        local text = "\n" .. page_of(to):gsub("^T[^\n]*\nS[^\n]*\n", "")
        print((text:gsub("\n%u", "\n")))
    end
end

-- tm.lesson.answer(value): right or wrong; without a value the answer is told.
function runner.answer(given)
    need()
    local q = lesson.steps[lesson.at].ask
    if not q then error("this step asks nothing", 0) end
    if given == nil then
        q.verdict, q.said = "R", "The answer: " .. truth_text(q) .. ". "
    else
        local right, why = judge(q, given)
        if right == nil then error(why, 0) end
        q.verdict = right and "R" or "W"
        q.said = right and "Right: " .. truth_text(q) .. ". "
            or q.number and format("No, not %s. ", given) or nil
    end
    if host.workbench() then
        publish(q.verdict == "R" and q.truth and {q.truth} or {})
    else
        print(q.verdict == "R" and q.said or "No.")
    end
end

-- ---- without a screen ---------------------------------------------------------------------------

-- "title\ncount": what the printed form begins with.
function runner.begin(name, text)
    open(name, text)
    return lesson.title .. "\n" .. #lesson.steps
end

-- The page of a step, its answer told.
function runner.page(_, _, step)
    run_step(step)
    lesson.at = step
    local q = lesson.steps[step].ask
    if q then q.verdict, q.said = "R", "The answer: " .. truth_text(q) .. ". " end
    local text = page_of(step)
    if lesson.steps[step].problem then text = "!" .. text end
    return text
end

-- The wrong answer nearest to hand, which must not be taken for right.
local function wrong_answer(q)
    if q.number then return q.number + 2 * (q.within or 0.01 * math.abs(q.number)) + 1 end
    if q.choices then return q.answer % #q.choices + 1 end
    return next(q.set) and "" or "1"
end

local function right_answer(q)
    if q.number then return q.number end
    if q.choices then return q.answer end
    local list = {}
    for at in pairs(q.set) do list[#list + 1] = at end
    return table.concat(list, ",")
end

local function check_step(k)
    run_step(k)
    lesson.at = k
    local step, page = lesson.steps[k], page_of(k)
    if step.problem then return nil, step.problem end
    local q = step.ask
    if q then
        if judge(q, wrong_answer(q)) then return nil, "a wrong answer is taken for right" end
        if not judge(q, right_answer(q)) then return nil, "its own answer is not right" end
        q.verdict, q.said = "R", nil
        page = page_of(k)
        if step.problem then return nil, step.problem end
        q.verdict = "W"
        page = page_of(k)
        if step.problem then return nil, step.problem end
    end
    if host.workbench() then
        host.order("lesson", lesson.name, page)
        local shows = {table.unpack(step.shows)}
        if q and q.truth then shows[#shows + 1] = q.truth end
        for _, s in ipairs(shows) do
            local ok, why = pcall(apply, s)
            if not ok then
                local at = step.places[s] or ""
                return nil, at .. tostring(why):gsub("^lessons:%d+: ", "")
            end
        end
    end
    if not q then return "ok" end
    local place = q.number and "" or " " .. right_answer(q)
    return format("%s%s: %s", kind_of(q), place, truth_text(q))
end

-- A line for each step; the first byte is "+" when all is well.
function runner.check(name, text)
    local ok, why = pcall(open, name, text)
    if not ok then return "-" .. why end
    local report, failed, questions = {}, 0, 0
    for k, step in ipairs(lesson.steps) do
        local said, problem = check_step(k)
        if problem then failed = failed + 1 end
        questions = questions + (step.ask and 1 or 0)
        report[k] = format("%s, step %d (line %d): %s", lesson.name, k, step.line, said or problem)
    end
    report[#report + 1] = format("%s: %d steps, %d questions, %s", lesson.name, #lesson.steps,
        questions, failed == 0 and "all well" or failed .. " failed")
    return (failed == 0 and "+" or "-") .. table.concat(report, "\n")
end

return runner
