#!/usr/bin/python3
"""Scores, multivariate measures, several classes and bags on the command line and in Lua."""
import json
import random
import unittest

from tamis_cli import GOLUB, Case, tamis


class Scores(Case):
    def test_confusion_agrees_with_the_scores(self):
        run = tamis("fit", GOLUB, "--method", "l1svm", "--lambda-ratio", "0.8", "--json")
        self.assertEqual(run.returncode, 0, run.stderr)
        score = json.loads(run.stdout)["score"]["train"]
        table = score["confusion"]
        rows = sum(table.values())
        self.assertEqual(rows, 38)
        self.assertEqual(table["tp"] + table["fn"], 11)
        self.assertAlmostEqual(score["accuracy"], (table["tp"] + table["tn"]) / rows)
        self.assertAlmostEqual(score["recall"], table["tp"] / 11)
        for name in ("fbeta@2", "ap", "prbep", "prec@10", "rec@2p", "logloss", "auc"):
            self.assertIn(name, score)

    def test_scores_by_name_in_lua(self):
        run = tamis("eval", f'''
            local d = tm.load("{GOLUB}")
            local m = tm.l1svm(d, {{lambda_ratio=0.8}}):wait().model
            local t = m:confusion(d)
            assert(t.tp + t.fn == 11 and t.fp + t.tn == 27)
            assert(m:score(d, "rec@11") == m:score(d, "prbep") and m:score(d, "prec@1p") == m:score(d, "prbep"))
            print(pcall(m.score, m, d, "prec@many"))''')
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertIn("metric 'prec@many': expected a whole number of rows", run.stdout)


