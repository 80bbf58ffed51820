-- A few small files of one format for the fuzzer to start from: tamis run seeds.lua FOLDER FORMAT.
local folder, format = arg[1], arg[2]
local ending = ({libsvm = "svm", npy = "npz", plink = false})[format]
if ending == nil then ending = format end
local small = tm.synth("gfl", {n = 6, p = 5, noise = 0.5})
local corral = tm.synth("corral", {n = 8, p = 6})
if ending then
    for k, d in ipairs{small, corral} do d:save(folder .. "/" .. k .. "." .. ending) end
else
    -- Genotypes: sizes and cuts first, then .fam, .bim and .bed.
    local fam, bim = "f s 0 0 1 2\nf t 0 0 2 1\n", "1 rs1 0 100 A G\n"
    local size = #fam + #bim + 4
    local file = assert(io.open(folder .. "/1", "wb"))
    file:write(string.char(1, 0, 256 * #fam // size + 1, 256 * #bim // (size - #fam) + 1), fam, bim,
               "\x6c\x1b\x01\x0b")
    file:close()
end
