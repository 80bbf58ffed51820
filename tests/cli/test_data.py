#!/usr/bin/python3
"""What the options of the readers change, seen from the command line."""
import json
import unittest

from tamis_cli import Case, tamis


class Options(Case):
    def table(self, path, *args):
        return self.good("convert", path, "-", "--to", "csv", "--quiet", *args).splitlines()

    def test_row_numbers_are_no_feature(self):
        rows = [(0, 1.2, 0.3, 0), (1, 0.4, 0.9, 0), (2, 1.1, 0.1, 1), (3, 0.2, 0.8, 0),
                (4, 1.4, 0.7, 1), (5, 0.9, 0.2, 1), (6, 0.3, 0.5, 0), (7, 1.3, 0.6, 1)]
        lines = ["%d,%g,%g,%d\n" % row for row in rows]
        numbered = self.write("n.csv", ",a,b,cls\n" + "".join(lines))
        plain = self.write("p.csv", "a,b,cls\n" + "".join(line[2:] for line in lines))
        found, other = (json.loads(self.good("fit", path, "--method", "l1logistic",
                                             "--lambda-ratio", "0.2", "--json"))
                        for path in (numbered, plain))
        self.assertEqual(found["coef"], other["coef"])
        self.assertIn("left out: column 1", self.good("info", numbered))

    def test_text_that_is_not_utf8(self):
        text = "größe,b,y\n1,2,1.5\n3,1,3.5\n2,2,2.25\n5,0,5.5\n"
        weights = []
        for k, encoding in enumerate(("utf-8", "latin-1", "utf-16")):
            path = self.write(f"{k}.csv", text.encode(encoding))
            model = self.folder / f"{k}.json"
            run = self.good("fit", path, "--method", "lasso", "--lambda", "0.1", "--json",
                            "--model",
                            model)
            weights.append(json.loads(run)["coef"])
            self.assertIn("größe", open(model, encoding="utf-8").read())
        self.assertEqual(weights[0][0][0], "größe")
        self.assertEqual(weights[0], weights[1])
        self.assertEqual(weights[0], weights[2])
        mixed = self.write("m.csv", "größe,".encode() + b"gr\xfcn,y\n1,2,3\n")
        self.fails(1, "fit", mixed, "--method", "lasso", says="UTF-8 at first and then is not")

    def test_numbers_whose_squares_underflow_are_refused_by_name(self):
        points = ((1, 2), (3, 1), (2, 5), (7, 4))

        def table(x, y):
            return "a,b,y\n" + "".join(f"{a}e{x},{b},{3 * a - b}e{y}\n" for a, b in points)

        def answer(x, y):
            found = json.loads(self.good("fit", self.write("t.csv", table(x, y)), "--method",
                                         "lasso", "--lambda-ratio", "0.1", "--json"))
            self.assertEqual(found["status"], "converged")
            return {name: value * 10 ** -y * (10 ** x if name == "a" else 1)
                    for name, value in found["coef"]}

        expected = answer(0, 0)["a"]
        for x, y in ((0, -100), (0, 100)):
            self.assertAlmostEqual(answer(x, y)["a"], expected, delta=1e-3 * abs(expected))
        for x in (-100, 100):
            answer(x, 0)
        for power in (-300, -200):
            for x, y, says in ((power, 0, "feature a has no value above"),
                               (0, power, "the response has no value above")):
                self.fails(1, "fit", self.write("t.csv", table(x, y)), "--method", "lasso",
                           "--lambda-ratio", "0.1", says=(says, "scale"))

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


