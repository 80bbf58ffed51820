-- Data by a word: a file, or NAME:N:P or NAME:N:P:K for a generator of tm.synth with n rows, p
-- features and k of them that matter. For scripts/bench.
return function(spec)
    local name, n, p, k = spec:match("^([%a_]+):(%d+):(%d+):?(%d*)$")
    if not name then return tm.load(spec) end
    local sizes = {n = math.tointeger(n), p = math.tointeger(p), seed = 3}
    if k ~= "" then sizes.k = math.tointeger(k) end
    return tm.synth(name, sizes)
end
