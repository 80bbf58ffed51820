#!/usr/bin/python3
"""What a model carries: predictions are those of the fit, for every reader, method and option, and
what cannot be made like the training data is refused.

The table of kinds is in docs/models.md."""
import json
import pathlib
import random
import re
import shutil
import struct
import unittest

from tamis_cli import Case, tamis

MODELS = pathlib.Path(__file__).resolve().parent / "models"
SAMPLES = MODELS.parents[1] / "data"
ROWS = 24


def table(seed=3):
    """Rows of four columns and a response that they decide; a 0.05 share of zeros."""
    rng = random.Random(seed)
    rows = [
        [0.0 if rng.random() < 0.05 else round(rng.gauss(0, 1), 3) for _ in range(4)]
        for _ in range(ROWS)
    ]
    y = [1 if r[0] - 0.7 * r[2] + 0.2 * rng.gauss(0, 1) > 0 else 0 for r in rows]
    return rows, y


def numbers(row):
    return ",".join(map(str, row))


def csv(rows, y, header="a,b,c,d,y\n"):
    return header + "".join(f"{numbers(r)},{v}\n" for r, v in zip(rows, y))


def holes(rows):
    """The same with missing values, which CSV and NumPy can say."""
    return [[("" if (i + j) % 7 == 0 else v) for j, v in enumerate(r)] for i, r in enumerate(rows)]


def npy(rows):
    header = "{'descr': '<f8', 'fortran_order': False, 'shape': (%d, %d), }" % (
        len(rows),
        len(rows[0]),
    )
    header += " " * (-(len(header) + 11) % 64) + "\n"
    return (
        b"\x93NUMPY\x01\x00"
        + struct.pack("<H", len(header))
        + header.encode()
        + b"".join(struct.pack("<d", float("nan") if v == "" else v) for r in rows for v in r)
    )


def plink(case):
    rng = random.Random(4)
    codes = [
        [rng.choice([0, 0, 2, 3, 3, 1] if j == 2 else [0, 2, 3]) for _ in range(ROWS)]
        for j in range(5)
    ]
    case.write("p.bim", "".join(f"1 rs{j} 0 {j} A G\n" for j in range(5)))
    case.write("p.fam", "".join(f"f{i} i{i} 0 0 1 {1 + (codes[0][i] > 1)}\n" for i in range(ROWS)))
    return case.write(
        "p.bed",
        b"\x6c\x1b\x01"
        + b"".join(
            bytes(
                sum(c[i + k] << 2 * k for k in range(4) if i + k < ROWS) for i in range(0, ROWS, 4)
            )
            for c in codes
        ),
    )


def converted(ending):
    def make(case):
        rows, y = table()
        case.good(
            "convert", case.write("t.csv", csv(rows, y)), case.folder / f"c.{ending}", "--quiet"
        )
        return case.folder / f"c.{ending}"

    return make


def sample(name):
    """A file that a program of tests/data has written."""
    return lambda case: pathlib.Path(shutil.copy(SAMPLES / name, case.folder))


def arff(case):
    rows, y = table()
    return case.write(
        "r.arff",
        "@relation r\n"
        + "".join(f"@attribute {name} numeric\n" for name in "abcd")
        + "@attribute hue {r,g,b}\n"
        "@attribute class {no,yes}\n@data\n"
        + "".join(
            f"{numbers(r)},{'rgb'[i * i % 3]},{('no', 'yes')[v]}\n"
            for i, (r, v) in enumerate(zip(rows, y))
        ),
    )


def matlab(case):
    rows, y = table()

    def element(kind, content):
        return struct.pack("<II", kind, len(content)) + content + b"\0" * (-len(content) % 8)

    def full(name, columns):
        n = len(columns[0])
        flags = element(6, struct.pack("<II", 6, 0)) + element(
            5, struct.pack("<ii", n, len(columns))
        )
        values = [v for c in columns for v in c]
        return element(
            14,
            flags
            + element(1, name.encode())
            + element(9, struct.pack(f"<{len(values)}d", *values)),
        )

    return case.write(
        "m.mat",
        b"MATLAB 5.0 MAT-file".ljust(116)
        + b"\0" * 8
        + struct.pack("<HH", 0x0100, 0x4D49)
        + full("X", list(zip(*rows)))
        + full("y", [y]),
    )


