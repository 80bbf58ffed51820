#!/usr/bin/python3
"""Tables as other people's programs write them: the same answer as the plain table's, in the fit
and in another process that predicts, or one clear message."""
import codecs
import gzip
import json
import random
import unittest

from tamis_cli import Case, tamis

NAMES = "a,b,c,d,y"


def table():
    rng = random.Random(1)
    rows = [[round(rng.gauss(0, 1), 3) for _ in range(4)] for _ in range(30)]
    return [r + [round(r[0] - r[2] + 0.1 * rng.gauss(0, 1), 3)] for r in rows]


ROWS = table()
LINES = [",".join(map(str, r)) for r in ROWS]
PLAIN = "\n".join([NAMES, *LINES]) + "\n"


def with_first(name, cells):
    """The table with one more column before the others."""
    return f"{name},{NAMES}\n" + "".join(f"{c},{r}\n" for c, r in zip(cells, LINES))


# The same table, written in other ways.
SAME = {
    "bom.csv.gz": gzip.compress(codecs.BOM_UTF8 + PLAIN.replace("\n", "\r\n").encode()),
    "two.csv.gz": gzip.compress(PLAIN[:200].encode()) + gzip.compress(PLAIN[200:].encode()),
    "utf16.csv": PLAIN.encode("utf-16"),
    "cr.csv": PLAIN.replace("\n", "\r"),
    "quoted.csv": '"a\nfirst",b,"c, third","d ""q""",y\n' + PLAIN.split("\n", 1)[1],
    "twice.csv": PLAIN.replace(NAMES, "a,a,c,c,y"),
    "semicolon_in_name.csv": PLAIN.replace(NAMES, '"a;b","c;d",c,d,y'),
    "comma.csv": PLAIN.replace(",", ";").replace(".", ","),
    "sep.csv": "sep=;\n" + PLAIN.replace(",", ";"),
    "bar.csv": PLAIN.replace(",", "|"),
    "padded.tsv": PLAIN.replace(",", "\t ").replace("\n", " \n"),
    "spaces.csv": PLAIN.replace(",", " , "),
    "aligned.txt": "  a      b    c   d   y\n" + "".join(
        " ".join("%8.3f" % v for v in r) + "  \n" for r in ROWS),
    "savetxt.txt": "".join(" ".join("%.18e" % v for v in r) + "\n" for r in ROWS),
    "write_table.txt": '"a" "b" "c" "d" "y"\n' + "".join(
        f'"{i + 1}" ' + " ".join(map(str, r)) + "\n" for i, r in enumerate(ROWS)),
    "trailing.csv": PLAIN.replace("\n", ",\n"),
    "trailing_rows.csv": NAMES + "\n" + "".join(line + ",\n" for line in LINES),
    "trailing_no_names.csv": "".join(line + ",\n" for line in LINES),
    "trailing.tsv": PLAIN.replace(",", "\t").replace("\n", "\t\n"),
    "pandas.csv": ",0,1,2,3,4\n" + "".join(f"{i},{line}\n" for i, line in enumerate(LINES)),
    "pandas_no_index.csv": "0,1,2,3,4\n" + "".join(line + "\n" for line in LINES),
    "years.csv": PLAIN.replace(NAMES, "2001,2002,2003,2004,y"),
    "blank_lines.csv": PLAIN.replace("\n", "\n\n"),
}

# What is refused, and what the one message says.
REFUSED = {
    "mixed.csv": ("".join(line.replace(",", "\t" if i % 2 else ",") + "\n"
                          for i, line in enumerate([NAMES, *LINES])), "line 2", "fewer fields"),
    "dates.csv": (with_first("day", (f"2024-01-{i + 1:02d}" for i in range(30))),
                  'line 2, column 1: in "day"', "dates have to become numbers"),
    "times.csv": (with_first("t", (f"12:{i:02d}:00" for i in range(30))), '"12:00:00"', "dates"),
    "percent.csv": (with_first("p", (f"{i}%" for i in range(30))), '"0%"', "percent"),
    "comma.tsv": (PLAIN.replace(",", "\t").replace(".", ","), "line 2", "separates thousands",
                  "decimal = comma"),
    "thousands.csv": (with_first("n", (f'"1,{i:03d}"' for i in range(30))), '"1,000"',
                      "separates thousands", "decimal = comma"),
    "both_marks.csv": (PLAIN.replace(",", ";").replace(".", ",", 2), "decimal comma (line 2)",
                       "decimal point (line 2)"),
    "missing_column.csv": (with_first("z", [""] * 30), 'line 2, column 1: in "z"', "is missing"),
    "total.csv": (PLAIN + "Total,,,,\n", "line 32, column 1", '"Total"'),
    "late.csv": (PLAIN.replace("\n", ",\n") + "1,2,3,4,5,x\n", "line 32, column 6", '"x"'),
    "comments.csv": ("# made by hand\n" + PLAIN, "line 1", "begin with #"),
    "cut.csv.gz": (gzip.compress(PLAIN.encode())[:-20], "truncated"),
    "infinite.csv": (PLAIN + "inf,1,2,3,4\n", "line 32, column 1", "not finite"),
}


