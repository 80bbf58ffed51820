-- The process's peak memory so far in KB (Linux), as text. For scripts/bench.
return function()
    for line in io.lines("/proc/self/status") do
        local kb = line:match("^VmHWM:%s*(%d+)")
        if kb then return kb end
    end
    return "0"
end
