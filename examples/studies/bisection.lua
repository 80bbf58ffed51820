-- Exactly 25 features by bisection along lambda; the model is saved, and predicts in another
-- process: tamis predict MODEL DATA.
--
--   tamis run examples/studies/bisection.lua DATA MODEL [FEATURES]
local d = tm.load(arg[1] or "examples/data/golub.svm.xz")
local model_file = arg[2] or os.tmpname()
local wanted = tonumber(arg[3]) or 25

local low, high, run = math.log(0.01), 0, nil -- too many features at the one, none at the other
for step = 1, 60 do
    local middle = (low + high) / 2
    run = tm.lasso(d, {lambda_ratio=math.exp(middle), tol=1e-10, from=run}):wait()
    if run.nnz == wanted then
        break
    elseif run.nnz > wanted then
        low = middle
    else
        high = middle
    end
end
assert(run.nnz == wanted, "no penalty gives so many features: more than one enters at a time")
run.model:save(model_file)
print(string.format("lambda %.17g features %d training accuracy %.4f", run.lambda, run.nnz,
                    run.model:score(d, "accuracy")))
print("support " .. table.concat(run.model.support, " "))