class Measures(Case):
    def fit(self, *words):
        run = tamis("fit", GOLUB, "--json", *words)
        self.assertEqual(run.returncode, 0, run.stderr)
        return json.loads(run.stdout)

    def test_hamming_is_what_liblinear_solves(self):
        # tests/bench/peer_hinge.py examples/data/golub.svm.xz C
        for c, objective in ((0.2, 0.005552631858625483), (0.00002, 0.0006178570459682477)):
            result = self.fit("--method", "svmperf", "--measure", "hamming", "--C", str(c * 38 / 2),
                              "--tol", "1e-9")
            self.assertEqual(result["status"], "converged")
            self.assertEqual((result["upper"], result["lower"]), (result["primal"], result["dual"]))
            self.assertAlmostEqual(result["upper"], objective,
                                   delta=2e-7 * objective + 2e-9 * result["C"])

    def test_l1_hamming_is_the_l1_svm_with_hinge_loss(self):
        # tests/bench/peer_multi_l1.py examples/data/golub.svm.xz C
        for c, objective in ((0.02, 0.7228662727829208), (2, 1.3006770989994942)):
            result = self.fit("--method", "bmrm", "--measure", "hamming", "--C", str(c * 38 / 2),
                              "--tol", "1e-7")
            self.assertEqual(result["status"], "converged")
            self.assertAlmostEqual(result["primal"], objective,
                                   delta=2e-7 * objective + 2e-7 * result["C"])

    def test_the_time_is_up(self):
        for method in ("fsmulti", "svmperf", "bmrm"):
            run = tamis("fit", GOLUB, "--method", method, "--tol", "1e-12", "--C_per_row", "100",
                        "--max_iter", "3")
            self.assertEqual(run.returncode, 0, run.stderr)
            self.assertIn("stopped by max_iter before the gap was reached", run.stderr)
            self.assertIn("max_iter (stopped by max_iter)", run.stdout)
        run = tamis("fit", GOLUB, "--method", "fsmulti", "--tol", "1e-12", "--T", "1")
        self.assertIn("stopped as told by T", run.stderr)

    def test_what_stopped_it(self):
        words = ("--method", "svmperf", "--measure", "f1", "--C")
        self.assertNotIn("stopped_by", self.fit(*words, "1", "--tol", "1e-3"))
        result = self.fit(*words, "1,2", "--tol", "1e-9", "--max_iter", "2")
        self.assertEqual((result["status"], result["stopped_by"]), ("max_iter", "max_iter"))
        self.assertEqual([p["stopped_by"] for p in result["path"]], ["max_iter"] * 2)
        run = tamis("eval", f'''local r = tm.fgm(tm.load("{GOLUB}"), {{B=2, T=1, tol=1e-12}}):wait()
            print(r.status, r.stopped_by)''')
        self.assertEqual(run.stdout.split(), ["max_iter", "rule"], run.stderr)

    def test_path_of_c(self):
        result = self.fit("--method", "svmperf", "--measure", "f1", "--C", "0.01,1,100", "--tol",
                          "1e-7")
        self.assertEqual([point["C"] for point in result["path"]], [0.01, 1, 100])
        values = [point["primal"] for point in result["path"]]
        self.assertEqual(values, sorted(values))

    def test_a_measure_that_is_none(self):
        run = tamis("fit", GOLUB, "--method", "svmperf", "--measure", "f7")
        self.assertEqual(run.returncode, 2)
        self.assertIn("measure 'f7': expected hamming, f1, fbeta@B, prec@K", run.stderr)

    def test_numbers_have_no_measure(self):
        run = tamis("fit", "-", "--method", "svmperf", text="1 1:1\n2 1:2\n3 1:1\n")
        self.assertEqual(run.returncode, 1)
        self.assertIn("need two classes", run.stderr)

    def test_several_classes_are_told_what_to_do(self):
        texts = ("a,b,kind\n" +
                 "".join(f"{i % 3},{i % 5},{('ham', 'eggs', 'spam')[i % 3]}\n" for i in range(30)),
                 "".join(f"{i % 3} 1:{i % 3} 2:{i % 5}\n" for i in range(30)))
        for name, text in zip(("three.csv", "three.svm"), texts):
            file = self.folder / name
            file.write_text(text)
            for method in ("fsmulti", "svmperf", "bmrm", "l1svm", "fgm", "rfe"):
                run = tamis("fit", file, "--method", method)
                self.assertEqual(run.returncode, 1)
                self.assertRegex(run.stderr, "with class, or each (in turn )?with one-vs-rest")
        run = tamis("fit", self.folder / "three.csv", "--method", "fsmulti", "--B", "1",
                    "--one-vs-rest", "--json")
        self.assertEqual([c["class"] for c in json.loads(run.stdout)["classes"]],
                         ["eggs", "ham", "spam"])


def three_classes(rows, seed):
    """LIBSVM text: class c has its own two features, and every fifth row is of any class."""
    random.seed(seed)
    lines = []
    for i in range(rows):
        c = random.randrange(3)
        shown = random.randrange(3) if i % 5 == 0 else c
        values = {1 + shown: 1 + random.random(), 4 + random.randrange(20): random.random()}
        lines.append(f"{(1, 2, 10)[c]} " +
                     " ".join(f"{j}:{v:.3f}" for j, v in sorted(values.items())))
    return "\n".join(lines) + "\n"


