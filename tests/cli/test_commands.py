#!/usr/bin/python3
"""info, methods, help, and what all subcommands share."""
import json
import os
import re
import signal
import subprocess
import unittest

from tamis_cli import (BIN, GOLUB, ROOT, SHARED, TIMEOUT, Case, default_signals, environment,
                       random_svm, start, tamis)


class Info(Case):
    def info(self, path, *options, **more):
        return json.loads(self.good("info", path, "--json", *options, **more))

    def test_golub(self):
        info = self.info(GOLUB)
        self.assertEqual((info["n"], info["p"], info["kind"]), (38, 3051, "dense"))
        classes = [(c["label"], c["value"], c["count"]) for c in info["response"]["classes"]]
        self.assertEqual(classes, [("-1", -1, 27), ("1", 1, 11)])
        self.assertEqual((info["constant"], info["duplicates"]), ([], []))

    def test_constant_and_duplicate_columns_and_range(self):
        # Columns: 1 varies, 2 = 1, 3 constant, 4 zero, 5 varies, 6 = 5 through its zeros.
        path = self.write("odd.svm", "1 1:2 2:2 3:7 5:0 6:0\n-1 1:-300 2:-300 3:7 5:4 6:4\n"
                                     "1 1:5 2:5 3:7\n")
        info = self.info(path)
        self.assertEqual(info["constant"], [3, 4])
        self.assertEqual(info["duplicates"], [[2, 1], [6, 5]])
        self.assertEqual(info["values"], {"min": -300.0, "max": 7.0})
        self.assertEqual(info["density"], 11 / 18)
        page = self.good("info", path)
        for word in ("X3, X4", "X2 = X1", "X6 = X5", "from -300 to 7"):
            self.assertIn(word, page)

    def test_columns_that_are_no_duplicates(self):
        """The same values in other rows, opposite signs, and a multiple."""
        path = self.write("near.svm", "1 1:1 2:0 3:-1 4:2\n-1 1:0 2:1 3:0 4:0\n")
        self.assertEqual(self.info(path)["duplicates"], [])

    def test_sparse(self):
        path = self.write("sparse.svm", "".join(f"{i % 7} {i + 1}:{i + 1} 5000:1\n"
                                                for i in range(300)))
        info = self.info(path)
        self.assertEqual((info["kind"], info["p"], info["nnz"]), ("csc", 5000, 600))
        response = info["response"]
        self.assertEqual((response["kind"], response["distinct"], response["max"]),
                         ("numeric", 7, 6))
        self.assertIn(5000, info["constant"])
        self.assertEqual(len(info["constant"]), 5000 - 300)

    def test_scale_warning(self):
        path = self.write("scale.svm", "1 1:1000 2:0.1\n-1 1:-1000 2:-0.1\n")
        self.assertIs(self.info(path)["unscaled"], True)
        self.assertIn("--standardize", self.good("info", path))
        self.assertIs(self.info(GOLUB)["unscaled"], False)

    def test_names_of_a_csv(self):
        path = self.write("named.csv", "a,b,c,y\n1,1,4,red\n2,2,4,blue\n9,9,4,red\n")
        info = self.info(path)
        self.assertEqual(info["response"]["name"], "y")
        self.assertEqual([c["label"] for c in info["response"]["classes"]], ["blue", "red"])
        self.assertEqual((info["constant"], info["duplicates"]), (["c"], [["b", "a"]]))

    def test_the_same_data_have_the_same_fingerprint(self):
        svm = self.info(self.write("a.svm", "1 1:2 2:3\n-1 1:4 2:5\n"))
        table = self.info(self.write("a.csv", "2,3,1\n4,5,-1\n"), "--header", "false")
        other = self.info(self.write("b.svm", "1 1:2 2:3\n-1 1:4 2:6\n"))
        self.assertEqual(svm["sha256"], table["sha256"])
        self.assertNotEqual(svm["sha256"], other["sha256"])

    @unittest.skipUnless((SHARED / "dexter.svm.xz").exists(), f"no {SHARED}/dexter.svm.xz")
    def test_dexter(self):
        info = self.info(SHARED / "dexter.svm.xz")
        self.assertEqual((info["n"], info["p"], info["kind"]), (300, 19999, "csc"))


