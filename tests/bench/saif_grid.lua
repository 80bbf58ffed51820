-- Column products of strategies over a grid of shapes, losses and ratios: arguments seed,
-- strategies... One line a solve: method n p ratio screen columns status. For scripts/bench.
local shapes = {{10, 10000}, {50, 5000}, {100, 1000}, {100, 500}, {200, 200}, {500, 100},
                {1000, 100}}
local seed = math.tointeger(tonumber(arg[1]))
for _, shape in ipairs(shapes) do
    local n, p = shape[1], shape[2]
    local numbers = tm.synth("saif", {n = n, p = p, seed = seed})
    local classes = tm.synth("fgm", {n = n, p = p, seed = seed, k = math.min(50, p // 4)})
    for _, method in ipairs {"lasso", "l1logistic", "l1svm"} do
        for _, ratio in ipairs {0.5, 0.2, 0.05, 0.01, 0.001} do
            for i = 2, #arg do
                local r = tm[method](method == "lasso" and numbers or classes,
                                     {screen = arg[i], lambda_ratio = ratio, tol = 1e-6,
                                      max_iter = 10000}):wait()
                print(method, n, p, ratio, arg[i], r.columns, r.status)
            end
        end
    end
end
