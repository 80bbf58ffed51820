"""What the scripts that read the source have in common: the rooms, the C files, circles.

A room is a folder of src/ with C files in it. ROOMS is the order of the house: a room may use
itself and those rooms above it in the table that its line lists; "data*" stands for data and all
rooms in it. "Use" is both to include a header and to call a function.
"""
import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parent.parent

ROOMS = {
    "base": "",
    "base/numeric": "base",
    "base/params": "base",
    "base/ranks": "base",
    "base/threads": "base",
    "data/matrix": "base*",
    "data/ranks": "base* data/matrix",
    "data": "base* data/matrix data/ranks",
    "data/source": "base* data data/matrix data/ranks",
    "data/pairs": "base* data data/matrix",
    "data/sums": "base* data data/matrix",
    "data/bytes": "base* data/matrix",
    "data/tiles": "base* data/matrix",
    "data/bags": "base* data data/matrix",
    "data/shards": "base* data data/matrix data/ranks",
    "data/split": "base* data data/matrix",
    "data/synth": "base* data data/matrix",
    "data/write": "base* data data/matrix",
    "data/read/common": "base* data data/matrix",
    "data/read/csv": "base* data data/matrix data/read/common",
    "data/read/format": "base* data data/matrix data/read/common data/write",
    "data/read/hdf5": "base* data data/matrix data/read/common",
    "data/read/mat": "base* data data/matrix data/read/common data/read/hdf5",
    "data/read": "base* data data/bags data/matrix data/write data/read/*",
    "model/loss": "base* data*",
    "model/kernel": "base* data data/matrix data/pairs",
    "model/penalty": "base* data* model/loss",
    "model": "base* data* model/loss model/kernel model/penalty",
    "model/metric": "base* data* model model/loss",
    "model/certificate": "base* data* model*",
    "screen": "base* data* model*",
    "solve/common": "base* data* model* screen",
    "solve/gram": "base* data* model* solve/common",
    "solve/l1/gram": "base* data* model* solve/common",
    "solve/l1/core": "base* data* model* screen solve/common solve/gram solve/l1/gram",
    "solve/l1/tall": "base* data* model* screen solve/common solve/gram solve/l1/core "
                     "solve/l1/gram",
    "solve/l1/strategy": "base* data* model* screen solve/common solve/gram solve/l1/core "
                         "solve/l1/gram solve/l1/tall",
    "solve/l1": "base* data* model* screen solve/common solve/gram solve/l1/*",
    "solve/kernel": "base* data* model* screen solve/common solve/gram solve/l1*",
    "solve/structure/flow": "base* data* model* solve/common",
    "solve/structure/screening": "base* data* model*",
    "solve/structure": "base* data* model* screen solve/common solve/gram solve/l1* "
                       "solve/structure/flow solve/structure/screening",
    "solve/group": "base* data* model* screen solve/common solve/gram",
    "solve/ridge": "base* data* model* solve/common solve/gram",
    "solve/samples": "base* data* model* solve/common",
    "solve/fgm": "base* data* model* solve/common solve/gram",
    "solve/multi": "base* data* model* solve/common solve/gram solve/fgm",
    "solve": "base* data* model* screen solve/*",
    "run/table": "base* data* model* solve*",
    "run": "base* data* model* solve* run/table",
    "run/plan": "base* data* model* solve* run run/table",
    "run/store": "base* data* model* solve* run run/plan run/table",
    "run/sweep": "base* data* model* solve* run*",
    "plot": "base",
    "plot/file": "base plot",
    "script/common": "base* data* model* screen solve* run* plot*",
    "script/objects/data": "base* data* model* run* script/common",
    "script/objects": "base* data* model* screen solve* run* plot* script/common "
                      "script/objects/data",
    "script/objects/plot": "base* data* model* screen solve* run* plot* script/common "
                           "script/objects script/objects/data",
    "script/objects/sweep": "base* data* model* screen solve* run* plot* script/common "
                            "script/objects script/objects/data script/objects/plot",
    "script/lessons": "base* data* model* screen solve* run* plot* script/common script/objects",
    "script/api": "base* data* model* screen solve* run* plot* script/common script/objects* "
                  "script/lessons",
    "script": "base* data* model* screen solve* run* plot* script/*",
    "script/complete": "base* data* model* screen solve* run* script*",
    "mpi": "base",
    "tui/terminal": "base plot",
    "tui/prompt": "base tui/terminal",
    "tui/pins": "base* data* model* screen solve* run*",
    "tui/explore": "base* data* model* screen solve* run* tui/pins",
    "tui/session": "base* data* model* screen solve* run* plot* script tui/prompt tui/pins "
                   "tui/explore",
    "tui/record": "base* data* model* solve* run* plot* script tui/prompt tui/pins tui/explore "
                  "tui/session",
    "tui/dual": "base* data* model* screen solve* run* plot* script tui/prompt tui/pins "
                "tui/explore tui/session",
    "tui/time": "base* data* model* screen solve* run* plot* script tui/prompt tui/pins "
                "tui/explore tui/session",
    "tui/widgets": "base* data* model* screen solve* run* plot* tui/terminal tui/prompt tui/pins "
                   "tui/explore tui/session tui/time",
    "tui/shell": "base* data* model* screen solve* run* plot* script* tui/terminal tui/prompt "
                 "tui/pins tui/explore tui/session tui/time tui/widgets",
    "tui/views/answer": "base* data* model* screen solve* run* plot* script tui/terminal "
                        "tui/prompt tui/pins tui/explore tui/session tui/time tui/widgets "
                        "tui/shell",
    "tui/views/lessons": "base* data* model* screen solve* run* plot* script* tui/terminal "
                         "tui/prompt tui/pins tui/explore tui/session tui/time tui/widgets "
                         "tui/shell",
    "tui/views/picture": "base* data* model* screen solve* run* plot* script tui/terminal "
                         "tui/prompt tui/pins tui/explore tui/session tui/time tui/widgets "
                         "tui/shell",
    "tui/views/race": "base* data* model* screen solve* run* plot* script tui/terminal tui/prompt "
                      "tui/pins tui/explore tui/session tui/time tui/widgets tui/shell",
    "tui/views/screen": "base* data* model* screen solve* run* plot* script tui/terminal "
                        "tui/prompt tui/pins tui/explore tui/session tui/dual tui/time tui/widgets "
                        "tui/shell",
    "tui/views/sweeps": "base* data* model* screen solve* run* plot* script tui/terminal "
                        "tui/prompt tui/pins tui/explore tui/session tui/time tui/widgets "
                        "tui/shell",
    "tui/views": "base* data* model* screen solve* run* plot* script tui/terminal tui/prompt "
                 "tui/pins tui/explore tui/session tui/time tui/widgets tui/shell tui/views/*",
    "tui": "base* data* model* screen solve* run* plot* script* tui/*",
    "cli/print": "base* data* model* screen solve* run* plot* script",
    "cli/common": "base* data* model* screen solve* run* plot* script* cli/print",
    "cli/ranks": "base* data* model* screen solve* run* plot* script* mpi cli/print cli/common",
    "cli/fit": "base* data* model* screen solve* run* plot* script* mpi cli/print cli/common "
               "cli/ranks",
    "cli/manual": "base* data* model* screen solve* run* plot* script* cli/print cli/common",
    "cli": "base* data* model* screen solve* run* plot* script* mpi tui cli/*",
}


