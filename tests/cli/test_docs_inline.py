#!/usr/bin/python3
"""The commands in the text and the tables of README.md and docs/, as `tamis fit ...`: each runs,
or, where it has placeholders (FILE, [--size 120x40], ...), its words are those of the tables of
options that the completion of the shells is made from. Scripts exist and know their options, and
what is called tm.NAME exists. Blocks are test_docs.py's."""
import os
import re
import shlex
import subprocess
import unittest

import docs_files
from tamis_cli import BIN, ROOT, TIMEOUT, Case, environment, tamis

PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("**/*.md"))]
BLOCK = re.compile(r"^```.*?^```$|<!--.*?-->", re.M | re.S)
SPAN = re.compile(r"(?<!`)(`+)(?!`)(.+?)(?<!`)\1(?!`)", re.S)
# A word that stands for another: FILE, SCRIPT.lua, 'LUA', 2/N, [ARG...], ...
PLACEHOLDER = re.compile(r"(?:.*=)?'?[A-Z][A-Z0-9]*(?:\.\w+)?'?$|.*[\[\]*]|\.\.\.$|.*\.\.\.")
NEEDED = {"run": 1, "eval": 1, "fit": 1, "predict": 2, "info": 1, "convert": 2, "report": 1,
          "runs": 2, "tamis": 1}  # words without which a command is only mentioned
FOREIGN = {"destdir", "enable-recovery"}  # options of meson and mpirun
# These would keep the test waiting: a terminal's keys, or a prompt.
WAITS = {"repl", "tamis"}
ELSEWHERE = {"tamis learn --check"}  # run by test_learn.py


def spans():
    """(page, line, text) of every `text` outside of blocks."""
    for page in PAGES:
        text = BLOCK.sub(lambda found: "\n" * found[0].count("\n"),
                         page.read_text(encoding="utf-8"))
        for found in SPAN.finditer(text):
            yield page, text.count("\n", 0, found.start()) + 1, " ".join(found[2].split())


def commands(first):
    for page, line, text in spans():
        text = text.replace("build/src/cli/tamis", "tamis")
        if re.match(rf"(?:[A-Z_]+=\S+ )*{first}(?: |$)", text):
            yield f"{page.name}:{line}: {text}", text


def table():
    """Of each command its options with their choices, and the names of all commands."""
    lines = tamis("help", "--as", "bash").stdout.split("<<'END'\n", 1)[1].split("\nEND", 1)[0]
    options, names = {}, []
    for line in lines.split("\n"):
        command, option, value, choices, _ = line.split("|", 4)
        if option:
            options.setdefault(command, {})[option] = (value == "value", choices.split())
        elif command == "tamis":
            names = choices.split()
    return options, names


