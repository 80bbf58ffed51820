-- A few small files of one format for the fuzzer to start from: tamis run seeds.lua FOLDER FORMAT.
local folder, format = arg[1], arg[2]
local ending = ({libsvm = "svm", npy = "npz", plink = false, mat = false, side = false,
                 arff = false, statistics = false, hdf5 = false,
                 groups = false, graph = false, model = false, store = false,
                 lua = false, command = false})[format]
if ending == nil then ending = format end

local function write(name, ...)
    local file = assert(io.open(folder .. "/" .. name, "wb"))
    file:write(...)
    file:close()
end

-- Version 5 of MATLAB's files: elements of a type, a length and a content, padded to eight bytes.
local DOUBLE, INT32, UINT32, INT8, MATRIX = 9, 5, 6, 1, 14
local CLASS_SPARSE, CLASS_DOUBLE = 5, 6

local function element(kind, content)
    return string.pack("<I4I4", kind, #content) .. content .. ("\0"):rep(-#content % 8)
end

local function numbers(format, list)
    return string.pack("<" .. format:rep(#list), table.unpack(list))
end

local function variable(name, class, rows, columns, ...)
    return element(MATRIX, element(UINT32,
                                  numbers("I4", {class, class == CLASS_SPARSE and 100 or 0})) ..
                   element(INT32, numbers("i4", {rows, columns})) .. element(INT8, name) ..
                   table.concat{...})
end

local function matlab(...)
    local text = "MATLAB 5.0 MAT-file"
    return text .. (" "):rep(116 - #text) .. ("\0"):rep(8) .. "\0\1IM" .. table.concat{...}
end

local small = tm.synth("gfl", {n = 6, p = 5, noise = 0.5})
local corral = tm.synth("corral", {n = 8, p = 6})
local function copy(from, names)
    for _, name in ipairs(names) do
        local file = assert(io.open("tests/data/" .. from .. name, "rb"))
        write(name, file:read("a"))
        file:close()
    end
end

if ending then
    for k, d in ipairs{small, corral} do d:save(folder .. "/" .. k .. "." .. ending) end
elseif format == "mat" then
    local y = variable("y", CLASS_DOUBLE, 3, 1, element(DOUBLE, numbers("d", {1, 2, 4})))
    write("1", matlab(variable("X", CLASS_DOUBLE, 3, 2,
                               element(DOUBLE, numbers("d", {1, 2, 3, 4, 5, 6.5}))), y))
    write("2", matlab(y, variable("fea", CLASS_SPARSE, 3, 4, element(INT32, numbers("i4", {2, 1})),
                                  element(INT32, numbers("i4", {0, 0, 1, 1, 2})),
                                  element(DOUBLE, numbers("d", {7, 8})))))
    copy("mat/", {"v4_sparse.mat", "v4_text.mat", "v5_cell.mat", "v5_char.mat", "v73_cell.mat",
                  "v73_h5py.mat", "v73_matio_sparse.mat", "v73_sparse.mat", "plain_hdf5.mat"})
elseif format == "arff" then
    write("1", "@relation r\n@attribute a numeric\n@attribute b {x,'y z'}\n@data\n1,x\n?,'y z'\n")
    write("2", "@relation r\n@attribute a real\n@attribute class {no,yes}\n@data\n{0 2}\n{1 yes}\n")
elseif format == "hdf5" then
    copy("", {"new.h5ad", "old.h5ad", "tenx.h5", "plain.h5"})
elseif format == "statistics" then
    -- Version 114 of Stata: header, one variable of bytes with two rows.
    local label = ("\0"):rep(81) .. ("\0"):rep(18)
    write("1", "\114\2\1\0" .. string.pack("<I2I4", 2, 2) .. label .. "\251\251" ..
               ("a" .. ("\0"):rep(32)) .. ("b" .. ("\0"):rep(32)) .. ("\0"):rep(6) ..
               (("%8.0g" .. ("\0"):rep(44)):rep(2)) .. ("\0"):rep(66) .. ("\0"):rep(162) ..
               ("\0"):rep(5) .. "\1\2\3\1")
    copy("", {"table.dta", "table.sav", "table.xpt"})
elseif format == "side" then
    write("1", "1\n2\n4\n")
    write("2", "yes\nno\nyes\n")
    write("3", "%%MatrixMarket matrix array real general\n3 1\n1\n2\n4\n")
    tm.synth("corral", {n = 3, p = 6}):save(folder .. "/4.npy") -- with its response beside it
elseif format == "groups" then
    write("1", "a b\n1 weight=2\n\"x y\" z\n")
    write("2", "1-3; 4-5 name=g parent=1")
elseif format == "model" then
    write("table.csv", "y,a,b\nno,1,x\nyes,,y\nno,3,x\nyes,5,z\nyes,6,x\n")
    local texts = tm.load(folder .. "/table.csv", {text = "onehot", missing = "mean"})
    for k, run in ipairs{tm.lasso(small, {lambda_ratio = 0.2}), tm.path(corral, "l1logistic", {
        lambdas = 2}), tm.svm(corral, {C = 1}), tm.svm(corral, {kernel = "rbf"}),
        tm.fgm(corral, {source = "poly2", B = 2}),
        tm.l1svm(texts, {lambda_ratio = 0.1, standardize = true})} do
        run:wait().model:save(folder .. "/" .. k)
    end
    os.remove(folder .. "/table.csv")
elseif format == "store" then
    write("1", "INSERT INTO runs (name, method, params, data, sha256, n, p, version, status, ",
          "begun, host, boot, pid, started) VALUES ('a', 'lasso', '{\"tol\":1e-6}', 'd', 'ff', 3, ",
          "2, '1', 'running', 1, 'h', 'b', 7, 9);",
          "INSERT INTO points VALUES (1, 0, 0.5, 'converged', 1, 1, 0, 1, 0, 0.5, NULL, 0.1, 3, 4,",
          " 0, NULL, NULL);",
          "INSERT INTO models VALUES (1, 0, '{\"tamis\":\"model\",\"version\":2}');")
    write("2", "INSERT INTO sweeps (key, name, method, description, tasks, version, begun) VALUES ",
          "('k', 's', NULL, '{\"axes\":[\"C\"],\"values\":[[\"1\"]],\"metrics\":",
          "[\"r2\"],\"folds\":2}', 1, '1', 1);",
          "INSERT INTO results VALUES (1, 0, 0, 'converged', NULL, 1, 1, 1, 0, 1, 0, 1, 1, '0.5',",
          " NULL);")
elseif format == "lua" then
    write("1", "local d = tm.synth('corral', {n = 8, p = 6}) local r = tm.lasso(d, {lambda_ratio = ",
          "0.2, max_iter = 9}):wait() print(r.gap, r.model:top(2)) tm.table({{a = 1}}, {'a'})")
    write("2", "local d = tm.dataset{x = {{1, 2}, {3, 4}, {5, 7}}, y = {1, 2, 4}} print(d.n, d.p) ",
          "local a, b = d:split{test = 0.5, seed = 1} print(tm.holm{0.1, 0.01})")
    write("3", "local s = tm.sweep{data = tm.synth('corral', {n = 8, p = 6}), method = 'lasso', ",
          "grid = {lambda_ratio = {0.5}}, folds = 2, metric = 'r2'}:wait() print(s:best('r2'))")
elseif format == "command" then
    write("1", "fit\nd.svm\n--method\nlasso\n--lambda-ratio\n0.2\n--json")
    write("2", "fit\nd.svm\n--method\nl1logistic\n--lambdas\n3\n--model\nm.json\n--store\ns.db")
    write("3", "predict\nm.json\nd.svm\n--as\nscore")
    write("4", "convert\nd.svm\nd.csv.gz")
    write("5", "runs\nlist\n--store\ns.db\n--json")
    write("6", "help\nfit\n--as\nman")
elseif format == "graph" then
    write("1", "1 2\n3 4 0.5\n\"x y\" z\n")
    write("2", ("0\n"):rep(11) .. "1\n")
    write("3", "%%MatrixMarket matrix coordinate real general\n12 12 2\n2 1 0.5\n1 12 2\n")
else
    -- Genotypes: sizes and cuts first, then .fam, .bim and .bed.
    local fam, bim = "f s 0 0 1 2\nf t 0 0 2 1\n", "1 rs1 0 100 A G\n"
    local size = #fam + #bim + 4
    write("1", string.char(1, 0, 256 * #fam // size + 1, 256 * #bim // (size - #fam) + 1), fam, bim,
          "\x6c\x1b\x01\x0b")
end