def zipped(case):
    import io
    import zipfile

    rows, y = table()
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        archive.writestr("X.npy", npy(rows))
        archive.writestr("y.npy", npy([[v] for v in y]))
    return case.write("z.npz", out.getvalue())


# One file a format at least, with the options that it is read with: a format that tamis reads and
# that is not here fails the test.
READERS = {
    "libsvm": [
        (converted("svm"), {}),
        (converted("svm"), {"columns": 9}),
        (
            lambda case: case.write(
                "zero.svm",
                "".join(
                    f"{v} " + " ".join(f"{j}:{x}" for j, x in enumerate(r)) + "\n"
                    for r, v in zip(*table())
                ),
            ),
            {},
        ),
    ],
    "csv": [
        (lambda case: case.write("a.csv", csv(*table())), {}),
        (lambda case: case.write("b.csv", csv(*table(), header="")), {"label": "5"}),
        (lambda case: case.write("c.csv", csv(*table())), {"storage": "float"}),
        (
            lambda case: case.write(
                "d.csv", csv([r[:3] + [1 + (i % 3)] for i, r in enumerate(table()[0])], table()[1])
            ),
            {"weights": "d"},
        ),
        (lambda case: case.write("e.csv", csv(*table())), {"offset": "d", "label": "y"}),
        (lambda case: case.write("f.csv", csv(holes(table()[0]), table()[1])), {"missing": "mean"}),
        (lambda case: case.write("g.csv", csv(holes(table()[0]), table()[1])), {"missing": "drop"}),
        (
            lambda case: case.write(
                "h.csv",
                "y,hue,a,b\n"
                + "".join(
                    f"{v},{'rgb'[i * i % 3]},{r[0]},{r[2]}\n"
                    for i, (r, v) in enumerate(zip(*table()))
                ),
            ),
            {"text": "onehot"},
        ),
        (lambda case: case.write("i.csv", csv(*table(), header="a,a,b,b,y\n")), {}),
        (lambda case: case.write("j.csv", csv(*table())), {"label": "b"}),
        (lambda case: case.write("k.tsv", csv(*table()).replace(",", "\t")), {}),
    ],
    "mtx": [(converted("mtx"), {})],
    "npy": [
        (converted("npy"), {}),
        (
            lambda case: case.write(
                "n.npy", npy([r + [v] for r, v in zip(holes(table()[0]), table()[1])])
            ),
            {"label": "5", "missing": "mean"},
        ),
        (lambda case: case.write("o.npy", npy(table()[0])), {"label": "2"}),
    ],
    "npz": [(zipped, {}), (converted("npz"), {"label": "1"})],
    "mat": [(matlab, {}), (matlab, {"label": "2"})]
    + [
        (sample(f"mat/{name}.mat"), {})
        for name in ("v4_sparse", "v4_text", "v5_cell", "v5_char", "v73_cell", "v73_h5py")
        + ("v73_matio_sparse", "v73_sparse")
    ],
    "plink": [(plink, {"missing": "mean"})],
    "tam": [(converted("tam"), {})],
    "arff": [(arff, {}), (arff, {"text": "onehot"}), (arff, {"label": "c"})],
    "hdf5": [
        (sample("plain.h5"), {}),
        (sample("plain.h5"), {"label": "2"}),
        (sample("new.h5ad"), {"label": "good"}),
        (sample("new.h5ad"), {"label": "batch", "layer": "columns"}),
        (sample("tenx.h5"), {"label": "Zfp"}),
    ],
    "stata": [(sample("table.dta"), {}), (sample("table.dta"), {"label": "b"})],
    "spss": [(sample("table.sav"), {}), (sample("table.sav"), {"label": "b"})],
    "sas": [(sample("table.xpt"), {}), (sample("table.xpt"), {"label": "b"})],
}

# What a method needs besides its defaults. All others of `tamis methods` are tried without.
SETTINGS = {
    "fgm": [
        {"B": 2, "C": 1},
        {"B": 2, "C": 1, "source": "poly2"},
        {"B": 2, "C": 1, "source": "hik"},
        {"B": 2, "C": 1, "source": "hik", "exponent": 0.5},
        {"B": 2, "C": 1, "source": "additive"},
    ],
    "lasso": [
        {"lambda_ratio": 0.1},
        {"lambda_ratio": 0.1, "standardize": True},
        {"lambda_ratio": 0.1, "intercept": False},
        {"lambda_ratio": 0.1, "debias": 1},
    ],
    "grouplasso": [{"groups": 2, "lambda_ratio": 0.1}],
}

