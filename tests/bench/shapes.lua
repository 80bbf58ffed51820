-- A method without intercept on data of one shape, on several numbers of threads in turn: arguments
-- file, response file or "-", method, number of lambdas, least ratio (with one lambda its ratio),
-- tol, threads... One line a run: threads nnz processor_seconds seconds passes worst_relative_gap
-- status answer peak_kb, where `answer` is the same for weights with the same bits; after the first
-- the grid, one line "lambda VALUE" each. For scripts/bench.
local peak = dofile("tests/bench/peak.lua")
local count, ratio = math.tointeger(tonumber(arg[4])), tonumber(arg[5])

-- A number of 60 bits that depends on the bits of every weight and on its place.
local function answer_of(model)
    local sum, coef = 0, model.coef
    for _, j in ipairs(model.support) do
        sum = (sum * 31 + j * 7 + string.unpack("i8", string.pack("d", coef[j])))
            & 0xfffffffffffffff
    end
    return string.format("%015x", sum)
end

-- Dense data are read for each run: the first one makes them a copy in bytes, which they keep.
local dense, d = arg[1]:match("%.npy$") or arg[1]:match("%.tam$"), nil
for i = 7, #arg do
    if dense or not d then
        d = nil
        collectgarbage()
        d = tm.load(arg[1], arg[2] ~= "-" and {response = arg[2]} or {})
    end
    local options = {tol = tonumber(arg[6]), intercept = false,
                     threads = math.tointeger(tonumber(arg[i]))}
    local began, r = os.clock(), nil
    if count == 1 then
        options.lambda_ratio = ratio
        r = tm[arg[3]](d, options):wait()
    else
        options.lambdas, options.lambda_min_ratio = count, ratio
        r = tm.path(d, arg[3], options):wait()
    end
    print(string.format("%s %d %.4f %.4f %.2f %.3e %s %s %s", arg[i], r.nnz, os.clock() - began,
                        r.seconds, r.passes,
                        (count == 1 and r.gap or r.worst_gap) / r.null_objective, r.status,
                        answer_of(r.model), peak()))
    for _, row in ipairs(i == 7 and (r.table or {{lambda = r.lambda}}) or {}) do
        print(string.format("lambda %.17g", row.lambda))
    end
end