class Methods(Case):
    def test_json_describes_every_parameter(self):
        methods = json.loads(self.good("methods", "--json"))["methods"]
        self.assertIn("lasso", [method["id"] for method in methods])
        for method in methods:
            alone = json.loads(self.good("methods", method["id"], "--json"))
            self.assertEqual(alone, method)
            page = self.good("methods", method["id"])
            options = self.good("fit", "--method", method["id"], "--help")
            for param in method["params"]:
                self.assertIn(param["name"], page)
                self.assertIn("--" + param["name"].replace("_", "-"), options)

    def test_every_parameter_is_an_option_with_its_default(self):
        """Giving each default by hand changes nothing."""
        path = self.write("small.svm", random_svm(seed=5)[0])
        method = json.loads(self.good("methods", "lasso", "--json"))
        plain = self.fit(path, "--jobs", "1")  # fit gives the run as many threads as --jobs allows
        given = [f"--{param['name']}={param['default']}" for param in method["params"]
                 if "default" in param and param["name"] != "lambda_min_ratio"]
        self.assertGreater(len(given), 5)
        again = self.fit(path, *given)
        for key in ("params", "primal", "coef", "columns"):
            self.assertEqual(plain[key], again[key])

    def test_reference_names_everything(self):
        text = self.good("methods", "--markdown")
        for word in ("`lasso`", "`saif`", "`libsvm`", "`accuracy`", "`lambda_min_ratio`", "`jobs`"):
            self.assertIn(word, text)
        for line in text.splitlines():
            if line.startswith("| `"):
                cells = len(re.findall(r"(?<!\\)\|", line))
                self.assertIn(cells, (5, 7), line)

    def test_list(self):
        self.assertIn("lasso", self.good("methods"))


class Shared(Case):
    def test_help_of_everything(self):
        self.assertIn("usage: tamis", self.good("--help"))
        for command in ("run", "eval", "repl", "fit", "predict", "info", "methods"):
            for words in ((command, "--help"), (command, "-h")):
                self.assertIn(f"usage: tamis {command}", self.good(*words))
            self.assertIn(command, self.good("--help"))
            self.assertEqual(self.good("help", command), self.good(command, "--help"))
        for words in (("help",), ("help", "--help"), ("help", "help")):
            self.assertEqual(self.good(*words), self.good("--help"))
        self.assertEqual(self.good("help", "lasso"), self.good("methods", "lasso"))
        self.assertEqual(self.good("help", "lua"), self.good("eval", "help()"))
        self.assertEqual(self.good("help", "lua", "--as", "man"),
                         self.good("help", "tamis-lua", "--as", "man"))
        self.fails(2, "help", "laso", says="no command and no method 'laso'")
        self.fails(2, "help", "fit", "lasso", says="one command or method at a time")

    def test_pages_fit_a_terminal_of_80_columns(self):
        methods = [m["id"] for m in json.loads(self.good("methods", "--json"))["methods"]]
        pages = [("--help",), ("methods",)] + [("methods", m) for m in methods]
        pages += [(c, "--help")
                  for c in ("run", "eval", "repl", "fit", "predict", "info", "convert",
                                          "runs", "report", "methods")]
        for words in pages:
            for line in self.good(*words).splitlines():
                self.assertLessEqual(len(line), 80, (words, line))
        self.assertIn("(root mean square without an intercept)",
                      " ".join(self.good("methods", "lasso").split()))

    def test_a_list_of_a_page_keeps_its_columns(self):
        for words in (("--help",), ("help", "lua")):
            wrapped = re.findall(r"^  \w.*\n([a-z]\S*)", self.good(*words), re.M)
            self.assertEqual(wrapped, [], words)

    def test_version(self):
        version = re.search(r"version: '([\d.]+)'", (ROOT / "meson.build").read_text()).group(1)
        self.assertEqual(self.good("--version"), f"tamis {version}\n")

    def test_common_options_before_and_after(self):
        path = self.write("small.svm", random_svm(seed=5)[0])
        words = ("--method", "lasso", "--max-iter", 1, "--tol", "1e-13", "--lambda-ratio", 0.001,
                 "--screen", "none")
        self.assertNotEqual(tamis("fit", path, *words).stderr, "")
        self.good("--quiet", "fit", path, *words)
        self.good("fit", path, *words, "--quiet")
        self.good("--jobs", "1", "--seed=3", "fit", path, "--method", "lasso", "--color", "never")

    def test_reader_that_goes_away(self):
        for command in (f'"{BIN}" methods --markdown | head -n 1',
                        f'"{BIN}" fit "{GOLUB}" --method lasso --lambdas 200 --json | head -c 1'):
            run = subprocess.run(["/bin/sh", "-c", command], capture_output=True, timeout=TIMEOUT,
                                 env=environment(), check=False, preexec_fn=default_signals)
            self.assertEqual((run.returncode, run.stderr), (0, b""))

    def test_reader_that_goes_away_while_the_signal_is_ignored(self):
        for words in (["methods"], ["eval", "while true do print(1) end"]):
            read_end, write_end = os.pipe()
            os.close(read_end)
            process = subprocess.run(
                [BIN, *words], stdout=write_end, stderr=subprocess.PIPE, restore_signals=False,
                timeout=TIMEOUT, check=False,
                preexec_fn=lambda: signal.signal(signal.SIGPIPE, signal.SIG_IGN))
            os.close(write_end)
            self.assertEqual((process.returncode, process.stderr), (1, b""))


