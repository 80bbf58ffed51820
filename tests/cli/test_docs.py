#!/usr/bin/python3
"""The Lua and the commands in README.md and docs/ run as they stand.

Commands find the files that they name: docs_files.py makes them. A block of commands that is not
run has a comment before it that says why: <!-- not run: REASON -->. A block of Lua that builds on
what the text around it describes has one with the Lua that makes that, which the pages do not show:

    <!-- given: tr, te = tm.synth("saif", {n=20, p=5}), tm.synth("saif", {n=20, p=5}) -->
    ```lua
    tm.lasso(tr, {test=te})
    ```
"""
import os
import re
import subprocess
import unittest

import docs_files
from tamis_cli import BIN, ROOT, TIMEOUT, Case, environment, tamis

PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("**/*.md"))]
COMMANDS = re.compile(r"(?P<not><!-- not run: \S.*? -->\n)?^```sh\n(?P<code>.*?)^```$", re.M | re.S)
BLOCK = re.compile(r"(?:<!-- given: (?P<given>.*?) -->\n)?^```lua\n(?P<code>.*?)^```$", re.M | re.S)


def blocks(page):
    text = page.read_text(encoding="utf-8")
    for found in BLOCK.finditer(text):
        yield text[:found.start("code")].count("\n"), found["given"] or "", found["code"]


class Docs(Case):
    def run_page(self, page):
        count = 0
        for line, given, code in blocks(page):
            with self.subTest(f"{page.name}:{line}"):
                script = self.write("block.lua", f"{given}\n{code}")
                run = tamis("run", script, cwd=self.folder)
                self.assertEqual((run.returncode, run.stderr), (0, ""), code)
                count += 1
        return count

    def test_every_block_runs(self):
        os.symlink(ROOT / "examples", self.folder / "examples")
        written = sum(len(re.findall(r"^```lua$", page.read_text(encoding="utf-8"), re.M))
                      for page in PAGES)
        self.assertGreater(written, 5)
        self.assertEqual(sum(self.run_page(page) for page in PAGES), written)

    def test_every_command_runs(self):
        run = 0
        for page in PAGES:
            text = page.read_text(encoding="utf-8")
            for found in COMMANDS.finditer(text):
                line = text[:found.start("code")].count("\n")
                if not found["not"]:
                    with self.subTest(f"{page.name}:{line}"):
                        run += 1
                        self.run_commands(found["code"])
        self.assertGreater(run, 10)

    def run_commands(self, code):
        folder = self.folder / f"commands{len(list(self.folder.iterdir()))}"
        folder.mkdir()
        docs_files.make(folder, BIN)
        os.symlink(ROOT / "examples", folder / "examples")
        code = code.replace("build/src/cli/tamis", "tamis")
        env = environment(BIN=str(BIN), HOME=str(folder), XDG_STATE_HOME=str(folder / "state"))
        for command in code.splitlines():
            script = 'tamis() { "$BIN" "$@"; }; ' + command
            done = subprocess.run(["bash", "-c", script], cwd=folder, env=env, capture_output=True,
                                  text=True, timeout=TIMEOUT, stdin=subprocess.DEVNULL)
            self.assertEqual(done.returncode, 0, f"{command}\n{done.stderr}")

    def test_commands_are_marked_as_such(self):
        for page in PAGES:
            parts = re.split(r"^```(\w*)$", page.read_text(encoding="utf-8"), flags=re.M)
            for kind, block in zip(parts[1::4], parts[2::4]):
                if kind == "":
                    self.assertNotRegex(block, r"(?m)^(tamis |scripts/\w)", page.name)


if __name__ == "__main__":
    unittest.main()