CHECK = r"""
local cases, methods, out, m2 = %s, %s, ..., nil
for _, case in ipairs(cases) do
  local options, like = {}, nil
  for k, v in pairs(case.options) do options[k] = v end
  local d = tm.load(case.path, options)
  for _, method in ipairs(methods) do
    local fitted, r = pcall(function()
      local run = tm[method.id](d, method.settings):wait()
      assert(run.model, run.error)
      return run
    end)
    if not fitted then
      print("NOT", case.path, method.id, r)
    else
      local file = out .. "/model.json"
      local z = r.model:predict(d)
      r.model:save(file)
      local m = tm.model(file)
      local apart = {like = m, response = case.options.response}
      local again = m:predict(tm.load(case.path, apart))
      local worst = 0
      for i = 1, #z do worst = math.max(worst, math.abs(z[i] - again[i])) end
      assert(#z == #again)
      local score = m:score(tm.load(case.path, apart))
      print("DID", case.path, method.id, worst, score - r.model:score(d))
    end
  end
end
"""


def lua(value):
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, dict):
        return "{" + ",".join(f"[{json.dumps(k)}]={lua(v)}" for k, v in value.items()) + "}"
    if isinstance(value, (list, tuple)):
        return "{" + ",".join(map(lua, value)) + "}"
    return json.dumps(value)


class EveryReader(Case):
    def test_predict_is_the_fit_for_every_reader_method_and_option(self):
        said = tamis("info", "--format", "none", "x").stderr
        formats = set(re.search("one of (.*)", said).group(1).split(", ")) - {"auto"}
        self.assertEqual(formats - set(READERS), set(), "a file for it belongs into READERS")
        cases = [
            {"path": str(make(self)), "options": options}
            for name in sorted(formats)
            for make, options in READERS[name]
        ]
        ids = [m["id"] for m in json.loads(self.good("methods", "--json"))["methods"]]
        methods = [{"id": i, "settings": s} for i in ids for s in SETTINGS.get(i, [{}])]
        script = self.write("check.lua", CHECK % (lua(cases), lua(methods)))
        run = tamis("run", script, self.folder)
        self.assertEqual(run.returncode, 0, run.stderr)
        done = [line.split("\t") for line in run.stdout.splitlines()]
        refused = {(line[2], line[3]) for line in done if line[0] == "NOT"}
        self.assertEqual(
            {pathlib.Path(line[1]).name for line in done if line[0] == "DID"},
            {pathlib.Path(case["path"]).name for case in cases},
        )
        self.assertEqual({line[2] for line in done if line[0] == "DID"}, set(ids), refused)
        for line in done:
            if line[0] == "DID":
                self.assertLess(float(line[3]), 1e-9, line)
                self.assertEqual(float(line[4]), 0, line)


