"""tamis fit --method fgm and mslr: what is printed, saved models of generated features,
messages."""
import csv
import json
import unittest

import tamis_cli


def rows(path, count=60):
    """Two classes that the product of two columns decides."""
    with open(path, "w") as out:
        for i in range(count):
            a, b, c = (i * 7) % 11 - 5, (i * 5) % 13 - 6, (i * 3) % 7
            out.write(f"{1 if a * b > 0 else -1} 1:{a} 2:{b} 3:{c}\n")


PAPERS = tamis_cli.ROOT / "examples/papers"


class Papers(tamis_cli.Case):
    """Scripts of examples/papers, at the size that they have without --full."""

    def run_script(self, name, *words):
        done = tamis_cli.tamis("run", "--jobs", "1", PAPERS / f"{name}.lua", "--out", self.folder,
                               *words)
        self.assertEqual(done.returncode, 0, done.stderr)

    def rows(self, name):
        with open(self.folder / f"{name}.csv", newline="") as table:
            return list(csv.DictReader(table))

    def test_products_of_digits_are_those_that_are_stored(self):
        self.run_script("fgm_poly2")
        rows = {row["method"]: row for row in self.rows("fgm_fig13_14")}
        for B in (2, 5, 10):
            made, stored = rows[f"fgm, products, B = {B}"], rows[f"fgm, stored products, B = {B}"]
            self.assertEqual(made["features"], stored["features"])
            self.assertEqual(made["accuracy"], stored["accuracy"])
            self.assertAlmostEqual(float(made["objective"]), float(stored["objective"]), places=7)
            self.assertLess(int(made["columns"]), int(stored["columns"]))

    def test_genes_are_scored(self):
        self.run_script("mslr", "genes")
        rows = self.rows("mslr_fig6a")
        self.assertEqual({row["method"] for row in rows},
                         {"mslr, T = 1", "mslr, T = 3", "mslr, T = 10", "l1logistic", "reweighted",
                          "gomp"})
        self.assertTrue(all(0.5 < float(row["accuracy"]) <= 1 for row in rows))
        self.assertTrue((self.folder / "mslr_fig6a.svg").exists())


class Fgm(tamis_cli.Case):
    def setUp(self):
        super().setUp()
        self.data = self.folder / "product.svm"
        rows(self.data)

    def fit(self, *args):
        done = tamis_cli.tamis("fit", self.data, "--json", *args)
        self.assertEqual(done.returncode, 0, done.stderr)
        return json.loads(done.stdout)

    def test_bounds_and_setting(self):
        answer = self.fit("--method", "fgm", "--B", "1", "--C", "0.5")
        self.assertEqual((answer["B"], answer["C"]), (1, 0.5))
        self.assertNotIn("lambda", answer)
        self.assertEqual(answer["status"], "converged")
        self.assertLessEqual(answer["lower"], answer["upper"])
        self.assertAlmostEqual(answer["upper"] - answer["lower"], answer["gap"], places=9)

    def test_counts_of_units_of_several_columns(self):
        """What screening has left out are units; whole passes are counted in their columns."""
        for words in (["--source", "columns"], ["--source", "groups", "--groups", "2"],
                      ["--source", "hik"],
                      ["--source", "additive"]):
            with self.subTest(words):
                found = json.loads(self.good("fit", self.data, "--method", "fgm", "--B", "1",
                                             "--json", *words))
                self.assertLessEqual(found["power"], 1)
                self.assertEqual(found["passes"], int(found["passes"]))

    def test_a_product_is_found_saved_and_predicts(self):
        model = self.folder / "model.json"
        answer = self.fit("--method", "fgm", "--B", "1", "--source", "poly2", "--features", "1",
                          "--model", model)
        self.assertEqual([name for name, _ in answer["coef"]], ["X1*X2"])
        plain = self.fit("--method", "fgm", "--B", "1", "--features", "1")
        self.assertGreater(answer["score"]["train"]["auc"], 0.95)
        self.assertLess(plain["score"]["train"]["auc"], 0.8)
        done = tamis_cli.tamis("predict", model, self.data)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(json.loads(model.read_text())["map"]["kind"], "poly2")

    def test_lists_are_a_path(self):
        answer = self.fit("--method", "mslr", "--B", "1,2", "--C", "0.1,1")
        self.assertEqual([(p["B"], p["C"]) for p in answer["path"]],
                         [(1, 0.1), (1, 1), (2, 0.1), (2, 1)])

    def test_trace_names_what_came_in(self):
        trace = self.folder / "trace.csv"
        self.fit("--method", "fgm", "--B", "2", "--T", "1", "--trace", trace)
        lines = [line.split(",") for line in trace.read_text().splitlines()]
        feature, score = lines[0].index("feature"), lines[0].index("score")
        added = [line for line in lines if line[0] == "add"]
        self.assertEqual(len(added), 2)
        self.assertTrue(all(int(line[feature]) in (1, 2, 3) and float(line[score]) > 0
                            for line in added))

    def test_messages(self):
        for args, words in ((["--B", "1.5"], "whole number"),
                            (["--source", "groups"], "needs 'groups'"),
                            (["--groups", "2"], "sources groups and tree"),
                            (["--source", "hik", "--standardize", "true"], "standardize"),
                            (["--master", "scd"], "logistic"),
                            (["--source", "tree", "--groups", "[1 2; 2 3]"], "tree")):
            done = tamis_cli.tamis("fit", self.data, "--method", "fgm", *args)
            self.assertNotEqual(done.returncode, 0, args)
            self.assertIn(words, done.stderr, args)


if __name__ == "__main__":
    unittest.main()