class Interrupt(Case):
    """Ctrl-C at the moments of a fit."""

    def progress(self, process, master, word):
        """Waits for the word in the progress on the terminal of standard error."""
        seen = b""
        while word not in seen:
            seen += os.read(master, 4096)
            self.assertIsNone(process.poll(), seen)
        return seen

    def start_long_fit(self, *options):
        master, slave = os.openpty()
        self.addCleanup(os.close, master)
        process = start("fit", GOLUB, "--method", "lasso", "--screen", "none", "--tol", "1e-14",
                        "--lambdas", 20000, "--lambda-min-ratio", "1e-5", "--json", *options,
                        stderr=slave)
        os.close(slave)
        return process, master

    def test_fit_prints_what_was_reached(self):
        for number in (signal.SIGINT, signal.SIGTERM):
            process, master = self.start_long_fit("--trace", self.folder / "t.csv")
            self.progress(process, master, b" of 20000 lambdas, gap")
            process.send_signal(number)
            out, _ = process.communicate(timeout=TIMEOUT)
            self.assertEqual(process.returncode, 128 + number)
            result = json.loads(out)
            self.assertEqual(result["status"], "cancelled")
            self.assertLess(len(result["path"]), 20000)
            self.assertTrue((self.folder / "t.csv").exists())

    def test_one_signal_sent_twice_is_one(self):
        """timeout and batch systems send it to the process and to its group."""
        for _ in range(5):
            process, master = self.start_long_fit()
            self.progress(process, master, b" of 20000 lambdas, gap")
            process.send_signal(signal.SIGTERM)
            process.send_signal(signal.SIGTERM)
            out, _ = process.communicate(timeout=TIMEOUT)
            self.assertEqual(process.returncode, 128 + signal.SIGTERM)
            self.assertEqual(json.loads(out)["status"], "cancelled")

    def test_fit_on_a_silent_pipe(self):
        """Nothing comes on standard input: the wait ends at once."""
        master, slave = os.openpty()
        process = start("fit", "-", "--method", "lasso", stdin=subprocess.PIPE, stderr=slave)
        os.close(slave)
        self.wait_for_handler(process)
        process.send_signal(signal.SIGINT)
        self.assertEqual(process.wait(timeout=TIMEOUT), 130)
        process.stdin.close()
        process.stdout.close()
        os.close(master)

    def wait_for_handler(self, process):
        """Until the program catches SIGINT: before that the system would end it."""
        bit = 1 << (signal.SIGINT - 1)
        while True:
            with open(f"/proc/{process.pid}/status", encoding="ascii") as file:
                caught = re.search(r"^SigCgt:\s*(\w+)", file.read(), re.M)
            if caught and int(caught.group(1), 16) & bit:
                return
            self.assertIsNone(process.poll())

    def test_ignored_signals_stay_ignored(self):
        """What `nohup` promises."""
        def ignore():
            default_signals()
            signal.signal(signal.SIGHUP, signal.SIG_IGN)
        process = subprocess.Popen([BIN, "fit", "-", "--method", "lasso", "--json"],
                                   stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE, preexec_fn=ignore)
        self.wait_for_handler(process)
        process.send_signal(signal.SIGHUP)
        out, err = process.communicate(random_svm(seed=5)[0].encode(), timeout=TIMEOUT)
        self.assertEqual((process.returncode, err), (0, b""))
        self.assertEqual(json.loads(out)["status"], "converged")


if __name__ == "__main__":
    unittest.main()