class Classes(Case):
    """More than two words as a response are the classes that numbers in their order would be."""

    WORDS = ["dog", "cat", "ape"]

    def setUp(self):
        super().setUp()
        rows = [(i * 7 % 11, i * 5 % 13 + (i % 3), self.WORDS[i % 3]) for i in range(30)]
        number = {word: k + 1 for k, word in enumerate(sorted(self.WORDS))}
        text = "".join(f"{a},{b},{c}\n" for a, b, c in rows)
        self.words = self.write("words.csv", "a,b,kind\n" + text)
        self.numbers = self.write("numbers.csv", "a,b,kind\n" + "".join(
            f"{a},{b},{number[c]}\n" for a, b, c in rows))

    def test_info_counts_them(self):
        self.assertIn("kind, 3 classes: ape in 10 rows, cat in 10, dog in 10",
                      self.good("info", self.words, "--label", "kind"))
        response = json.loads(self.good("info", self.words, "--json"))["response"]
        self.assertEqual([(c["label"], c["value"], c["count"]) for c in response["classes"]],
                         [("ape", 1, 10), ("cat", 2, 10), ("dog", 3, 10)])

    def test_one_against_the_rest(self):
        def fit(path, *args):
            found = json.loads(self.good("fit", path, "--method", "l1logistic", "--json", *args))
            return [found[key] for key in ("coef", "primal", "intercept")]
        for k, word in enumerate(sorted(self.WORDS)):
            self.assertEqual(fit(self.words, "--class", word),
                             fit(self.numbers, "--class", k + 1))
        page = self.good("fit", self.words, "--method", "l1logistic", "--one-vs-rest")
        for word in self.WORDS:
            self.assertIn(f"\n{word} ", page)

    def test_a_number_is_not_made_of_them(self):
        for method in ("lasso", "l1logistic", "ridge", "fgm"):
            self.fails(1, "fit", self.words, "--method", method,
                       says=("one of 3 classes (ape, cat, ...)", "one-vs-rest"))
        self.fails(1, "fit", self.words, "--method", "l1svm", "--class", "cow",
                   says="the classes are ape, cat, dog")

    def test_written_and_read_again(self):
        for name in ("again.csv", "again.tsv", "again.tam"):
            again = self.folder / name
            self.good("convert", self.words, again)
            table = self.good("convert", again, "-", "--to", "csv", "--quiet")
            self.assertEqual(table, self.words.read_text(), name)
        run = tamis("convert", self.words, self.folder / "again.svm")
        self.assertIn("ape is written as 1, cat as 2", run.stderr)

    def test_splits_keep_their_shares(self):
        self.assertEqual(self.good("eval", f"""
            local train, test = tm.load("{self.words}"):split{{test=0.3, seed=4}}
            for k = 1, 3 do print(train.classes[k].rows, test.classes[k].rows) end
            """), "7\t3\n7\t3\n7\t3\n")


class Test(Case):
    """`fit --test` reads both files alike."""

    def fit_test(self, train, test, *args):
        run = tamis("fit", train, "--test", test, "--method", "lasso", "--lambda-ratio", "1e-4",
                    "--json", *args)
        self.assertEqual(run.returncode, 0, run.stderr)
        return json.loads(run.stdout)["score"]["test"]

    def test_features_are_those_chosen_and_columns_those_read(self):
        """--features means one thing, whatever the method; in Lua tm.load takes both names."""
        data = self.write("few.svm", "1 1:1 2:3\n2 1:2 2:1\n3 1:3 2:2\n5 1:4 2:9\n")
        run = json.loads(self.good("fit", data, "--method", "gomp", "--loss", "squared",
                                   "--features", "1", "--columns", "7", "--json"))
        self.assertEqual((run["data"]["p"], run["nnz"]), (7, 1))
        self.fails(2, "info", data, "--features", "7", says="unknown option '--features'")
        self.fails(2, "fit", data, "--method", "lasso", "--features", "7", says="unknown option")
        self.assertIn("4 rows x 7 features", self.good("info", data, "--columns", "7"))
        self.assertEqual(self.good("eval", f"print(tm.load({str(data)!r}, {{columns=5}}).p, "
                                   f"tm.load({str(data)!r}, {{features=6}}).p)"), "5\t6\n")

    def test_features_count_alike(self):
        # y = 3 x_1 (counted from 0) exactly; the test's rows have no feature 0.
        train = self.write("a.svm", "".join(f"{3 * i} 0:{i * i % 7} 1:{i} 2:{i % 3}\n"
                                            for i in range(1, 30)))
        test = self.write("b.svm", "".join(f"{3 * i} 1:{i} 2:{i % 3}\n" for i in range(5, 25)))
        self.assertGreater(self.fit_test(train, test)["r2"], 0.99)
        self.assertGreater(self.fit_test(train, test, "--base", "0")["r2"], 0.99)
        run = tamis("fit", test, "--test", train, "--method", "lasso")
        self.assertEqual(run.returncode, 1)
        self.assertIn("the training data are counted from 1", run.stderr)
        run = tamis("fit", train, "--test", "-", "--method", "lasso", "--json",
                    text=test.read_text())
        same = tamis("fit", train, "--test", test, "--method", "lasso", "--json").stdout
        self.assertEqual(json.loads(run.stdout)["score"], json.loads(same)["score"])

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


