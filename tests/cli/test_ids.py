"""Rows that belong together: ids that are numbers or texts, from a column or a file."""

import json
import random
import unittest

from tamis_cli import Case, tamis

WORDS = ("--bags-sigma", "1", "--method", "l1svm", "--lambda-ratio", "0.1", "--json")


def rows(count=20, seed=3):
    """Bags of three rows each: (bag from 0, a, b, y)."""
    random.seed(seed)
    made = []
    for bag in range(count):
        for i in range(3):
            centre = 2 if bag % 3 == 0 and i == 1 else 0
            made.append((bag, random.gauss(centre, 0.5), random.gauss(centre, 0.5),
                         1 if bag % 3 == 0 else -1))
    return made


def table(name, made):
    return "y,bag,a,b\n" + "".join(f"{y},{name(k)},{a:.4f},{b:.4f}\n" for k, a, b, y in made)


def arff(name, made, kind):
    head = f"@relation r\n@attribute bag {kind}\n@attribute a numeric\n@attribute b numeric\n"
    head += "@attribute y {-1,1}\n@data\n"
    return head + "".join(f"{name(k)},{a:.4f},{b:.4f},{y}\n" for k, a, b, y in made)


class Ids(Case):
    def write(self, name, text):
        path = self.folder / name
        path.write_text(text)
        return path

    def fit(self, *words):
        run = tamis("fit", *words, *WORDS)
        self.assertEqual(run.returncode, 0, run.stderr)
        return json.loads(run.stdout)["primal"]

    def test_bags_by_any_name_are_the_same_bags(self):
        made = rows()
        wanted = self.fit(self.write("n.csv", table(lambda k: k, made)), "--bags", "bag")
        names = {
            "text.csv": lambda k: f"B{k}",
            "quoted.csv": lambda k: f'"bag, of {k}"',
            "mixed.csv": lambda k: k if k % 2 else f"{k}a",
            "zero.csv": lambda k: "-0" if k == 0 else k,
            "far.csv": lambda k: f"{k / 7:.17g}",
        }
        for file, name in names.items():
            path = self.write(file, table(name, made))
            self.assertEqual(self.fit(path, "--bags", "bag"), wanted, file)
            self.assertEqual(self.fit(path, "--ids", "bag", "--bags", "qid"), wanted, file)
        levels = "{" + ",".join(f"B{k}" for k in range(20)) + "}"
        for file, kind in (("nominal.arff", levels), ("text.arff", "string")):
            path = self.write(file, arff(lambda k: f"B{k}", made, kind))
            self.assertEqual(self.fit(path, "--bags", "bag"), wanted, file)
        plain = self.write("plain.csv", "y,a,b\n" + "".join(
            f"{y},{a:.4f},{b:.4f}\n" for _, a, b, y in made))
        ids = self.write("ids.txt", "".join(f"bag {k}\n" for k, *_ in made))
        self.assertEqual(self.fit(plain, "--ids", ids, "--bags", "qid"), wanted)

    def test_beside_other_texts(self):
        made = rows()
        text = "".join(f"{y},{'rb'[i % 2]},B{k},{a:.4f}\n" for i, (k, a, _, y) in enumerate(made))
        path = self.write("colour.csv", "y,colour,bag,a\n" + text)
        code = f'''local d = tm.load("{path}", {{text="onehot", ids="bag"}})
            local e = tm.load("{path}", {{text="onehot", ids="bag"}}):select{{rows={{4, 60}}}}
            print(d.p, d:feature(1), d:feature(3), d.ids[1] == d.ids[4], d.ids[4] == d.ids[5],
                  d.ids[4] == e.ids[1], d.ids[60] == e.ids[2])'''
        run = tamis("eval", code)
        self.assertEqual(run.stdout.split(), ["3", "colour=b", "a", "false", "true", "true",
                                              "true"], run.stderr)
        headless = self.write("headless.csv", text)
        run = tamis("eval", f'd = tm.load("{headless}", {{label="1", text="onehot", ids="X2"}}) '
                            "print(d.p, d.ids[60] == d.ids[58], d.ids[57] == d.ids[58])")
        self.assertEqual(run.stdout.split(), ["3", "true", "false"], run.stderr)

    def test_appended_rows_are_in_the_bags_of_their_names(self):
        """Whatever names come first in a file, which are numbers in one of them, and which were
        saved before."""
        names = (["one", "one", "two", "7"], ["two", "three", "7", "0.25"], ["7", "0.25", "8", "7"])
        files = [self.write(f"{k}.csv", "y,bag,a,b\n" + "".join(
            f"{2 * (i % 2) - 1},{name},{i + 0.5},{i * i}\n" for i, name in enumerate(some)))
            for k, some in enumerate(names)]
        plain = self.write("plain.csv", "y,a,b\n" + "".join(
            f"{2 * (i % 2) - 1},{i + 0.5},{i * i}\n" for i in range(4)))
        beside = self.write("ids.txt", "three\n8\none\n0.25\n")
        saved = self.folder / "saved.tam"
        run = tamis("eval", f"""
            local all = {{}}
            for k = 0, 2 do all[k + 1] = tm.load("{self.folder}/" .. k .. ".csv", {{ids="bag"}}) end
            all[1]:save("{saved}")
            local d = tm.load("{saved}"):append(all[2], all[3],
                                                tm.load("{plain}", {{ids="{beside}"}}))
            local seen, count, line = {{}}, 0, {{}}
            for i, id in ipairs(d.ids) do
              if not seen[id] then count = count + 1 seen[id] = count end
              line[i] = seen[id]
            end
            print(table.concat(line, " "))""")
        self.assertEqual(run.returncode, 0, run.stderr)
        order = list(dict.fromkeys(sum(names, []) + beside.read_text().split()))
        self.assertEqual([int(word) for word in run.stdout.split()],
                         [order.index(name) + 1
                          for name in sum(names, []) + beside.read_text().split()])
        self.assertEqual(len(files), 3)

    def test_numbers_stay_themselves(self):
        path = self.write("n.csv", table(lambda k: 5 - k / 2, rows()))
        run = tamis("eval", f'd = tm.load("{path}", {{ids="bag"}}) '
                            "print(d.p, d.ids[1], d.ids[31], d.ids[60], #d.ids)")
        self.assertEqual(run.stdout.split(), ["2", "5.0", "0.0", "-4.5", "60"], run.stderr)

    def test_predictions_find_the_bags_again(self):
        made = rows()
        train = self.write("train.csv", table(lambda k: f"B{k}", made))
        again = self.write("again.csv", table(lambda k: f"other {k}", made))
        model = self.folder / "m.json"
        self.fit(train, "--bags", "bag", "--model", model)
        one, two = tamis("predict", model, train), tamis("predict", model, again)
        self.assertEqual(one.returncode, 0, one.stderr)
        self.assertEqual(one.stdout, two.stdout)
        self.assertEqual(len(one.stdout.splitlines()), 21)
        score = tamis("fit", train, "--bags", "bag", "--test", again, *WORDS)
        found = json.loads(score.stdout)["score"]
        self.assertEqual(found["train"], found["test"])

    def test_folds_keep_patients_together(self):
        path = self.write("t.csv", table(lambda k: f"patient {k}", rows()))
        run = tamis("eval", f'''
            local d = tm.load("{path}", {{ids="bag"}})
            local train, test = d:split{{test=0.3, seed=1, groups=d.ids}}
            assert(train.n % 3 == 0 and test.n % 3 == 0 and train.n + test.n == 60)
            assert(#train.ids == train.n)
            for _, fold in ipairs(d:folds{{k=5, groups=d.ids, seed=2}}) do
              local seen = {{}}
              for _, id in ipairs(fold.train.ids) do seen[id] = true end
              for _, id in ipairs(fold.test.ids) do assert(not seen[id]) end
            end
            print("done")''')
        self.assertEqual(run.stdout, "done\n", run.stderr)

    def test_missing_ids(self):
        path = self.write("t.csv", table(lambda k: "" if k == 4 else f"B{k}", rows()))
        for words in ((), ("--missing", "mean")):
            run = tamis("info", path, "--ids", "bag", *words)
            self.assertEqual(run.returncode, 1)
            self.assertIn('line 14, column 2: in "bag", the id is missing', run.stderr)
        run = tamis("info", path, "--ids", "bag", "--missing", "drop")
        self.assertIn("57 rows x 2 features", run.stdout)
        self.assertIn("bag tells which rows belong together", run.stdout)

    def test_refusals(self):
        path = self.write("t.csv", table(lambda k: f"B{k}", rows()))
        ids = self.write("ids.txt", "a\nb\n")
        for words, message in (
            (("--ids", "nothing"), "expected a number"),
            (("--ids", ids, "--text", "onehot"), "2 ids for the 60 rows"),
            (("--ids", "nothing", "--text", "onehot"), "no column of that name"),
            ((), "ids = NAME takes one that tells which rows belong together"),
        ):
            run = tamis("info", path, *words)
            self.assertEqual(run.returncode, 1, words)
            self.assertIn(message, run.stderr)


if __name__ == "__main__":
    unittest.main()