class OddFiles(Case):
    def setUp(self):
        super().setUp()
        self.model = self.folder / "m.json"

    def answers(self, path, *options):
        """Weights by place among the columns, and predictions of another process."""
        fitted = json.loads(self.good("fit", path, "--method", "lasso", "--lambda-ratio", "0.1",
                                      "--model", self.model, "--json", *options))
        kept = json.loads(self.model.read_text())
        run = tamis("predict", self.model, path)
        self.assertEqual(run.returncode, 0, (path, run.stderr))
        self.assertIn("on 30 rows", run.stderr)
        self.assertEqual(fitted["data"]["n"], 30)
        return [(j, w) for j, w, *_ in kept["coef"]], [float(z) for z in run.stdout.split()[1:]]

    def same(self, found, expected, name):
        self.assertEqual([j for j, _ in found[0]], [j for j, _ in expected[0]], name)
        for (_, w), (_, right) in zip(found[0], expected[0]):
            self.assertAlmostEqual(w, right, 12, name)
        for z, right in zip(found[1], expected[1], strict=True):
            self.assertAlmostEqual(z, right, 12, name)

    def test_the_same_table_in_other_ways(self):
        expected = self.answers(self.write("plain.csv", PLAIN))
        for name, content in SAME.items():
            path = self.write(name, content)
            self.assertIn("30 rows x 4 features", self.good("info", path), name)
            self.same(self.answers(path), expected, name)
        quoted = NAMES + "\n" + "".join(
            ",".join(f'"{v}"'.replace(".", ",") for v in r) + "\n" for r in ROWS)
        tabs = PLAIN.replace(",", "\t").replace(".", ",")
        self.same(self.answers(self.write("t.tsv", tabs), "--decimal", "comma"), expected, "tabs")
        self.same(self.answers(self.write("q.csv", quoted), "--decimal", "comma"), expected, "q")
        # the options of the fit go along: a file with points is none for decimal commas
        self.fails(1, "predict", self.model, self.write("points.csv", PLAIN),
                   says="choose decimal = point")

    def test_what_cannot_be_read_is_one_message(self):
        for name, (content, *says) in REFUSED.items():
            path = self.write(name, content)
            for command in (["info", path], ["fit", path, "--method", "lasso"]):
                with self.subTest(name):
                    self.fails(1, *command, says=says)
        path = self.folder / "missing_column.csv"
        self.fails(1, "fit", path, "--method", "lasso", "--missing", "mean",
                   says=('"z"', "has no value"))

    def test_thousands_of_columns_without_names(self):
        rng = random.Random(2)
        rows = [[rng.randint(-9, 9) for _ in range(3000)] for _ in range(30)]
        path = self.write("wide.csv", "," * 3000 + "y\n" + "".join(
            ",".join(map(str, r)) + f",{3 * r[5] - r[2000]}\n" for r in rows))
        self.assertIn("30 rows x 3000 features", self.good("info", path))
        coef, values = self.answers(path)
        strongest = sorted(coef, key=lambda pair: -abs(pair[1]))[0]
        self.assertEqual(strongest[0], 6)
        self.assertGreater(strongest[1], 0)

    def test_booleans_are_numbers(self):
        words = ["TRUE", "FALSE", "true", "False"]
        path = self.write("b.csv", with_first("flag", (words[i % 4] for i in range(30))))
        digits = self.write("d.csv", with_first("flag", (1 - i % 2 for i in range(30))))
        self.assertIn("TRUE is 1, FALSE is 0", self.good("info", path))
        self.same(self.answers(path), self.answers(digits), "booleans")
        self.fails(1, "info", self.write("m.csv", with_first("flag", ["TRUE", "maybe"] * 15)),
                   says='"maybe"')
        # of a response they are classes
        classes = self.write("c.csv", NAMES + "\n" + "".join(
            ",".join(map(str, r[:4])) + f",{'TRUE' if r[4] > 0 else 'FALSE'}\n" for r in ROWS))
        self.assertIn("two classes: FALSE (-1)", self.good("info", classes))

    def test_whole_numbers_that_a_double_rounds(self):
        """As a feature they are rounded and said; as ids they are told apart."""
        first = 2 ** 53
        path = self.write("i.csv", with_first("id", (first + i for i in range(30))))
        self.assertIn("rounded: whole numbers above 2^53, the first in line 2, column 1",
                      self.good("info", path))
        self.assertNotIn("rounded", self.good("info", self.write("s.csv", with_first(
            "id", (first - 1 - i for i in range(30))))))
        self.assertEqual(self.good("eval", f"""
            local d = tm.load({str(path)!r}, {{ids="id"}})
            local seen, count = {{}}, 0
            for _, id in ipairs(d.ids) do
              if not seen[id] then seen[id] = true count = count + 1 end
            end
            print(count)"""), "30\n")
        arff = self.write("i.arff", "@relation r\n@attribute id numeric\n@attribute a numeric\n"
                          "@attribute y numeric\n@data\n" + "".join(
                              f"{first + i // 2},{i},{i * i}\n" for i in range(6)))
        self.assertEqual(self.good("eval", f"""
            local d = tm.load({str(arff)!r}, {{ids="id"}})
            print(d.ids[1] == d.ids[2], d.ids[2] == d.ids[3], d.ids[4] == d.ids[5])"""),
                         "true\tfalse\tfalse\n")
        self.fails(1, "info", self.write("q.svm", f"1 qid:{first} 1:2\n2 qid:{first + 1} 1:3\n"),
                   says="below 2^53")


if __name__ == "__main__":
    unittest.main()