class ResponseApart(Case):
    """A file of labels takes the place of those that the data may have of their own."""

    def test_joins_every_format(self):
        rows = [(2, 0, 1), (0, 1, 0), (1, 0, 2), (0, 2, 2)]
        own, other = [0.5, 1, 2, 3], [7, 8.5, 9, 10]
        base = self.write("b.csv", "X1,X2,X3,y\n" + "".join(
            ",".join(map(str, row)) + f",{y}\n" for row, y in zip(rows, own)))
        y = self.write("labels.txt", "".join(f"{v}\n" for v in other))
        expected = [list(map(float, row)) + [v] for row, v in zip(rows, other)]
        paths = []
        for ending in ("svm", "svm.gz", "mtx", "npy", "tam"):
            paths.append(self.folder / f"x.{ending}")
            self.good("convert", base, paths[-1], "--quiet")
        paths.append(self.write("unlabelled.svm", "1:2 3:1\n2:1\n1:1 3:2\nqid:1 2:2 3:2\n"))
        paths.append(self.write("apart.csv", "X1,X2,X3\n" + "".join(
            ",".join(map(str, row)) + "\n" for row in rows)))
        self.write("g.fam", "".join(f"f s{i} 0 0 1 {v}\n" for i, v in enumerate(own)))
        self.write("g.bim", "".join(f"1 X{j} 0 {j} A G\n" for j in (1, 2, 3)))
        code = {2: 0, 1: 2, 0: 3}
        packed = bytes(sum(code[row[j]] << 2 * i for i, row in enumerate(rows)) for j in range(3))
        paths.append(self.write("g.bed", b"\x6c\x1b\x01" + packed))
        for path in paths:
            with self.subTest(path.name):
                out = self.good("convert", path, "-", "--to", "csv", "--quiet", "--response", y)
                self.assertEqual([list(map(float, line.split(","))) for line in out.split()[1:]],
                                 expected)
        short = self.write("short.txt", "1\n2\n")
        for path in paths:
            self.fails(1, "info", path, "--response", short, says=("short.txt", "4 rows"))

    def test_a_tam_with_another_response_is_other_data(self):
        own = self.folder / "x.tam"
        base = self.write("b.csv", "a,b,y\n1,2,u\n3,4,v\n5,7,u\n")
        self.good("convert", base, own, "--quiet")
        y = self.write("y.txt", "1\n2\n4\n")
        before, after = (json.loads(self.good("info", own, "--json", *more))
                         for more in ((), ("--response", y)))
        self.assertNotEqual(before["sha256"], after["sha256"])
        plain = self.write("p.csv", "a,b\n1,2\n3,4\n5,7\n")
        self.assertEqual(json.loads(self.good("info", plain, "--json", "--response", y))["sha256"],
                         after["sha256"])


class NoFeatures(Case):
    def test_rows_of_zeros_are_predicted(self):
        train = self.write("t.svm", "3 1:1\n5 1:2\n7 1:3\n")
        model, zeros = self.folder / "m.json", self.write("z.svm", "1\n1\n")
        self.good("fit", train, "--method", "lasso", "--lambda-ratio", "1e-6", "--model", model)
        values = self.good("predict", model, zeros, "--quiet").split()[1:]
        self.assertEqual(len(values), 2)
        for value in values:
            self.assertAlmostEqual(float(value), 1, delta=1e-3)
        self.assertIn("no row has a feature", self.good("info", zeros))


