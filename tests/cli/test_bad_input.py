#!/usr/bin/python3
"""Input that is broken, impossible or wrongly asked for: one clear line and the right status."""
import lzma
import resource
import subprocess
import unittest

from tamis_cli import BIN, GOLUB, TIMEOUT, Case, environment, random_svm, tamis


class Data(Case):
    """`fit` and `info` refuse the same files."""

    def refused(self, path, says=(), text=None):
        self.fails(1, "fit", path, "--method", "lasso", says=says, text=text)
        self.fails(1, "info", path, says=says, text=text)

    def test_missing_file(self):
        self.refused("no-such-file.svm", says="no-such-file.svm")

    def test_directory(self):
        self.refused(self.folder, says=(str(self.folder), "directory"))

    def test_empty_file(self):
        self.refused(self.write("empty.svm", ""), says="empty.svm")
        self.refused("-", text="")

    def test_blank_lines_alone(self):
        self.refused(self.write("blank.svm", "\n\n  \n# a remark\n"), says="blank.svm")

    def test_truncated_xz(self):
        whole = GOLUB.read_bytes()
        for share in (0.1, 0.5, 0.99):
            path = self.write("cut.svm.xz", whole[:int(len(whole) * share)])
            self.refused(path, says="cut.svm.xz")

    def test_damaged_xz(self):
        whole = bytearray(GOLUB.read_bytes())
        for i in range(5000, 5040):
            whole[i] ^= 0x55
        self.refused(self.write("damaged.svm.xz", bytes(whole)), says="damaged.svm.xz")

    def test_numbers_that_are_none(self):
        for word in ("nan", "NaN", "inf", "-Infinity", "1e400", "abc", "1,5", "", "0x", "1e"):
            with self.subTest(word=word):
                path = self.write("bad.svm", f"1 1:2 2:1\n-1 1:3 2:{word} 3:1\n")
                self.refused(path, says=("bad.svm", "line 2"))

    def test_labels_that_are_none(self):
        for word in ("nan", "1e400", "x"):
            with self.subTest(word=word):
                path = self.write("bad.svm", f"1 1:2\n{word} 1:3\n")
                self.refused(path, says=("bad.svm", "line 2"))

    def test_feature_numbers(self):
        for words in ("1:1 0:1", "2:1 1:1", "2:1 2:3", "-1:2", "1.5:2", "99999999999999999999:1",
                      ":3"):
            with self.subTest(words=words):
                path = self.write("bad.svm", f"1 1:2\n-1 {words}\n")
                self.refused(path, says=("bad.svm", "line 2", "column"))

    def test_csv(self):
        for text in ("a,b,y\n1,2,3\n4,5\n", "a,b,y\n1,2,3\n4,x,6\n", "a,b,y\n1,2,3\n4,,6\n",
                     'a,b,y\n1,"2,3\n4,5,6\n'):
            with self.subTest(text=text):
                self.refused(self.write("bad.csv", text), says=("bad.csv", "line"))

    def test_csv_label_that_is_not_there(self):
        path = self.write("good.csv", "a,b,answer\n1,2,3\n4,5,6\n7,1,2\n")
        self.fails(1, "fit", path, "--method", "lasso", "--label", "anwser", says="anwser")

    def test_binary_rubbish(self):
        self.refused(self.write("rubbish", bytes(range(256)) * 20), says="rubbish")

    def test_expansion_is_capped(self):
        path = self.write("big.svm.xz", lzma.compress(b"1 1:1\n-1 1:2\n" * 100000))
        self.fails(1, "fit", path, "--method", "lasso", "--max-bytes", 10000, says="max_bytes")


class Values(Case):
    def setUp(self):
        super().setUp()
        self.path = self.write("small.svm", random_svm(seed=3)[0])

    def test_lambda(self):
        for value in ("-1", "nan", "inf", "abc", "", "1,,2", "1,-2", "1e400"):
            with self.subTest(value=value):
                self.fails(2, "fit", self.path, "--method", "lasso", f"--lambda={value}",
                           says="lambda")

    def test_other_parameters(self):
        for option in ("--tol=0", "--tol=-1", "--lambda-ratio=0", "--lambdas=0", "--lambdas=1.5",
                       "--max-iter=-1", "--max-seconds=0", "--intercept=maybe", "--screen=siaf",
                       "--lambda-min-ratio=2", "--jobs=0", "--seed=-1", "--charset=latin",
                       "--color=loud", "--format=xml", "--header=perhaps"):
            with self.subTest(option=option):
                self.fails(2, "fit", self.path, "--method", "lasso", option,
                           says=option[2:option.index("=")].replace("-", "_"))

    def test_closest_choice_is_named(self):
        self.fails(2, "fit", self.path, "--method", "lasso", "--screen", "siaf", says="'saif'")


