"""embed.py OUT.c RUNNER.lua LESSON.lua...: the runner and the lessons as C, in the order given."""
import pathlib
import sys


def quoted(line):
    escaped = line.replace("\\", "\\\\").replace('"', '\\"').replace("?", "\\?")
    return f'    "{escaped}\\n"'


def lines(name):
    return map(quoted, pathlib.Path(name).read_text(encoding="utf-8").splitlines())


out = ['#include "script/lessons/rows.h"', "", "const char lesson_runner[] =", *lines(sys.argv[2])]
out[-1] += ";"
out += ["", "const lesson_row lesson_rows[] = {"]
for path in sys.argv[3:]:
    out += [f'    {{"{pathlib.Path(path).stem}",', *lines(path), "    },"]
out += ["};", "const size_t lesson_count = sizeof lesson_rows / sizeof lesson_rows[0];", ""]
pathlib.Path(sys.argv[1]).write_text("\n".join(out), encoding="utf-8")
