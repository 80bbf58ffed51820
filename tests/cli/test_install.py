#!/usr/bin/python3
"""What `meson install` puts down: a library that other programs are built with, manual pages, and
completion of command lines, which bash tries here."""
import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import unittest

from tamis_cli import BIN, GOLUB, ROOT, TIMEOUT, environment, tamis

BUILD = pathlib.Path(BIN).resolve().parents[2]
HEADERS = ROOT / "include/tamis"


def run(*command, **options):
    return subprocess.run([str(word) for word in command], capture_output=True, text=True,
                          timeout=TIMEOUT, check=True, **options).stdout


@unittest.skipIf(re.search("san|coverage", os.environ.get("TAMIS_BUILD", "")),
                 "an instrumented library needs its runtime")
class Installed(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(tempfile.mkdtemp(prefix="tamis-install-"))
        cls.addClassCleanup(shutil.rmtree, cls.folder)
        # --no-rebuild: other tests use the program meanwhile.
        run("meson", "install", "-C", BUILD, "--no-rebuild", "--destdir", cls.folder)
        cls.library = next(cls.folder.rglob("libtamis.so"))
        cls.pc = next(cls.folder.rglob("tamis.pc"))

    def flags(self, *words):
        variables = environment(PKG_CONFIG_PATH=str(self.pc.parent),
                                PKG_CONFIG_SYSROOT_DIR=str(self.folder))
        return run("pkg-config", *words, "tamis", env=variables).split()

    def test_a_program_is_built_with_the_library(self):
        program = self.folder / "path"
        run("cc", "-std=c17", "-Wall", "-Wextra", "-Werror", "-o", program,
            ROOT / "examples/c/path.c", *self.flags("--cflags", "--libs"))
        variables = environment(LD_LIBRARY_PATH=str(self.library.parent))
        out = run(program, GOLUB, "lasso", env=variables).splitlines()
        self.assertEqual((len(out), [line.split()[-1] for line in out]), (10, ["converged"] * 10))
        failed = subprocess.run([program, "nothing.svm"], env=variables, capture_output=True,
                                text=True, timeout=TIMEOUT)
        self.assertEqual(failed.returncode, 1)
        self.assertIn("nothing.svm", failed.stderr)

    def test_the_static_library_names_what_it_needs(self):
        program = self.folder / "static"
        needed = re.search(r"^Requires.private: (.*)", self.pc.read_text(), re.M)[1].split(",")
        names = [word.split()[0] for word in needed]
        private = re.search(r"^Libs.private:(.*)", self.pc.read_text(), re.M)[1].split()
        run("cc", "-o", program, ROOT / "examples/c/path.c", f"-I{HEADERS.parent}",
            self.library.with_suffix(".a"), *run("pkg-config", "--libs", *names).split(),
            *(word for word in private if word.startswith("-l")))
        self.assertIn("converged", run(program, GOLUB, "l1logistic"))

    def test_the_symbols_are_those_of_the_headers(self):
        """What a header declares is there, and nothing else."""
        text = "".join(path.read_text() for path in HEADERS.glob("*.h"))
        text = re.sub(r"/\*.*?\*/", "", text, flags=re.S)
        text = re.sub(r"static inline [^{]*\{.*?\n\}", "", text, flags=re.S)
        declared = set(re.findall(r"^(?!typedef)[\w *]+[ *](tm_\w+)[(\[]", text,
                                  re.M))
        exported = {line.split()[-1] for line in run("nm", "-D", "--defined-only", self.library)
                    .splitlines()}
        self.assertEqual(declared - exported, set())
        self.assertEqual(exported - declared, set())

    def test_no_symbol_of_the_committed_interface_is_gone(self):
        exported = {line.split()[-1] for line in run("nm", "-D", "--defined-only", self.library)
                    .splitlines()}
        kept = re.findall(r"^ (tm_\w+)@", (ROOT / "debian/libtamis1.symbols").read_text(), re.M)
        self.assertGreater(len(kept), 400)
        self.assertEqual(set(kept) - exported, set(),
                         "what uses them would break: scripts/abi, and a new soversion")

    def test_each_command_has_a_manual_page(self):
        pages = {path.name for path in self.folder.rglob("man?/*.[17]")}
        commands = re.findall(r"^  tamis (\w+)", tamis("--help").stdout, re.M)
        self.assertEqual(pages, {"tamis.1", "tamis-lua.7"} |
                         {f"tamis-{command}.1" for command in commands if command != "help"})
        for path in self.folder.rglob("man?/*.[17]"):
            text = path.read_text()
            self.assertRegex(text, r"^\.TH ", path.name)
            self.assertIn(".SH DESCRIPTION", text, path.name)
            known = r"TH|SH|SS|TP|PP|B|BR|I|RS|RE|nf|fi"
            self.assertEqual(re.findall(rf"^\.(?!{known}).*", text, re.M), [])

    def test_each_option_of_the_help_is_in_its_page(self):
        for command in ("fit", "runs", "convert"):
            page = next(self.folder.rglob(f"tamis-{command}.1")).read_text().replace("\\-", "-")
            for option in re.findall(r"^  --([\w-]+)", tamis(command, "--help").stdout, re.M):
                self.assertIn(f"\\fB--{option}\\fR", page, command)

    def test_completions_are_there(self):
        for name in ("tamis.bash", "_tamis", "tamis.fish"):
            text = next(self.folder.rglob(name)).read_text()
            self.assertIn("l1logistic", text, name)


class Completion(unittest.TestCase):
    """The bash function, called as bash calls it."""

    def completed(self, *words):
        script = ('source <("$BIN" help --as bash); COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); '
                  '_tamis; printf "%s\\n" "${COMPREPLY[@]}"')
        return run("bash", "-c", script, "bash", *words, env=environment(BIN=BIN), cwd=ROOT).split()

    def test_commands_options_and_values(self):
        for words, expected in (
                (("tamis", "fi"), {"fit"}),
                (("tamis", "fit", "x", "--meth"), {"--method"}),
                (("tamis", "fit", "x", "--method", "l1"), {"l1logistic", "l1svm"}),
                (("tamis", "fit", "x", "--method", "=", "l1"), {"l1logistic", "l1svm"}),
                (("tamis", "fit", "x", "--method", "lasso", "--scre"), {"--screen"}),
                (("tamis", "fit", "x", "--method", "ridge", "--scre"), set()),
                (("tamis", "fit", "x", "--method", "lasso", "--screen", "sai"), {"saif"}),
                (("tamis", "runs", "pru"), {"prune"}),
                (("tamis", "methods", "gom"), {"gomp"}),
                (("tamis", "learn", "screen"), {"screening"}),
                (("tamis", "--color", "nev"), {"never"}),
                (("tamis", "fit", "x", "--method", "genlasso", "--graph", "gr"), {"grid:"}),
                (("tamis", "fit", "x", "--method", "genlasso", "--graph", "par"), {"parents:"}),
                (("tamis", "fit", "x", "--method", "genlasso", "--graph", "READ"), {"README.md"}),
                (("tamis", "fit", "x", "--method", "genlasso", "--graph", "rows", ":", "READ"),
                 {"README.md"}),  # readline divides at colons
                (("tamis", "info", "READ"), {"README.md"})):
            self.assertEqual(set(self.completed(*words)), expected, words)

    def test_other_shells_read_theirs(self):
        for shell in ("bash", "zsh", "fish"):
            text = tamis("help", "--as", shell).stdout
            self.assertIn("screen", text)
            if shutil.which(shell):
                run(shell, "-n", "/dev/stdin", input=text)

    def test_fish_has_words_and_files(self):
        if not shutil.which("fish"):
            self.skipTest("fish is missing")
        script = 'source (%s help --as fish | psub); complete -C "$argv[1]"' % BIN

        def words(line):
            found = run("fish", "-c", script, line, cwd=ROOT)
            return {row.split("\t")[0] for row in found.split("\n")} - {""}
        line = "tamis fit x --method genlasso --graph "
        self.assertEqual(words(line + "gri"), {"grid:"})
        self.assertLessEqual({"chain", "data", "parents:", "README.md"}, words(line))
        self.assertEqual(words("tamis fit x --method genlasso --screen bou"), {"bounds"})

    def test_zsh_has_words_and_files(self):
        """The functions that hand words to the line editor are replaced by ones that print."""
        if not shutil.which("zsh"):
            self.skipTest("zsh is missing")
        script = """
            setopt extendedglob  # as where completions run
            compdef() { : }
            compset() { print "compset $2" }
            compadd() { print -l -- ${argv:#-*} }
            _files() { print FILES }
            source =("$BIN" help --as zsh)
            words=("$@"); CURRENT=$#
            _tamis"""

        def said(*words):
            return run("zsh", "-f", "-c", script, "zsh", *words, env=environment(BIN=BIN)).split()
        graph = said("tamis", "fit", "x", "--method", "genlasso", "--graph", "")
        self.assertLessEqual({"chain", "grid:", "data", "rows:", "FILES"}, set(graph))
        self.assertNotIn("FILE", graph)
        self.assertEqual(said("tamis", "fit", "x", "--method", "genlasso", "--graph", "rows:d"),
                         ["compset", "*:", "FILES"])

    def test_wrong_forms_are_refused(self):
        for words, said in ((("help", "--as", "csh"), "expected man, bash, zsh or fish"),
                            (("help", "lasso", "--as", "man"), "no manual page of 'lasso'"),
                            (("help", "fit", "--as", "bash"), "whole command line")):
            run_ = tamis(*words)
            self.assertEqual(run_.returncode, 2)
            self.assertIn(said, run_.stderr)


if __name__ == "__main__":
    unittest.main()