def allowed_rooms(rooms=None):
    """{room: the rooms it may use}, and what is wrong with the table itself."""
    rooms = ROOMS if rooms is None else rooms
    order, allowed, wrong = list(rooms), {}, []
    for room, text in rooms.items():
        uses = {room}
        for word in text.split():
            stem = word.removesuffix("*").removesuffix("/")
            found = {r for r in order[:order.index(room)]
                     if r == word or word.endswith("*") and
                     (r.startswith(stem + "/") or r == stem and not word.endswith("/*"))}
            if not found:
                wrong.append(f"{room} lists '{word}', which is no room above it")
            uses |= found
        allowed[room] = uses
    return allowed, wrong


def room_of(path, src):
    """The room of a file: its folder's name from src/."""
    return str(path.parent.relative_to(src))


def c_files(*folders):
    return sorted(path for folder in folders for path in pathlib.Path(folder).rglob("*.[ch]"))


def without_comments(text, strings=True):
    """The same lines with comments blanked, and the insides of strings when `strings`."""
    def blank(match):
        token = match.group(0)
        if token.startswith("/"):
            return re.sub(r"[^\n]", " ", token)
        return token[0] + " " * (len(token) - 2) + token[-1] if strings else token

    return re.sub(r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'', blank, text,
                  flags=re.S)


def includes(text):
    """(line number, kind, name) of each #include that is no comment."""
    code = without_comments(text, strings=False)
    for match in re.finditer(r'^[ \t]*#[ \t]*include[ \t]*([<"])([^>"\n]+)[>"]', code, re.M):
        yield code.count("\n", 0, match.start()) + 1, match[1], match[2]


def circles(graph):
    """The groups of nodes that reach one another (Tarjan), each sorted."""
    index, low, stack, on_stack, found = {}, {}, [], set(), []
    for root in sorted(graph):
        if root in index:
            continue
        work = [(root, iter(sorted(graph.get(root, ()))))]
        index[root] = low[root] = len(index)
        stack.append(root)
        on_stack.add(root)
        while work:
            node, targets = work[-1]
            for target in targets:
                if target not in index:
                    index[target] = low[target] = len(index)
                    stack.append(target)
                    on_stack.add(target)
                    work.append((target, iter(sorted(graph.get(target, ())))))
                    break
                if target in on_stack:
                    low[node] = min(low[node], index[target])
            else:
                work.pop()
                if work:
                    low[work[-1][0]] = min(low[work[-1][0]], low[node])
                if low[node] == index[node]:
                    group = []
                    while not group or group[-1] != node:
                        group.append(stack.pop())
                        on_stack.discard(group[-1])
                    if len(group) > 1:
                        found.append(sorted(group))
    return found


def module_includes(src):
    """{module: modules it includes}: x.c and x.h are one module, named from src/."""
    graph = {}
    for path in c_files(src):
        module = str(path.relative_to(src))[:-2]
        targets = graph.setdefault(module, set())
        for _, kind, name in includes(path.read_text(encoding="utf-8")):
            if kind == '"' and name.endswith(".h") and not name.startswith("tamis/"):
                if not (src / name).exists():
                    name = str((path.parent / name).resolve().relative_to(src.resolve()))
                targets.add(name[:-2])
        targets.discard(module)
    return graph