class Inline(Case):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.options, cls.names = table()
        cls.every = {option for rows in cls.options.values() for option in rows}

    def test_the_table_is_the_whole(self):
        self.assertEqual(len(self.names), 12)
        for command in self.names:
            self.assertIn("help", self.options[command])
        self.assertEqual(self.options["fit"]["missing"], (True, ["error", "mean", "drop"]))

    def parsed(self, text):
        """The command, its words, and whether one of them is a placeholder."""
        words = shlex.split(text.replace("[", " [ ").replace("]", " ] "))[1:]
        command = words[0] if words and words[0] in self.names else "tamis"
        words = words[1:] if command != "tamis" else words
        return command, words, bool(re.search(r"[\[*]", text)) or any(
            PLACEHOLDER.match(word) for word in words if not word.startswith("--"))

    def of(self, command, words):
        """The options of a command, with those of the method that is named."""
        method = words[words.index("--method") + 1] if "--method" in words[:-1] else None
        return {**self.options[command], **self.options.get(f"{command}:{method}", {})}

    def check(self, command, words):
        """Options are the command's, and values among their choices; the other words."""
        others, last, options = [], None, self.of(command, words)
        if command == "run" and any(word.startswith("examples/") for word in words):
            script = next(word for word in words if word.startswith("examples/"))
            self.assertTrue((ROOT / script).exists(), script)  # with options of its own
            return []
        for word in words:
            option = re.match(r"--([\w-]+)(?:=(.*))?$", word)
            if last and not option:
                if last[1] and not PLACEHOLDER.match(word):
                    for part in word.split("|"):
                        self.assertIn(part, last[1])
                last = None
            elif option:
                name = option[1].replace("_", "-") if len(option[1]) > 1 else option[1]
                self.assertIn(name, list(options))
                takes, choices = options[name]
                last = (takes, choices) if takes and option[2] is None else None
                if choices and option[2]:
                    self.assertIn(option[2], choices)
            elif word not in "[]&":
                others.append(word)
        return others

    def test_every_command_runs_or_is_made_of_the_tables_words(self):
        docs_files.make(self.folder, BIN)
        docs_files.make_more(self.folder, BIN)
        os.symlink(ROOT / "examples", self.folder / "examples")
        ran, parsed = set(), 0
        for where, text in commands("tamis"):
            with self.subTest(where):
                command, words, general = self.parsed(text)
                others = self.check(command, words)
                if command == "runs" and others:
                    self.assertIn(others[0], tamis("runs", "--help").stdout.split("[OPTION")[0])
                enough = len(others) >= NEEDED.get(command, 0)
                if general or not enough or command in WAITS:
                    parsed += 1
                elif text not in ran | ELSEWHERE:
                    ran.add(text)
                    self.run_command(command, text)
        self.assertGreater(len(ran), 10)
        self.assertGreater(parsed, 40)

    def run_command(self, command, text):
        folder = self.folder
        if command == "eval":  # what it writes would be as large as the text says
            folder = self.folder / "eval"
            folder.mkdir(exist_ok=True)
        env = environment(BIN=str(BIN), HOME=str(self.folder),
                          XDG_STATE_HOME=str(self.folder / "state"))
        done = subprocess.run(["bash", "-c", 'tamis() { "$BIN" "$@"; }; ' + text + "\nwait"],
                              cwd=folder, env=env, capture_output=True, text=True,
                              timeout=TIMEOUT, stdin=subprocess.DEVNULL)
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_scripts_exist_and_know_their_words(self):
        count = 0
        for where, text in commands(r"scripts/[\w-]+(?:\.py)?"):
            with self.subTest(where):
                words = [word for word in text.split() if not re.match(r"[A-Z_]+=", word)]
                script = ROOT / words[0]
                self.assertTrue(script.suffix == ".py" or os.access(script, os.X_OK), script)
                source = script.read_text(encoding="utf-8")
                if script.name == "bench":
                    source += "".join(path.read_text(encoding="utf-8") for path in
                                      (ROOT / "tests/bench").glob("bench_*.py"))
                for word in words[1:]:
                    if not re.match(r"[\d.]+$|[A-Z]+$", word):
                        known = re.search(rf"(?<![\w-]){re.escape(word)}(?![\w-])", source)
                        self.assertTrue(known, f"{script.name} does not know {word}")
                count += 1
        self.assertGreater(count, 80)

    def test_options_are_some_commands(self):
        scripts = "".join(path.read_text(encoding="utf-8") for path in
                          [*(ROOT / "scripts").iterdir(), *(ROOT / "examples").glob("**/*.lua")]
                          if path.is_file())
        for page, line, text in spans():
            for option in re.findall(r"(?<!\S)--([a-zA-Z][\w-]*)",
                                     text if text.startswith("--") else ""):
                with self.subTest(f"{page.name}:{line}: {text}"):
                    self.assertTrue(option.replace("_", "-") in self.every or option in self.every
                                    or f"--{option}" in scripts or option in FOREIGN)

    def test_functions_exist(self):
        names = sorted({name for _, _, text in spans()
                        for name in re.findall(r"\btm\.(\w+(?:\.\w+)?)(?=[({\s]|$)", text)
                        if not name.split(".")[-1].isupper()
                       and name not in ("ui.data", "ui.run")})  # of a workbench alone
        self.assertGreater(len(names), 25)
        script = self.write("names.lua", "local list = {" + ",".join(map(repr, names)) + "}\n"
                            "for _, name in ipairs(list) do\n  local at = tm\n"
                            "  for part in name:gmatch('%w+') do at = at and at[part] end\n"
                            "  if at == nil then print(name) end\nend")
        self.assertEqual(self.good("run", script), "")


if __name__ == "__main__":
    unittest.main()