class Facts(Case):
    def test_missing_values_and_correlations(self):
        # By hand: a rises with y, b falls with it, c is orthogonal to it, d is constant.
        path = self.write("f.csv", "a,b,c,d,y\n1,9,1,5,1\n2,7,-1,5,2\nNA,5,-1,5,3\n4,3,1,5,4\n")
        found = json.loads(self.good("info", path, "--json", "--missing", "drop"))
        self.assertEqual(found["missing"], "1 row left out")
        found = json.loads(self.good("info", path, "--json", "--missing", "mean"))
        self.assertEqual(found["missing"], "1 value set to the mean of the column")
        (b, r_b), (a, r_a) = found["correlations"]
        self.assertEqual((a, b), ("a", "b"))
        self.assertAlmostEqual(r_b, -1, delta=1e-12)
        x, y = [1, 2, 7 / 3, 4], [1, 2, 3, 4]
        mean = sum(x) / 4
        top = sum((p - mean) * (q - 2.5) for p, q in zip(x, y))
        self.assertAlmostEqual(r_a, top / (5 * sum((p - mean) ** 2 for p in x)) ** 0.5, delta=1e-12)
        page = self.good("info", path, "--missing", "mean")
        self.assertRegex(page, r"missing +1 value set to the mean")
        self.assertRegex(page, r"correlated +with the response: b -1.000, a \+0\.\d+\n")
        plain = self.write("p.svm", "1.5 1:1\n2.5 1:2\n")
        self.assertRegex(self.good("info", plain), r"missing +none")
        self.assertNotIn("missing", json.loads(self.good("info", plain, "--json")))


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
        scales, = self.warnings("".join(f"{i + 0.5} 1:{i + 1} 2:{(i % 2) * 1e-7}\n"
                                        for i in range(10)))
        self.assertIn("differ in scale by a factor of 6e+07", scales)

    def test_minus_zero_is_class_zero(self):
        train = self.write("train.csv", "a,b,y\n1,2,-0\n4,5,1\n2,2,-0.0\n3,5,1\n")
        test = self.write("test.csv", "a,b,y\n1,2,0\n4,5,1\n")
        found = json.loads(self.good("fit", train, "--method", "l1logistic", "--lambda", 0.1,
                                     "--test", test,
                                     "--json"))
        self.assertEqual(found["score"]["test"]["accuracy"], 1)
        svm = self.write("train.svm", "-0 1:1\n1 1:4\n0 1:2\n")
        classes = json.loads(self.good("info", svm, "--json"))["response"]["classes"]
        self.assertEqual([(c["label"], c["count"]) for c in classes], [("0", 2), ("1", 1)])

    def test_columns_far_from_zero_are_warned_of(self):
        """A time stamp's digits are taken by its mean; the answer is that of the same column
        near zero."""
        rows = [(i * i % 17, i * 7 % 11, (i * i % 17) * 2 - i * 7 % 11 + i % 3) for i in range(30)]
        near, far = (self.write(f"{name}.csv", "t,b,y\n" + "".join(
            f"{t + by},{b},{y}\n" for t, b, y in rows)) for name,
                     by in (("near", 0), ("far", 1700000000)))
        self.assertNotIn("far from zero", self.good("info", near))
        self.assertIn("1 column lies far from zero (t:", self.good("info", far))
        for screen in ("none", "gap", "saif", "ws", "hessian", "auto"):
            was, now = (json.loads(self.good("fit", path, "--method", "lasso", "--lambda", 5,
                                             "--screen",
                                             screen, "--json")) for path in (near, far))
            self.assertEqual(now["status"], "converged")
            self.assertAlmostEqual(now["primal"] / was["primal"], 1, places=9)


if __name__ == "__main__":
    unittest.main()
