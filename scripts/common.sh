# Shared by the scripts beside it; sourced, never run. Changes to the project's top folder.
cd "$(dirname "${BASH_SOURCE[0]}")/.."

say() {
    printf '== %s\n' "$*"
}

# build_tree DIR [MESON OPTION...]: configures DIR when it is not yet, then builds all of it, or the
# targets that the command $targets prints. A tree that was configured for another place (a moved or
# copied checkout) is made again.
build_tree() {
    local dir=$1 log made
    shift
    if [ -e "$dir" ] && ! grep -qsF "\"source\": \"$PWD\"" "$dir/meson-info/meson-info.json"; then
        rm -rf "$dir"
    fi
    log=$(mktemp)
    if ! { [ -f "$dir/build.ninja" ] || meson setup "$dir" "$@"; } >"$log" 2>&1 ||
        ! ninja -C "$dir" build.ninja >>"$log" 2>&1 || ! made=$(${targets:-}) ||
        ! xargs ninja -C "$dir" <<<"$made" >>"$log" 2>&1; then
        tail -n 100 "$log"
        rm -f "$log"
        printf 'building %s failed\n' "$dir" >&2
        return 1
    fi
    grep -E 'warning:' "$log" || true
    rm -f "$log"
}
