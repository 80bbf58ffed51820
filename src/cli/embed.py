"""embed.py OUT.c FILE.lua...: the lessons as C, in the order given, for learn.c."""
import pathlib
import sys


def quoted(line):
    escaped = line.replace("\\", "\\\\").replace('"', '\\"').replace("?", "\\?")
    return f'    "{escaped}\\n"'


out = ['#include "cli/lessons.h"', "", "const cli_lesson cli_lessons[] = {"]
for name in sys.argv[2:]:
    path = pathlib.Path(name)
    lines = path.read_text(encoding="utf-8").splitlines()
    out += [f'    {{"{path.stem}",', *map(quoted, lines), "    },"]
out += ["};", "const size_t cli_lesson_count = sizeof cli_lessons / sizeof cli_lessons[0];", ""]
pathlib.Path(sys.argv[1]).write_text("\n".join(out), encoding="utf-8")