class Classes(Case):
    def setUp(self):
        super().setUp()
        self.train, self.test = self.folder / "train.svm", self.folder / "test.svm"
        self.train.write_text(three_classes(200, 1))
        self.test.write_text(three_classes(90, 2))

    def test_each_class_against_the_rest(self):
        words = ["fit", self.train, "--test", self.test, "--method", "fsmulti", "--measure", "f1",
                 "--B", "2",
                 "--one-vs-rest", "--json"]
        one, two = (tamis(*words, "--jobs", jobs) for jobs in ("1", "2"))
        self.assertEqual(one.returncode, 0, one.stderr)
        result, other = json.loads(one.stdout), json.loads(two.stdout)
        self.assertEqual([c["class"] for c in result["classes"]], ["1", "2", "10"])
        self.assertEqual([c["score"] for c in result["classes"]],
                         [c["score"] for c in other["classes"]])
        mean = sum(c["score"]["f1"] for c in result["classes"]) / 3
        self.assertAlmostEqual(result["macro"]["f1"], mean)
        self.assertGreater(result["accuracy"], 0.7)
        self.assertEqual(result["scored_on"], "test")
        single = tamis("fit", self.train, "--test", self.test, "--method", "fsmulti", "--measure",
                       "f1", "--B", "2",
                       "--class", "10", "--json", "--jobs", "1")
        self.assertEqual(json.loads(single.stdout)["score"]["test"]["f1"],
                         result["classes"][2]["score"]["f1"])

    def test_runs_are_stored_under_method_and_class(self):
        store = self.folder / "runs.db"
        for method in ("l1svm", "l1logistic"):
            run = tamis("fit", self.train, "--method", method, "--one-vs-rest", "--store", store)
            self.assertEqual(run.returncode, 0, run.stderr)
        runs = json.loads(tamis("runs", "--store", store, "--json").stdout)
        names = {r["name"] for r in (runs["runs"] if isinstance(runs, dict) else runs)}
        self.assertEqual(names, {f"{m} {c}" for m in ("l1svm", "l1logistic") for c in (1, 2, 10)})

    def test_page(self):
        run = tamis("fit", self.train, "--method", "l1svm", "--one-vs-rest")
        self.assertEqual(run.returncode, 0, run.stderr)
        for word in ("macro average", "micro average", "rec@2p", "accuracy"):
            self.assertIn(word, run.stdout)

    def test_wrong_usage(self):
        run = tamis("fit", self.train, "--method", "l1svm", "--class", "3")
        self.assertEqual(run.returncode, 1)
        self.assertIn("no row has the class '3'; the classes are 1, 2, 10", run.stderr)
        run = tamis("fit", self.train, "--method", "l1svm", "--one-vs-rest", "--class", "1")
        self.assertEqual(run.returncode, 2)

    def test_in_lua(self):
        run = tamis("eval", f'''
            local d, t = tm.load("{self.train}"), tm.load("{self.test}")
            assert(#d.classes == 3 and d.classes[3].label == "10")
            local s = tm.ovr(d, "fsmulti", {{measure="f1", B=2, test=t}}):wait():scores()
            local r = tm.fsmulti(d:one_vs_rest("10"), {{measure="f1", B=2, test=t:one_vs_rest("10")}}):wait()
            assert(r.score.test.f1 == s.classes[3].f1 and s.classes[3].class == "10")
            assert(math.abs(s.macro.f1 - (s.classes[1].f1 + s.classes[2].f1 + s.classes[3].f1) / 3) < 1e-12)
            assert(#r.trace.inner_gap > 0 and #r.trace.gap >= #r.trace.inner_gap)
            print(pcall(d.one_vs_rest, d, "7"))''')
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertIn("no row has the class '7'", run.stdout)


def bags(count, seed):
    """CSV: positive bags have one instance near (3, 3), among others near 0."""
    random.seed(seed)
    lines = ["bag,a,b,y"]
    for bag in range(count):
        positive = bag % 3 == 0
        for i in range(5):
            centre = 3 if positive and i == 2 else 0
            lines.append(f"{bag},{random.gauss(centre, 0.7):.4f},{random.gauss(centre, 0.7):.4f},{2 * positive - 1}")
    return "\n".join(lines) + "\n"