class Refused(Case):
    """What cannot be made like the training data is an error that says what."""

    def model(self, data, *options):
        path = self.folder / "m.json"
        self.good("fit", data, "--model", path, "--json", "--quiet", *options)
        return path

    def values(self, *args):
        lines = self.good("predict", *args, "--quiet").splitlines()
        return [float(line.split(",")[-1]) for line in lines[1:]]

    def bad(self, message, *args):
        run = tamis("predict", *args)
        self.assertEqual((run.returncode, run.stdout), (1, ""), run.stderr)
        self.assertIn(message, run.stderr)

    def lasso(self, text, *options):
        return self.model(
            self.write("train.csv", text), "--method", "lasso", "--lambda", "0.01", *options
        )

    def test_fills_are_those_of_training_whatever_the_other_rows(self):
        rows, y = table()
        model = self.lasso(csv(holes(rows), y), "--missing", "mean")
        known = [v for r in holes(rows) for v in r[:1] if v != ""]
        filled = csv([[sum(known) / len(known), 1, 2, 3]], [0])
        alone = csv([["", 1, 2, 3]], [0])
        among = csv([["", 1, 2, 3], [1000, 1, 2, 3]], [0, 1])
        expected = self.values(model, self.write("filled.csv", filled))
        self.assertAlmostEqual(
            self.values(model, self.write("alone.csv", alone))[0], expected[0], 9
        )
        self.assertAlmostEqual(
            self.values(model, self.write("among.csv", among))[0], expected[0], 9
        )

    def test_missing_values_that_training_did_not_have(self):
        model = self.lasso(csv(*table()))
        self.bad("is missing", model, self.write("n.csv", csv([["", 1, 2, 3]], [0])))
        self.bad(
            "replacement is not known",
            model,
            self.write("n.csv", csv([["", 1, 2, 3]], [0])),
            "--missing",
            "mean",
        )

    def test_texts(self):
        text = "y,hue,a\n" + "".join(
            "%g,%s,%d\n" % (i % 3 + 0.1 * i, "rgb"[i % 3], i * i % 5) for i in range(12)
        )
        model = self.lasso(text, "--text", "onehot")
        whole = self.values(model, self.write("train.csv", text))
        for i in (0, 1, 2, 11):  # one row alone, its columns in another order, no response
            row = text.splitlines()[1 + i].split(",")
            one = self.write("one.csv", f"a,hue\n{row[2]},{row[1]}\n")
            self.assertAlmostEqual(self.values(model, one)[0], whole[i], 12)
        self.bad('"purple" is none of the texts', model, self.write("n.csv", "a,hue\n1,purple\n"))
        # 7 is a text here, as its column is one in training, though it comes first
        self.bad('"7" is none of the texts', model, self.write("n.csv", "a,hue\n1,7\n2,r\n"))
        data = self.write("n2.csv", "a,hue,y\n1,purple,1\n2,r,2\n3,g,0\n")
        script = self.write(
            "s.lua",
            f"""
            local m = tm.model({lua(str(model))})
            local d = tm.load({lua(str(data))}, {{text="onehot"}})
            print(select(2, pcall(m.predict, m, d)))""",
        )
        self.assertIn('"purple"', self.good("run", script))

    def test_rows_of_one_class(self):
        """Rows that are predicted may be all of one class, also of one that training had not."""
        rows, y = table()
        words = ["no", "yes"]
        arff = "@relation r\n" + "".join(f"@attribute {c} numeric\n" for c in "abcd")
        makers = {
            "csv": lambda rows, y: csv(rows, y),
            "arff": lambda rows, y: arff + "@attribute y {maybe,no,yes}\n@data\n" + "".join(
                f"{numbers(r)},{v}\n" for r, v in zip(rows, y)),
        }
        for kind, make in makers.items():
            train = self.write(f"train.{kind}", make(rows, [words[v] for v in y]))
            model = self.model(train, "--method", "l1logistic")
            whole = self.values(model, train)
            for word in ("no", "yes", "maybe"):
                some = self.write(f"some.{kind}", make(rows[3:5], [word] * 2))
                run = tamis("predict", model, some)
                self.assertEqual(run.returncode, 0, run.stderr)
                lines = run.stdout.splitlines()[1:]
                self.assertEqual([float(line.split(",")[1]) for line in lines], whole[3:5])
                self.assertIn("class maybe" if word == "maybe" else "accuracy", run.stderr)
            self.fails(1, "fit", self.write(f"some.{kind}", make(rows[3:5], ["no"] * 2)),
                       "--method", "l1logistic", says=('the response is "no" in every row',))
        run = tamis("fit", self.write("train.csv", csv(rows, [words[v] for v in y])), "--method",
                    "l1logistic", "--test", self.write("one.csv", csv(rows[:1], ["maybe"])))
        self.assertEqual(run.returncode, 1)  # before it is solved: a score was asked for
        self.assertIn("class maybe; the model was trained on no and yes", run.stderr)
        self.assertEqual(run.stdout, "")

    def test_index_base(self):
        rows, y = table()
        lines = lambda base: "".join(
            f"{v} " + " ".join(f"{j + base}:{x}" for j, x in enumerate(r)) + "\n"
            for r, v in zip(rows, y)
        )
        model = self.model(self.write("zero.svm", lines(0)), "--method", "l1logistic")
        # without its feature 0 a file counts from 0 all the same
        tail = "1 2:0.5\n0 3:1\n"
        values = self.values(model, self.write("tail.svm", tail))
        full = self.values(model, self.write("full.svm", "1 0:0 2:0.5\n0 3:1\n"))
        self.assertEqual(values, full)
        self.bad("base", model, self.write("tail.svm", tail), "--base", "1")
        one = self.model(self.write("one.svm", lines(1)), "--method", "l1logistic")
        self.bad("counted from 1", one, self.write("zero.svm", lines(0)))
        script = self.write(
            "s.lua",
            f"""
            local m = tm.model({lua(str(one))})
            print(select(2, pcall(m.predict, m, tm.load({lua(str(self.folder / "zero.svm"))}))))""",
        )
        self.assertIn("counted from 0", self.good("run", script))

    def test_widths(self):
        rows, y = table()
        wide = [r + [0] * 40 for r in rows]
        names = ",".join(f"g{j}" for j in range(44))
        svm = self.write(
            "w.svm",
            "".join(
                f"{v} " + " ".join(f"{j + 1}:{x}" for j, x in enumerate(r)) + " 44:1\n"
                for r, v in zip(rows, y)
            ),
        )
        for model in (
            self.model(svm, "--method", "l1logistic"),
            self.lasso(csv(wide, y, header=""), "--label", "45"),
            self.lasso(csv(wide, y, header=names + ",y\n")),
        ):
            for header in ("", "a,b,c\n"):
                # with zeros, so that it is stored as a sparse matrix
                narrow = self.write("narrow.csv", header + "0,0,1\n0,1,0\n1,0,0\n")
                run = tamis("predict", model, narrow, "--unlabelled")
                self.assertEqual(run.returncode, 1)
                self.assertRegex(run.stderr, "features|no feature")
                script = self.write(
                    "s.lua",
                    f"""
                    local m, d = tm.model({lua(str(model))}), tm.load({lua(str(narrow))})
                    print(pcall(m.predict, m, d))""",
                )
                self.assertIn("false", self.good("run", script))

    def test_names_of_several_columns(self):
        rows, y = table()
        model = self.lasso(csv(rows, y, header="a,a,b,c,y\n"))
        self.assertEqual(len(self.values(model, self.folder / "train.csv")), ROWS)
        for header in ("a,b,a,c,y\n", "b,a,a,c,y\n", "a,d,b,c,y\n"):
            self.bad("", model, self.write("n.csv", csv(rows, y, header=header)))
        single = self.lasso(csv(rows, y))
        self.bad(
            'several features are called "a"',
            single,
            self.write("n.csv", csv([r + [9] for r in rows], y, header="a,b,c,d,a,y\n")),
        )

    def test_maps_find_columns_by_name(self):
        rows, y = table()
        for source in ("poly2", "hik", "additive"):
            data = self.write("train.csv", csv(rows, y))
            model = self.model(data, "--method", "fgm", "--source", source, "--B", "3", "--C", "1")
            other = self.write(
                "other.csv",
                "d,y,c,b,a\n"
                + "".join(f"{r[3]},{v},{r[2]},{r[1]},{r[0]}\n" for r, v in zip(rows, y)),
            )
            for one, two in zip(self.values(model, data), self.values(model, other)):
                self.assertAlmostEqual(one, two, 9)

    def test_scales_choices_and_bags_in_lua(self):
        data = self.write("t.csv", csv(*table()))
        script = self.write(
            "s.lua",
            f"""
            local d = tm.load({lua(str(data))})
            local function close(a, b)
              for i = 1, #a do assert(math.abs(a[i] - b[i]) < 1e-9, i) end
              assert(#a == #b)
            end
            local function back(m)
              m:save("{self.folder}/s.json")
              return tm.model("{self.folder}/s.json")
            end
            for _, how in ipairs{{"standard", "maxabs", "norm"}} do
              local s = d:scale{{how=how}}
              local r = tm.lasso(s, {{lambda_ratio=0.1}}):wait()
              local z, m = r.model:predict(s), back(r.model)
              close(z, m:predict(s))   -- scaled already
              close(z, m:predict(d))   -- as it was read
              local half = d:scale{{how=how == "norm" and "maxabs" or "norm"}}
              assert(not pcall(m.predict, m, half))
              local p = tm.fgm(s, {{B=2, C=1, source="poly2"}}):wait()
              close(p.model:predict(s), back(p.model):predict(d))
            end
            local x, y = {{}}, {{}}
            for i = 1, 20 do x[i] = {{i % 7, i % 3, i % 5}}; y[i] = i % 7 - i % 5 end
            local bare = tm.dataset{{x=x, y=y}}
            local some = bare:select{{columns={{3, 1}}}}
            local r = tm.lasso(some, {{lambda_ratio=0.01}}):wait()
            close(r.model:predict(some), back(r.model):predict(bare))
            """,
        )
        run = tamis("run", script)
        self.assertEqual(run.returncode, 0, run.stderr)

    def test_bags(self):
        rng = random.Random(5)
        lines = [
            f"{b % 2},b{b // 1},{rng.gauss(2 * (b % 2), 1):.3f},{rng.gauss(0, 1):.3f}"
            for b in range(10)
            for _ in range(3)
        ]
        lines = [line.replace(",b", ",") for line in lines]
        data = self.write("bags.csv", "y,bag,u,v\n" + "\n".join(lines) + "\n")
        model = self.folder / "m.json"
        fit = json.loads(
            self.good(
                "fit",
                data,
                "--method",
                "l1logistic",
                "--bags",
                "bag",
                "--bags-sigma",
                "1",
                "--json",
                "--quiet",
                "--model",
                model,
            )
        )
        whole = self.values(model, data)
        self.assertEqual(len(whole), 10)
        right = sum((z > 0) == (b % 2 == 1) for b, z in enumerate(whole))
        self.assertAlmostEqual(right / 10, fit["score"]["train"]["accuracy"], 12)
        part = self.write(
            "part.csv",
            "bag,u,v\n" + "\n".join(line.split(",", 1)[1] for line in lines[9:15]) + "\n",
        )
        for one, two in zip(self.values(model, part), whole[3:5]):
            self.assertAlmostEqual(one, two, 9)
        ids = self.write("ids", "".join(f"{i // 3}\n" for i in range(30)))
        apart = self.write(
            "apart.csv",
            "y,u,v\n"
            + "\n".join(",".join(line.split(",")[i] for i in (0, 2, 3)) for line in lines)
            + "\n",
        )
        for one, two in zip(self.values(model, apart, "--bags", ids), whole):
            self.assertAlmostEqual(one, two, 9)
        script = self.write(
            "s.lua",
            f"""
            local m = tm.model({lua(str(model))})
            print(pcall(m.predict, m, tm.load({lua(str(data))})))""",
        )
        self.assertIn("is of bags", self.good("run", script))

    def test_one_class_against_the_rest(self):
        rows, _ = table()
        y = ["abc"[i % 3] for i in range(ROWS)]
        data = self.write("c.csv", csv(rows, y))
        rest = self.model(data, "--method", "l1logistic", "--class", "b")
        said = tamis("predict", rest, data)
        self.assertIn("accuracy", said.stderr)
        labels = {line.split(",")[0] for line in said.stdout.splitlines()[1:]}
        self.assertEqual(labels - {"b", "rest"}, set())

    def test_response_is_where_it_was(self):
        rows, y = table()
        model = self.lasso(
            "first,a,b,c,d\n" + "".join(f"{v},{numbers(r)}\n" for r, v in zip(rows, y)),
            "--label",
            "first",
        )
        with_it = self.values(model, self.folder / "train.csv")
        without = self.values(
            model, self.write("w.csv", "a,b,c,d\n" + "".join(numbers(r) + "\n" for r in rows))
        )
        self.assertEqual(with_it, without)
        bare = self.lasso("".join(f"{v},{numbers(r)}\n" for r, v in zip(rows, y)), "--label", "1")
        self.assertEqual(
            self.values(bare, self.folder / "train.csv"),
            self.values(bare, self.write("w.csv", "".join(numbers(r) + "\n" for r in rows))),
        )


