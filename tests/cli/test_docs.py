#!/usr/bin/python3
"""The Lua in README.md and docs/ runs as it stands.

A block that builds on what the text around it describes has an HTML comment before it with the Lua
that makes that, which the pages do not show:

    <!-- given: tr, te = tm.synth("saif", {n=20, p=5}), tm.synth("saif", {n=20, p=5}) -->
    ```lua
    tm.lasso(tr, {test=te})
    ```
"""
import os
import re
import unittest

from tamis_cli import ROOT, Case, tamis

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
        pages = [ROOT / "README.md", *sorted((ROOT / "docs").glob("**/*.md"))]
        written = sum(len(re.findall(r"^```lua$", page.read_text(encoding="utf-8"), re.M))
                      for page in pages)
        self.assertGreater(written, 5)
        self.assertEqual(sum(self.run_page(page) for page in pages), written)


if __name__ == "__main__":
    unittest.main()