class Usage(Case):
    def test_unknown_names(self):
        for words, hint in ((["fit", "x", "--method", "laso"], "'lasso'"),
                            (["fit", "x", "--method", "lasso", "--lamda", "1"], "'--lambda'"),
                            (["fit", "x", "--method", "lasso", "--lambda-rati", "1"],
                             "'--lambda-ratio'"),
                            (["fit", "x", "--method", "lasso", "--qiet"], "'--quiet'"),
                            (["fti", "x"], "'fit'"), (["metods"], "'methods'"), (["rn"], "'run'"),
                            (["methods", "lassso"], "'lasso'"), (["--versio"], "'--version'")):
            with self.subTest(words=words):
                self.fails(2, *words, says=(hint,))

    def test_far_names_are_not_guessed(self):
        self.assertNotIn("did you mean", self.fails(2, "foo", says="no command"))
        self.assertNotIn("did you mean",
                         self.fails(2, "fit", GOLUB, "--method", "lasso", "--B", 4, says="--B"))
        self.fails(2, "fit", GOLUB, "--method", "svmperf", "--C", 1, "--C_per_row", 1,
                   says="one of them")
        self.fails(2, "fit", GOLUB, "--method", "grouplasso", "--groups", "[1-3; 4 5",
                   says="lacks the ']'")
        self.fails(1, "fit", GOLUB, "--method", "l1logistic", "--lambda", 0,
                   says="a lambda above 0")

    def test_a_store_is_refused_where_nothing_is_recorded(self):
        for words in (["methods"], ["info", str(GOLUB)], ["convert", str(GOLUB), "-"],
                      ["predict", "m.json", str(GOLUB)]):
            with self.subTest(words=words):
                self.fails(2, "--store", "x.db", *words, says=("--store", words[0]))
                self.fails(2, *words, "--store", "x.db", says=("--store", words[0]))
                self.assertNotIn("--store", self.good(words[0], "--help"))

    def test_missing_words(self):
        for words in (["fit"], ["fit", "--method", "lasso"], ["fit", str(GOLUB)], ["info"], ["run"],
                      ["eval"], ["predict"], ["predict", "m.json"], ["fit", str(GOLUB), "--method"],
                      ["fit", str(GOLUB), "--method", "lasso", "--lambda"],
                      ["fit", str(GOLUB), "--method", "lasso", "--tol", "--json"]):
            with self.subTest(words=words):
                self.fails(2, *words)

    def test_too_many_words(self):
        for words in (["fit", "a", "b", "--method", "lasso"], ["info", "a", "b"], ["repl", "a"],
                      ["eval", "1", "2"], ["methods", "lasso", "b"], ["fit", "--json=yes", "a"],
                      ["predict", "a", "b", "c"]):
            with self.subTest(words=words):
                self.fails(2, *words)

    def test_short_options(self):
        self.fails(2, "-x", says="-x")
        self.fails(2, "fit", "-j", "2", says="method")
        self.fails(2, "info", "-j", says="-j")

    def test_double_dash_ends_options(self):
        self.fails(1, "info", "--", "--json", says="--json")

    def test_both_inputs_cannot_be_standard_input(self):
        self.fails(2, "fit", "-", "--test", "-", "--method", "lasso", says="standard input")

    def test_workbench_without_a_terminal(self):
        run = tamis(GOLUB)
        self.assertEqual(run.returncode, 1)
        self.assertEqual(run.stderr.count("\n"), 1, run.stderr)
        self.fails(1, "no-such-file.svm", says="no-such-file.svm")
        self.fails(1, "-", says="needs a terminal")
        self.fails(1, "--script", "no-such.lua", says="no-such.lua")

    def test_full_disk(self):
        for words in (["methods"], ["methods", "--json"], ["info", str(GOLUB)], ["--help"],
                      ["eval", "print(1)"], ["eval", "for i = 1, 1e5 do io.write(i) end"],
                      ["fit", str(GOLUB), "--method", "lasso", "--json"]):
            with self.subTest(words=words), open("/dev/full", "wb") as full:
                self.fails(1, *words, stdout=full,
                           says="standard output failed: No space left on device")

    def test_little_memory(self):
        """Whatever cannot be had, be it OpenBLAS's buffer: the run ends, and says so in one line,
        also when OpenBLAS's own threads, made before the program begins, never get theirs."""
        def limited(megabytes, *words, threads="1"):
            def limit():
                resource.setrlimit(resource.RLIMIT_AS, (megabytes << 20,) * 2)
            return subprocess.run([BIN, *words], preexec_fn=limit, text=True,
                                  env=environment(OPENBLAS_NUM_THREADS=threads),
                                  capture_output=True,
                                  timeout=TIMEOUT, check=False)
        if limited(400, "methods").returncode != 0:
            self.skipTest("a sanitizer needs more addresses")
        for megabytes in (160, 200, 260, 300, 400):
            run = limited(megabytes, "fit", str(GOLUB), "--method", "lasso", "--jobs", "1")
            self.assertIn(run.returncode, (0, 1), (megabytes, run.stderr))
            self.assertEqual(run.stderr.count("\n"), run.returncode, (megabytes, run.stderr))
            if run.returncode == 1:
                self.assertIn("memory", run.stderr)
        for megabytes in (195, 220):
            run = limited(megabytes, "fit", str(GOLUB), "--method", "lasso", "--jobs", "1",
                          threads="2")
            self.assertEqual(run.returncode, 1, (megabytes, run.stderr))
            self.assertRegex(run.stderr, r"\A.*memory.*\n\Z")
            run = limited(megabytes, "methods", threads="2")
            self.assertEqual((run.returncode, run.stdout), (0, self.good("methods")))

    def test_closed_standard_output(self):
        run = subprocess.run(["/bin/sh", "-c", f'"{BIN}" methods >&-'], capture_output=True,
                             timeout=TIMEOUT, check=False)
        self.assertEqual(run.returncode, 1)
        self.assertIn(b"standard output", run.stderr)


if __name__ == "__main__":
    unittest.main()
