-- Loads a file and prints seconds, rows, columns, entries, bytes of the matrix, and by how much the
-- most memory ever held exceeds what was held before: tamis run load.lua FILE [TIMES].
local function memory(key)
  for line in io.lines("/proc/self/status") do
    local kilobytes = line:match("^" .. key .. ":%s+(%d+) kB")
    if kilobytes then return 1024 * tonumber(kilobytes) end
  end
end

local before = memory("VmRSS")
local began = os.clock()
local d = tm.load(arg[1])
local seconds = os.clock() - began
local entry = d.kind == "csc" and 12 or 8
print(seconds, d.n, d.p, d.nnz, entry * d.nnz, memory("VmHWM") - before)