class Files(Case):
    def test_old_files_load_with_a_remark(self):
        for name, data, options in (
            ("lasso", "train.csv", ["--text", "onehot"]),
            ("l1logistic", "train.svm", []),
            ("poly2", "train.svm", []),
            ("hik", "train.svm", []),
        ):
            run = tamis("predict", MODELS / f"{name}.json", MODELS / data, *options)
            self.assertEqual(run.returncode, 0, run.stderr)
            self.assertIn("of an earlier tamis", run.stderr)
            for now, then in zip(
                run.stdout.splitlines(),
                (MODELS / f"{name}.csv").read_text().splitlines(),
                strict=True,
            ):
                self.assertEqual(now.split(",")[:-1], then.split(",")[:-1])
                if now != then:
                    self.assertAlmostEqual(
                        float(now.split(",")[-1]), float(then.split(",")[-1]), 12
                    )
            self.assertIn("earlier tamis", self.good("info", MODELS / f"{name}.json"))

    def test_info_says_what_a_model_carries(self):
        model = self.folder / "m.json"
        self.good(
            "fit",
            MODELS / "train.csv",
            "--method",
            "lasso",
            "--lambda",
            "0.1",
            "--text",
            "onehot",
            "--model",
            model,
            "--json",
        )
        page = self.good("info", model)
        for words in ("csv", "text = onehot", "1 column with 3 values", '"y"'):
            self.assertIn(words, page)
        self.assertEqual(json.loads(self.good("info", model, "--json"))["texts"], 1)

    def test_parts_of_a_later_program_are_refused(self):
        model = self.folder / "m.json"
        self.good("fit", MODELS / "train.svm", "--method", "l1logistic", "--model", model, "--json")
        whole = json.loads(model.read_text())
        whole["wavelet"] = 1
        run = tamis("predict", self.write("n.json", json.dumps(whole)), MODELS / "train.svm")
        self.assertEqual(run.returncode, 1)
        self.assertIn("'wavelet'", run.stderr)
        for key in ("reading", "columns", "coef", "labels"):  # of the wrong kind
            broken = dict(whole, **{key: 7})
            del broken["wavelet"]
            self.assertEqual(
                tamis("info", self.write("n.json", json.dumps(broken))).returncode, 1, key
            )

    def test_features_are_in_their_order(self):
        """Each column once, and each text value: others would be written as another model."""
        data = self.write("t.csv", "y,a,b\n1,red,2\n0,blue,3\n1,green,1\n0,blue,4\n")
        model = self.folder / "m.json"
        self.good("fit", data, "--label", "y", "--text", "onehot", "--method", "lasso",
                  "--lambda", "0.01", "--model", model, "--json")
        whole = json.loads(model.read_text())
        features = whole["reading"]["features"]
        self.assertEqual([f.get("level") for f in features], ["blue", "green", "red", None])
        self.good("info", model)
        for wrong in (features + features[-1:], features[:1] + features, features[::-1]):
            whole["reading"]["features"] = wrong
            self.fails(1, "info", self.write("n.json", json.dumps(whole)), says="'features'")

    def test_what_is_written_again_is_the_same(self):
        """Also where no column with a weight is among those that are read."""
        whole = {"tamis": "model", "version": 2, "method": "lasso", "intercept": 0, "features": 4,
                 "lambda": 1, "loss": "squared", "coef": [[2, 0.5], [3, 1, "b"]],
                 "reading": {"features": [{"number": 1, "column": "a", "fill": 3.75}]}}
        source, first, second = (self.write(name, json.dumps(whole)) for name in "abc")
        self.good("eval", f'tm.model("{source}"):save("{first}")')
        self.good("eval", f'tm.model("{first}"):save("{second}")')
        self.assertEqual(first.read_text(), second.read_text())

    def test_a_fit_with_features_left_out_is_written_again_as_it_was(self):
        """What predictions read does not stand at the places of the columns then."""
        data = self.write("gaps.csv", "y,a,b,c,d\n1.5,1,2,3,4\n2.5,2,1,NA,3\n3.7,3,5,2,1\n"
                                      "4.1,4,NA,1,2\n0.2,0,3,2,5\n3.3,2,6,1,1\n")
        first, second = self.folder / "first.json", self.folder / "second.json"
        self.good("fit", data, "--missing", "mean", "--method", "lasso", "--lambda-ratio", 0.02,
                  "--model", first)
        read = json.loads(first.read_text())["reading"]["features"]
        self.assertEqual([f["column"] for f in read], ["a", "b", "d"])
        self.good("eval", f'tm.model("{first}"):save("{second}")')
        self.assertEqual(first.read_text(), second.read_text())


if __name__ == "__main__":
    unittest.main()
