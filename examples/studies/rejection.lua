-- What each screening strategy leaves out along the lasso path, which none of them changes.
--
--   tamis run examples/studies/rejection.lua [DATA [POINTS]]
local d = tm.load(arg[1] or "examples/data/golub.svm.xz")
local points = tonumber(arg[2]) or 12

local paths, names = {}, {}
for _, screen in ipairs(tm.screens()) do
    if screen.safe ~= "no" then
        local run = tm.path(d, "lasso", {lambdas=points, lambda_min_ratio=0.05, tol=1e-10,
                                         screen=screen.id}):wait()
        paths[screen.id], names[#names + 1] = run.table, screen.id
    end
end

io.write(string.format("%-9s %-9s %-16s", "ratio", "features", "objective"))
for _, name in ipairs(names) do
    io.write(string.format(" %8s", name))
end
print()
for i = 1, points do
    local row = paths[names[1]][i]
    io.write(string.format("%-9.6f %-9d %-16.12g", row.lambda / paths[names[1]][1].lambda, row.nnz,
                           row.primal))
    for _, name in ipairs(names) do
        local other = paths[name][i]
        assert(math.abs(other.primal - row.primal) <= 1e-8 * row.primal, name)
        assert(other.screened <= d.p - other.nnz, name)
        io.write(string.format(" %8.4f", other.screened / d.p))
    end
    print()
end
