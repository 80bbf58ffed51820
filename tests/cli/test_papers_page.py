#!/usr/bin/python3
"""The numbers of docs/papers.md against the tables that the scripts of examples/papers wrote.

A table of the page that follows a line

    <!-- numbers: NAME.csv by COLUMN ... across COLUMN where COLUMN=VALUE ... -->

is made from those rows of docs/figures/tables/NAME.csv that have each VALUE. In each row of the
page the cells (or that of the column of this name) name one value of each COLUMN after `by`; where
the head of a column names a value of the one after `across`, its cells are of the rows with that.
Every other cell that is a number, the paper's own apart, is a value of those rows, rounded as the
cell shows it.

A table that no kept file stands behind follows a line `<!-- once: why -->`: it is of a run that was
made once. Every number in a paragraph that has a decimal point or is at least 10 is named by a line
before it, but for sizes (38 x 3,051) and references (table 2, algorithm 3),

    <!-- prose: NAME.csv COLUMN=VALUE ...: NUMBER ...; NUMBER ... -->   in one row for each ;
    <!-- prose: paper|once|setting: NUMBER ... -->                      the paper's; of a run made
                                                                        once or of a time; what was
                                                                        asked for
"""
import csv
import pathlib
import re
import subprocess
import unittest

from tamis_cli import Case

ROOT = pathlib.Path(__file__).resolve().parents[2]
TABLES = ROOT / "docs" / "figures" / "tables"
MARKER = re.compile(r"<!-- numbers: (\S+\.csv)(?: by ([\w/ ]+?))?(?: across (\w+))?"
                    r"(?: where ((?:\S+=\S+ ?)+))? ?-->")
PROSE = re.compile(r"<!-- prose: ([^:]+): (.+) -->")
REFERENCE = re.compile(
    r"(?:figures?|tables?|VI|SAIF|FGM|sections?|chapter|algorithms?|reference) \[?\d+(?:\.\d+)?\]?"
    r"[a-f]?(?:(?:,| and| to) \d+(?:\.\d+)?)*", re.I)
SIZE = re.compile(r"\d[\d,]*(?: x \d[\d,]*)+")
COUNTED = re.compile(r"(?<![\w.^])(?:\d[\d,]*\.\d+|\d[\d,]*\d)")
NUMBER = re.compile(r"-?(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?(?:e-?\d+)?")


