#!/usr/bin/python3
"""Rows for a model need no response, whatever their format: predictions are those of the same rows
with one. The response that --label has named in training is found again without being named."""
import io
import json
import pathlib
import shutil
import struct
import unittest
import zipfile

from tamis_cli import Case, tamis
from test_models import SAMPLES, arff, csv, matlab, npy, numbers, plink, table

NONE = "has no response, or not in every row"


def archive(**arrays):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as file:
        for name, rows in arrays.items():
            file.writestr(f"{name}.npy", npy(rows))
    return out.getvalue()


def svm(rows, y=None):
    return "".join(
        ("" if y is None else f"{y[i]} ") + " ".join(f"{j + 1}:{v}" for j, v in enumerate(r)) + "\n"
        for i, r in enumerate(rows)
    )


def mtx(rows):
    return f"%%MatrixMarket matrix array real general\n{len(rows)} {len(rows[0])}\n" + "".join(
        f"{r[j]}\n" for j in range(len(rows[0])) for r in rows
    )


class Unlabelled(Case):
    def lines(self, model, path, *options, says=None):
        run = tamis("predict", model, path, *options)
        self.assertEqual(run.returncode, 0, (path, run.stderr))
        if says:
            self.assertIn(says, run.stderr)
        else:
            self.assertNotIn(NONE, run.stderr)
        return run.stdout

    def model(self, path, *options):
        model = self.folder / "m.json"
        self.good("fit", path, "--method", "lasso", "--lambda-ratio", "0.001", "--model", model,
                  "--json", "--quiet", *options)
        return model

    def check(self, labelled, unlabelled, *options):
        """The labelled file is that of the fit, with these options of the command line."""
        model = self.model(labelled, *options)
        response = [w for w in options if w == "--response"]
        again = list(options) if response else []
        self.assertGreater(len(json.loads(model.read_text())["coef"]), 0)
        whole = self.lines(model, labelled, *again, says=" on " if not response else None)
        for path in unlabelled:
            self.assertEqual(self.lines(model, path, says=NONE), whole, path)
        script = self.write("s.lua", """
            local m = tm.model(arg[1])
            local d = tm.load(arg[2], {like=m})
            local z = m:predict(d)
            print(#z, z[1], z[#z])
            print(pcall(m.score, m, d))
            print(tm.lasso(d, {lambda=1}):wait().error)""")
        run = tamis("run", script, model, unlabelled[0])
        first, *refused = run.stdout.splitlines()
        values = [line.split(",")[-1] for line in whole.splitlines()[1:]]
        count, *ends = first.split()
        self.assertEqual(int(count), len(values))
        for one, other in zip(ends, (values[0], values[-1])):
            self.assertAlmostEqual(float(one), float(other), 9)
        for line in refused:
            self.assertIn("the data have no response", line)

    def test_tables(self):
        rows, y = table()
        train = self.write("t.csv", csv(rows, y))
        lacking = [
            self.write("u.csv", "a,b,c,d\n" + "".join(numbers(r) + "\n" for r in rows)),
            self.write("o.csv", "d,a,c,b\n" + "".join(
                numbers([r[3], r[0], r[2], r[1]]) + "\n" for r in rows)),
            self.write("e.csv", csv(rows, ["" if i % 3 else v for i, v in enumerate(y)])),
            self.write("n.csv", csv(rows, ["NA"] * len(y))),
        ]
        self.check(train, lacking)
        self.check(train, lacking, "--missing", "drop")
        plain = self.write("p.csv", csv(rows, y, header=""))
        self.check(plain, [self.write("q.csv", "".join(numbers(r) + "\n" for r in rows))])
        # the response in the middle, of words, under a name that is no usual one
        words = [("no", "yes")[v] for v in y]
        middle = self.write("m.csv", "a,b,out,c,d\n" + "".join(
            f"{numbers(r[:2])},{w},{numbers(r[2:])}\n" for r, w in zip(rows, words)))
        self.check(middle, lacking[:2], "--label", "out")
        alone = self.write("x.csv", "a,b,c,d\n" + "".join(numbers(r) + "\n" for r in rows))
        apart = self.write("y.txt", "".join(f"{v}\n" for v in y))
        self.check(alone, [alone], "--response", apart)

    def test_declared_tables(self):
        rows, y = table()
        whole = arff(self)
        text = whole.read_text()
        head, body = text.split("@data\n")
        cells = [line.split(",") for line in body.splitlines()]
        without = self.write("u.arff", head.replace("@attribute class {no,yes}\n", "") + "@data\n" +
                             "".join(",".join(c[:-1]) + "\n" for c in cells))
        missing = self.write("n.arff", head + "@data\n" +
                             "".join(",".join(c[:-1]) + ",?\n" for c in cells))
        self.check(whole, [without, missing])
        # a column in the middle is the response, also when it is not named again
        named = self.model(whole, "--label", "c")
        values = self.lines(named, whole, says="r2")
        self.assertEqual(self.lines(named, whole, "--label", "c", says="r2"), values)
        # what ReadStat reads: a table that lacks z, which training had
        for name in ("table.dta", "table.sav", "table.xpt"):
            sample = SAMPLES / name
            self.good("convert", sample, self.folder / "s.csv", "--quiet")
            first, *lines = (self.folder / "s.csv").read_text().splitlines()
            wider = self.write("z.csv", first + ",z\n" + "".join(
                f"{line},{float(line.split(',')[0]) - i % 2}\n" for i, line in enumerate(lines)))
            model = self.model(wider, "--label", "z")
            self.assertEqual(self.lines(model, sample, says=NONE),
                             self.lines(model, wider, says="r2"))
            named = self.model(sample, "--label", "b")
            self.assertEqual(self.lines(named, sample, says="r2"),
                             self.lines(named, sample, "--label", "b", says="r2"))

    def test_libsvm(self):
        rows, y = table()
        train = self.write("t.svm", svm(rows, y))
        self.check(train, [self.write("u.svm", svm(rows))])
        qid = "".join(f"qid:{i // 3} {line}\n" for i, line in enumerate(svm(rows).splitlines()))
        self.assertEqual(self.lines(self.model(train), self.write("q.svm", qid), says=NONE),
                         self.lines(self.model(train), train, says=" on "))
        # a blank line may be a row without features: it is not passed over
        blank = self.write("b.svm", "1:1 2:2\n\n3:1\n")
        self.fails(1, "predict", self.folder / "m.json", blank, says=("b.svm: line 2", "is blank"))
        self.fails(1, "predict", self.folder / "m.json", blank, "--unlabelled",
                   says=("b.svm: line 2", "is blank"))
        # a fit needs labels
        self.fails(1, "fit", self.folder / "u.svm", "--method", "lasso", says="its label first")

    def test_matrices(self):
        rows, y = table()
        both = [r + [v] for r, v in zip(rows, y)]
        one = [[v] for v in y]
        for ending, write in (("npy", npy), ("mtx", mtx)):
            whole = self.write(f"w.{ending}", write(both))
            x = self.write(f"x.{ending}", write(rows))
            self.check(whole, [x], "--label", "5")
            beside = self.write(f"b.{ending}", write(rows))
            response = self.write(f"b_response.{ending}", write(one))
            self.check(beside, [x])
            self.check(x, [x], "--response", response)
            first = self.write(f"f.{ending}", write([[v] + r for r, v in zip(rows, y)]))
            self.check(first, [x], "--label", "1")
        whole = self.write("w.npz", archive(X=rows, y=one))
        gaps = [[float("nan") if i == 3 else v] for i, v in enumerate(y)]
        self.check(whole, [self.write("x.npz", archive(X=rows)),
                           self.write("g.npz", archive(X=rows, y=gaps))])
        self.check(self.write("l.npz", archive(X=both)), [self.write("x.npz", archive(X=rows))],
                   "--label", "5")

    def test_matlab(self):
        def renamed(path, old, new):
            return self.write(path, whole.read_bytes().replace(old, new))
        whole = matlab(self)
        without = renamed("u.mat", b"\1\0\0\0y\0\0\0", b"\1\0\0\0q\0\0\0")
        self.assertNotEqual(without.read_bytes(), whole.read_bytes())
        self.check(whole, [without])
        named = renamed("n.mat", b"\1\0\0\0y\0\0\0", b"\1\0\0\0q\0\0\0")
        self.check(named, [renamed("v.mat", b"\1\0\0\0y\0\0\0", b"\1\0\0\0r\0\0\0")], "--y", "q")
        # a response that is said takes the place of the variable that training had
        rows, y = table()
        apart = self.write("y.txt", "".join(f"{v}\n" for v in y))
        self.lines(self.folder / "m.json", named, "--response", apart, says=" on ")

    def test_hdf5(self):
        model = self.model(SAMPLES / "new.h5ad", "--label", "good")
        again = self.lines(model, SAMPLES / "new.h5ad", says=" on ")
        self.assertEqual(self.lines(model, SAMPLES / "new.h5ad", "--label", "good", says=" on "),
                         again)
        # a missing response is no reason to leave a row out
        model = self.model(SAMPLES / "new.h5ad", "--label", "depth", "--missing", "drop")
        self.assertEqual(self.lines(model, SAMPLES / "new.h5ad", says=NONE).count("\n"), 5)
        model = self.model(SAMPLES / "new.h5ad", "--label", "kind", "--missing", "drop")
        self.assertEqual(self.lines(model, SAMPLES / "new.h5ad", says=NONE).count("\n"), 5)
        # an observation's column that the other file does not have
        tenx = SAMPLES / "tenx.h5"
        apart = self.write("y.txt", "1\n2\n3\n5\n")
        self.check(tenx, [tenx], "--response", apart)
        plain = SAMPLES / "plain.h5"
        named = self.model(plain, "--label", "2")
        self.assertEqual(self.lines(named, plain, says="r2"),
                         self.lines(named, plain, "--label", "2", says="r2"))

    def test_genotypes(self):
        whole = plink(self)
        for name in ("u", "v"):
            for ending in (".bed", ".bim"):
                shutil.copy(whole.with_suffix(ending), self.folder / (name + ending))
        fam = whole.with_suffix(".fam").read_text().splitlines()
        self.write("u.fam", "".join(line.rsplit(" ", 1)[0] + " -9\n" for line in fam))
        self.write("v.fam", "".join(
            line.rsplit(" ", 1)[0] + (" NA\n" if i == 4 else line[-2:] + "\n")
            for i, line in enumerate(fam)))
        self.check(whole, [self.folder / "u.bed", self.folder / "v.bed"], "--missing", "mean")

    def test_a_whole_file_keeps_its_response(self):
        rows, y = table()
        self.good("convert", self.write("t.csv", csv(rows, y)), self.folder / "t.tam", "--quiet")
        model = self.model(self.folder / "t.tam")
        self.lines(model, self.folder / "t.tam", says=" on ")

    def test_scores_need_a_response(self):
        rows, y = table()
        train = self.write("t.csv", csv(rows, y))
        gaps = self.write("g.csv", csv(rows, [""] + y[1:]))
        self.fails(1, "fit", train, "--method", "lasso", "--test", gaps,
                   says="the response is missing")
        model = self.model(train)
        self.fails(1, "predict", model, gaps, "--label", "y", says="the response is missing")
        model = self.model(self.write("c.csv", csv(rows, [("no", "yes")[v] for v in y])))
        self.fails(1, "predict", model, train, "--as", "probability", "--calibrate", gaps,
                   says="missing")


if __name__ == "__main__":
    unittest.main()