class Bags(Case):
    def setUp(self):
        super().setUp()
        self.train, self.test = self.folder / "train.csv", self.folder / "test.csv"
        self.train.write_text(bags(60, 1))
        self.test.write_text(bags(30, 2))

    def test_any_method_on_the_embedding(self):
        for words in (("l1svm", "--lambda-ratio", "0.1"),
                      ("fsmulti", "--measure", "f1", "--B", "3", "--C_per_row", "1")):
            run = tamis("fit", self.train, "--test", self.test, "--bags", "bag", "--bags-sigma",
                        "1", "--json",
                        "--method", *words)
            self.assertEqual(run.returncode, 0, run.stderr)
            result = json.loads(run.stdout)
            self.assertEqual((result["data"]["n"], result["data"]["p"]), (60, 300))
            self.assertGreater(result["score"]["test"]["f1"], 0.8)

    def test_a_file_of_bags(self):
        rows = self.train.read_text().splitlines()[1:]
        plain, names = self.folder / "plain.csv", self.folder / "bags.txt"
        plain.write_text("a,b,y\n" + "\n".join(r.split(",", 1)[1] for r in rows) + "\n")
        names.write_text("\n".join("bag " + r.split(",")[0] for r in rows) + "\n")
        words = ("--bags-sigma", "1", "--method", "l1svm", "--json")
        one = tamis("fit", plain, "--bags", names, *words)
        two = tamis("fit", self.train, "--bags", "1", *words)
        self.assertEqual(one.returncode, 0, one.stderr)
        self.assertEqual(json.loads(one.stdout)["primal"], json.loads(two.stdout)["primal"])

    def test_the_qid_of_libsvm(self):
        rows = [row.split(",") for row in self.train.read_text().splitlines()[1:]]
        file = self.folder / "train.svm"
        file.write_text("".join(f"{y} qid:{bag} 1:{a} 2:{b}\n" for bag, a, b, y in rows))
        words = ("--bags-sigma", "1", "--method", "l1svm", "--json")
        one = tamis("fit", file, "--bags", "qid", *words)
        two = tamis("fit", self.train, "--bags", "bag", *words)
        self.assertEqual(one.returncode, 0, one.stderr)
        self.assertEqual(json.loads(one.stdout)["primal"], json.loads(two.stdout)["primal"])
        for name in ("copy.svm", "copy.tam"):
            copy = self.folder / name
            self.assertEqual(tamis("convert", file, copy).returncode, 0)
            again = tamis("fit", copy, "--bags", "qid", *words)
            self.assertEqual(again.returncode, 0, again.stderr)
            self.assertEqual(json.loads(again.stdout)["primal"], json.loads(one.stdout)["primal"])
        run = tamis("fit", self.train, "--bags", "qid", *words)
        self.assertEqual(run.returncode, 1)
        self.assertIn("no column 'qid' for the bags", run.stderr)

    def test_in_lua(self):
        run = tamis("eval", f'''
            local d, t = tm.load("{self.train}"), tm.load("{self.test}")
            local a = d:miles{{bags="bag", sigma=1}}
            local b = t:miles{{bags="bag", sigma=1, concepts=d}}
            assert(a.n == 60 and a.p == 300 and b.n == 30 and b.p == 300 and a.binary)
            local m = tm.l1svm(a, {{lambda_ratio=0.1}}):wait().model
            print(m:score(b, "f1"))
            local few = tm.dataset{{x={{{{1}}, {{2}}, {{4}}}}, y={{1, -1, -1}}}}
            local named = few:miles{{bags={{"x", "y", "x"}}, sigma=1}}
            local numbered = few:miles{{bags={{7, 3, 7}}, sigma=1}}
            assert(named.sha256 == numbered.sha256 and named.n == 2)
            print(pcall(few.miles, few, {{bags={{"x", "y"}}, sigma=1}}))
            print(pcall(d.miles, d, {{bags="nothing", sigma=1}}))''')
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertGreater(float(run.stdout.split()[0]), 0.8)
        self.assertIn("no column 'nothing' for the bags", run.stdout)
        self.assertIn("expected a list of 3 numbers or texts, one a row", run.stdout)

    def test_wrong_usage(self):
        run = tamis("fit", self.train, "--bags", "bag", "--method", "l1svm")
        self.assertEqual(run.returncode, 2)
        self.assertIn("'--bags' needs '--bags-sigma' too", run.stderr)


if __name__ == "__main__":
    unittest.main()