def rows_of(name, folder=TABLES):
    with open(folder / name, newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def as_number(text):
    try:
        return float(text.replace(",", ""))
    except ValueError:
        return None


def rounds_to(value, text):
    """Whether the value, rounded as the text is, gives the text. Zeros that end a large whole
    number may stand for digits left out."""
    number = as_number(text)
    if "e" in text:
        return abs(value - number) <= 0.5 * 10.0**(int(text.split("e")[1])) * (1 + 1e-9)
    digits = text.replace(",", "")
    unit = 10.0**-len(digits.partition(".")[2])
    if "." not in digits and abs(number) >= 10000:
        unit = 10.0**(len(digits) - len(digits.rstrip("0")))
    return abs(value - number) <= unit / 2 * (1 + 1e-9)


def same(cell, value):
    """Whether a cell names a key of the file."""
    plain = cell.replace("`", "").replace(",", "").strip()
    if plain == value.replace(",", ""):
        return True
    a, b = as_number(plain), as_number(value)
    if a is None or b is None:
        return False
    return a == b or ("." in plain and rounds_to(b, plain))


def papers_columns(header):
    """Which columns are the paper's: those that say so, and those after them without a colon."""
    found = []
    for k, head in enumerate(header):
        found.append(head.startswith("paper") or (":" not in head and k > 0 and found[k - 1]))
    return found


def cells_of(line):
    return [cell.strip() for cell in line.strip().strip("|").split("|")]


def marked_tables(text):
    """(marker, header, rows) of each table with a marker, a dict of its parts."""
    lines = text.split("\n")
    for k, line in enumerate(lines):
        found = MARKER.fullmatch(line.strip())
        if not found:
            continue
        table = []
        for row in lines[k + 1:]:
            if row.startswith("|"):
                table.append(cells_of(row))
            elif table:
                break
        marker = {"file": found[1], "by": (found[2] or "").split(), "across": found[3],
                  "where": [word.split("=", 1) for word in (found[4] or "").split()]}
        yield marker, table[0], table[2:]


def named_in(head, values):
    """The longest of the values that a column's head names."""
    found = [v for v in values
             if re.search(r"(?<![\w.-])" + re.escape(v) + r"(?![\w.-])", head)]
    return max(found, key=len, default=None)


def numbers_of(first, last):
    """3.4 to 3.6, or 1 to 3, as their text."""
    head = first[:first.index(".") + 1] if "." in first else ""
    return [f"{head}{k}" for k in range(int(first[len(head):]), int(last[len(head):]) + 1)]


def listed(cell):
    """The (kind, number) that "figures 7 to 9, table II: what they show" names."""
    found = set()
    for kind, numbers in re.findall(
            r"(figure|table)s? ([\dIV.]*[\dIV](?:(?:, | and | to )[\dIV.]*[\dIV])*)", cell):
        last = None
        for joint, number in re.findall(r"(, | and | to |^)([\dIV.]+)", numbers):
            number = {"I": "1", "II": "2", "III": "3"}.get(number, number)
            found |= {(kind, n) for n in numbers_of(last if joint == " to " else number, number)}
            last = number
    return found


def paragraphs(text):
    """(markers, prose) of each paragraph: [(source, numbers)] and the words without code."""
    for block in re.split(r"\n\s*\n", text):
        lines = block.split("\n")
        markers = [found.groups() for found in map(PROSE.fullmatch, lines) if found]
        prose = " ".join(line for line in lines if not line.startswith(("|", "#", "<!--", "!")))
        yield markers, SIZE.sub("", REFERENCE.sub("", re.sub(r"`[^`]*`", "", prose)))


def check_prose(markers, prose, read=rows_of):
    """What is wrong with a paragraph, as a list of words."""
    wrong, named = [], set()
    for source, listed in markers:
        words = source.split()
        named.update(listed.replace(";", " ").split())
        if words[0] in ("paper", "once", "setting"):
            continue
        wanted = [word.split("=", 1) for word in words[1:]]
        rows = [row for row in read(words[0])
                if all(same(row[key].replace(" ", "_"), value) for key, value in wanted)]
        for group in listed.split(";"):
            if not any(all(any(as_number(v) is not None and rounds_to(as_number(v), number)
                               for v in row.values()) for number in group.split())
                       for row in rows):
                wrong.append(f"{source} has no row with {group.strip()}")
    written = {number.rstrip(".,") for number in COUNTED.findall(prose)}
    there = {number.rstrip(",") for number in re.findall(r"\d[\d,]*(?:\.\d+)?", prose)}
    wrong += [f"{number} is not accounted for" for number in sorted(written - named)]
    wrong += [f"{number} is not in the text" for number in sorted(named - there)]
    return wrong


class Page(Case):
    def check_row(self, marker, header, row, rows):
        rows = [r for r in rows if all(same(v, r[key]) for key, v in marker.get("where", []))]
        keys, across = marker["by"], marker.get("across")
        groups = {tuple(r[key] for key in keys) for r in rows}
        where = [[row[header.index(key)]] if key in header else row for key in keys]
        fit = [g for g in groups
               if all(any(same(cell, v) for cell in cells) for cells, v in zip(where, g))]
        self.assertEqual(len(fit), 1, f"{marker}: rows {fit} for {row}")
        rows = [r for r in rows if tuple(r[key] for key in keys) == fit[0]]
        for head, cell, paper in zip(header, row, papers_columns(header)):
            label = cell and not NUMBER.fullmatch(cell)
            if paper or label or not cell or any(same(cell, v) for v in fit[0]):
                continue
            name = across and named_in(head, {r[across] for r in rows})
            values = [as_number(v) for r in rows if not name or r[across] == name
                      for v in r.values()]
            self.assertTrue(any(v is not None and rounds_to(v, cell) for v in values),
                            f"{marker} has no {cell}: {row}")

    def test_numbers_are_those_of_the_scripts(self):
        text = (ROOT / "docs" / "papers.md").read_text(encoding="utf-8")
        seen = {source.split()[0] for source, _ in PROSE.findall(text) if ".csv" in source}
        for marker, header, rows in marked_tables(text):
            seen.add(marker["file"])
            filled, above = [], [""] * len(header)
            for row in rows:
                above = [cell or (before if k == 0 else "")
                         for k, (cell, before) in enumerate(zip(row, above))]
                filled.append(above)
            for row in filled:
                self.check_row(marker, header, row, rows_of(marker["file"]))
        self.assertEqual(seen, {path.name for path in TABLES.iterdir()})
        self.assertEqual(len(MARKER.findall(text)), text.count("<!-- numbers:"))

    def test_every_table_is_made_by_a_known_run(self):
        """scripts/papers makes them all again."""
        told = subprocess.run([ROOT / "scripts/papers", "--list"], check=True, text=True,
                              stdout=subprocess.PIPE).stdout
        made = [f"{table}.csv" for line in told.splitlines()
                for table in line.split(": ")[1].split()]
        self.assertEqual(sorted(made), sorted(path.name for path in TABLES.iterdir()))

    def test_prose_and_single_runs(self):
        text = (ROOT / "docs" / "papers.md").read_text(encoding="utf-8")
        body = text[:text.index("## Every figure and table")]
        wrong = []
        for markers, prose in paragraphs(body):
            wrong += [f"{problem}: {prose[:70]}" for problem in check_prose(markers, prose)]
        self.assertEqual(wrong, [])
        blocks = re.split(r"\n\s*\n", body)
        for block in blocks:
            if block.startswith("|"):
                self.fail(f"a table with no line on where it is from before it: {block[:70]}")
        self.assertEqual(len(PROSE.findall(text)), text.count("<!-- prose:"))

    def test_every_figure_and_table_is_listed(self):
        """Those of the five works, counted in their texts."""
        wanted = {
            "VI": ({"figure": ["1-2"], "table": ["1-4"]}),
            "SAIF": ({"figure": ["2.1-2.6", "3.1-3.13", "4.1-4.6", "5.1-5.1"],
                      "table": ["2.1-2.1", "3.1-3.9", "4.1-4.4", "5.1-5.1"]}),
            "FGM": ({"figure": ["1-17"], "table": ["1-3"]}),
            "MSLR": ({"figure": ["1-8"], "table": ["1-3"]}),
            "FSM": ({"figure": ["1-7"], "table": ["1-2"]}),
        }
        text = (ROOT / "docs" / "papers.md").read_text(encoding="utf-8")
        found, paper = {name: set() for name in wanted}, None
        for line in text[text.index("## Every figure and table"):].split("\n"):
            if line.startswith("|") and not line.startswith(("| paper", "| ---")):
                cells = cells_of(line)
                name = cells[0].split(" ")[0].rstrip(",").replace("Ren", "SAIF")
                paper = name or paper
                self.assertIn(paper, wanted, line)
                self.assertEqual(len(cells), 6, line)
                found[paper] |= listed(cells[1])
        for name, kinds in wanted.items():
            expected = {(kind, number) for kind, ranges in kinds.items() for r in ranges
                        for number in numbers_of(*r.split("-"))}
            self.assertEqual(found[name], expected, name)

    def test_a_wrong_number_in_prose_is_seen(self):
        def read(_):
            return [{"method": "rfe", "features": "50", "accuracy": "0.8749"},
                    {"method": "fsmulti", "features": "100", "accuracy": "0.903"}]

        good = [("t.csv method=rfe", "0.875 50"), ("paper", "0.91")]
        self.assertEqual(check_prose(good, "rfe 0.875 with 50, the paper 0.91.", read), [])
        for markers, prose in (([("t.csv method=rfe", "0.874")], "0.874"),
                               ([("t.csv", "0.903 50")], "0.903 with 50"),
                               ([], "0.903 alone"), ([], "with 50"),
                               ([("paper", "0.91")], "nothing")):
            self.assertEqual(len(check_prose(markers, prose, read)), 1)

    def test_a_wrong_number_is_seen(self):
        rows = [{"config": "org", "solver": "cgd", "tol": "1e-8", "epochs": "2050", "p": "0.9546"},
                {"config": "org", "solver": "newton", "tol": "1e-8", "epochs": "1748", "p": ""},
                {"config": "org", "solver": "cgd", "tol": "1e-4", "epochs": "17", "p": ""}]
        marker = {"by": ["config"], "across": "solver", "where": [("tol", "1e-8")]}
        header = ["configuration", "paper: epochs", "cgd: epochs", "p", "newton: epochs"]
        self.check_row(marker, header, ["org", "15,535", "2,050", "0.955", "1,748"], rows)
        for row in (["org", "15,535", "2,051", "0.955", "1,748"],
                    ["org", "15,535", "2,050", "0.954", "1,748"],
                    ["org", "15,535", "1,748", "0.955", "1,748"],
                    ["org", "15,535", "17", "0.955", "1,748"],
                    ["warm", "15,535", "2,050", "0.955", "1,748"]):
            with self.assertRaises(AssertionError):
                self.check_row(marker, header, row, rows)

    def test_scripts_give_their_tables_again(self):
        """The fastest: counts may differ by what another order of rounding does."""
        for words, name, keys in (
                (["saif_fig2_3"], "saif_fig2_3_summary.csv", ("screen", "ratio", "chosen")),
                (["saif_fig2_4"], "saif_fig2_4_summary.csv", ("screen", "ratio", "chosen")),
                (["mslr", "data"], "mslr_table1.csv", ("data", "rows", "features", "positive"))):
            script = ROOT / f"examples/papers/{words[0]}.lua"
            self.good("run", "--jobs", 1, script, "--out", self.folder, *words[1:])
            again, kept = rows_of(name, self.folder), rows_of(name)
            self.assertEqual(len(again), len(kept))
            for a, b in zip(again, kept):
                self.assertEqual([a[key] for key in keys], [b[key] for key in keys])
                if "passes" in a:
                    self.assertAlmostEqual(float(a["passes"]) / float(b["passes"]), 1, delta=0.1)


if __name__ == "__main__":
    unittest.main()
