#!/usr/bin/python3
"""What the options of the readers change, seen from the command line."""
import json
import unittest

from tamis_cli import Case, tamis


class Options(Case):
    def table(self, path, *args):
        return self.good("convert", path, "-", "--to", "csv", "--quiet", *args).splitlines()

    def test_missing_values(self):
        path = self.write("m.csv", "a,b,y\n1,NA,1.5\n3,4,2.5\n,8,3.5\n")
        self.fails(1, "info", path, says=("line 2", "\"b\"", "missing = mean or drop"))
        self.assertEqual(self.table(path, "--missing", "mean")[1:],
                         ["1,6,1.5", "3,4,2.5", "2,8,3.5"])
        self.assertEqual(self.table(path, "--missing", "drop")[1:], ["3,4,2.5"])
        self.assertIn("2 values set to the mean", self.good("info", path, "--missing", "mean"))
        self.assertIn("2 rows left out", self.good("info", path, "--missing", "drop"))
        self.fails(2, "info", path, "--missing", "median", says="mean")

    def test_features_from_zero_are_said(self):
        path = self.write("z.svm", "1.5 0:1 2:3\n2.5 1:2\n3.5\n")
        run = tamis("info", path, "--json")
        self.assertEqual(json.loads(run.stdout)["p"], 3)
        self.assertIn("feature 0", run.stderr)
        self.assertIn("counted from 0", json.loads(run.stdout)["notes"])
        self.assertEqual(self.good("info", path, "--base", "0", "--json", "--quiet"),
                         tamis("info", path, "--base", "0", "--json").stdout)
        self.fails(1, "info", path, "--base", "1", says=("line 1, column 5", "base = 1"))


class Test(Case):
    """`fit --test` reads both files alike."""

    def fit_test(self, train, test, *args):
        run = tamis("fit", train, "--test", test, "--method", "lasso", "--lambda-ratio", "1e-4",
                    "--json", *args)
        self.assertEqual(run.returncode, 0, run.stderr)
        return json.loads(run.stdout)["score"]["test"]

    def test_features_count_alike(self):
        # y = 3 x_1 (counted from 0) exactly; the test's rows have no feature 0.
        train = self.write("a.svm", "".join(f"{3 * i} 0:{i * i % 7} 1:{i} 2:{i % 3}\n"
                                            for i in range(1, 30)))
        test = self.write("b.svm", "".join(f"{3 * i} 1:{i} 2:{i % 3}\n" for i in range(5, 25)))
        self.assertGreater(self.fit_test(train, test)["r2"], 0.99)
        self.assertGreater(self.fit_test(train, test, "--base", "0")["r2"], 0.99)
        run = tamis("fit", test, "--test", train, "--method", "lasso")
        self.assertEqual(run.returncode, 1)
        self.assertIn("--base", run.stderr)
        run = tamis("fit", train, "--test", "-", "--method", "lasso", text=test.read_text())
        self.assertEqual(run.returncode, 1)
        self.assertIn("--base", run.stderr)

    def test_responses_apart(self):
        def matrix(name, rows):
            text = "%%MatrixMarket matrix array real general\n" + f"{len(rows)} 2\n"
            return self.write(name, text + "".join(f"{row[j]}\n" for j in range(2) for row in rows))

        rows = [(i, i * i % 7) for i in range(1, 20)]
        train, test = matrix("x.mtx", rows), matrix("t.mtx", rows)
        y = self.write("y.txt", "".join(f"{2 * a - b}\n" for a, b in rows))
        wrong = self.write("w.txt", "".join(f"{b}\n" for a, b in rows))
        self.fails(1, "fit", train, "--test", test, "--method", "lasso", "--response", y,
                   says=("t.mtx", "response"))
        right = self.fit_test(train, test, "--response", y, "--test-response", y)
        self.assertGreater(right["r2"], 0.99)
        other = self.fit_test(train, test, "--response", y, "--test-response", wrong)
        self.assertLess(other["r2"], 0.5)
        # The file beside the test is its own, too.
        self.write("t_response.mtx", y.read_text())
        self.assertEqual(self.fit_test(train, test, "--response", y), right)
        self.fails(2, "fit", train, "--method", "lasso", "--response", y, "--test-response", y,
                   says="--test-response")


class Warnings(Case):
    def warnings(self, text, name="w.svm"):
        path = self.write(name, text)
        found = json.loads(self.good("info", path, "--json"))["warnings"]
        page = self.good("info", path)
        for line in found:
            self.assertIn(f"warning     {line}", page)
        return found

    def test_what_a_user_would_want_to_know(self):
        self.assertEqual(self.warnings("1 1:2\n-1 1:3\n1 1:4\n"), [])
        self.assertEqual(self.warnings("1 1:2\n0 1:3\n1 1:4\n"),
                         ["labels 0 and 1 are read as the classes -1 and +1"])
        rare, = self.warnings("".join(f"{1 if i else 2} 1:{i + 1}\n" for i in range(40)))
        self.assertTrue(rare.startswith("class 2 has only 1 of 40 rows"), rare)
        classes, = self.warnings("".join(f"{i % 3} 1:{i + 1}\n" for i in range(40)))
        self.assertIn("3 distinct whole values", classes)
        scales, = self.warnings("".join(f"{i + 0.5} 1:{i + 1} 2:{(i % 2) * 1e-7}\n" for i in range(10)))
        self.assertIn("differ in scale by a factor of 6e+07", scales)


if __name__ == "__main__":
    unittest.main()
