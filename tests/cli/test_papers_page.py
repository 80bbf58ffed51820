#!/usr/bin/python3
"""The numbers of docs/papers.md against the tables that the scripts of examples/papers wrote.

A table of the page that follows a line `<!-- numbers: NAME.csv by COLUMN ... -->` is made from
docs/figures/tables/NAME.csv. In each of its rows the cells (or that of the column of this name)
name one value of each COLUMN, and every other cell that is a number, the paper's own apart, is a
value of the file's rows with those, rounded as the cell shows it.
"""
import csv
import pathlib
import re
import unittest

from tamis_cli import Case

ROOT = pathlib.Path(__file__).resolve().parents[2]
TABLES = ROOT / "docs" / "figures" / "tables"
MARKER = re.compile(r"<!-- numbers: (\S+\.csv)(?: by ([\w ]+))? -->")
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
    if plain == value:
        return True
    a, b = as_number(plain), as_number(value)
    return a is not None and b is not None and a == b


def papers_columns(header):
    """Which columns are the paper's: those that say so, and those after them without a colon."""
    found = []
    for k, head in enumerate(header):
        found.append(head.startswith("paper") or (":" not in head and k > 0 and found[k - 1]))
    return found


def cells_of(line):
    return [cell.strip() for cell in line.strip().strip("|").split("|")]


def marked_tables(text):
    """(file, keys, header, rows) of each table with a marker."""
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
        yield found[1], (found[2] or "").split(), table[0], table[2:]


class Page(Case):
    def check_row(self, name, keys, header, row, rows):
        groups = {tuple(r[key] for key in keys) for r in rows}
        where = [[row[header.index(key)]] if key in header else row for key in keys]
        fit = [g for g in groups
               if all(any(same(cell, v) for cell in cells) for cells, v in zip(where, g))]
        self.assertEqual(len(fit), 1, f"{name}: rows {fit} for {row}")
        values = [as_number(v) for r in rows if tuple(r[key] for key in keys) == fit[0]
                  for v in r.values()]
        for cell, paper in zip(row, papers_columns(header)):
            label = cell and not NUMBER.fullmatch(cell)
            if paper or label or not cell or any(same(cell, v) for v in fit[0]):
                continue
            self.assertTrue(any(v is not None and rounds_to(v, cell) for v in values),
                            f"{name} has no {cell}: {row}")

    def test_numbers_are_those_of_the_scripts(self):
        text = (ROOT / "docs" / "papers.md").read_text(encoding="utf-8")
        seen = set()
        for name, keys, header, rows in marked_tables(text):
            seen.add(name)
            filled, above = [], [""] * len(header)
            for row in rows:
                above = [cell or (before if k == 0 else "")
                         for k, (cell, before) in enumerate(zip(row, above))]
                filled.append(above)
            for row in filled:
                self.check_row(name, keys, header, row, rows_of(name))
        self.assertEqual(seen, {path.name for path in TABLES.iterdir()})
        self.assertEqual(len(MARKER.findall(text)), text.count("<!-- numbers"))

    def test_a_wrong_number_is_seen(self):
        rows = [{"config": "org", "epochs": "2050", "share": "0.9546"}]
        header = ["configuration", "paper: epochs", "cgd: epochs", "share"]
        self.check_row("t", ["config"], header, ["org", "15,535", "2,050", "0.955"], rows)
        for row in (["org", "15,535", "2,051", "0.955"], ["org", "15,535", "2,050", "0.954"],
                    ["warm", "15,535", "2,050", "0.955"]):
            with self.assertRaises(AssertionError):
                self.check_row("t", ["config"], header, row, rows)

    def test_a_script_gives_its_table_again(self):
        """Figure 2.3, the fastest: counts may differ by what another order of rounding does."""
        script = ROOT / "examples/papers/saif_fig2_3.lua"
        self.good("run", "--jobs", 1, script, "--out", self.folder)
        name = "saif_fig2_3_summary.csv"
        again, kept = rows_of(name, self.folder), rows_of(name)
        self.assertEqual(len(again), len(kept))
        for a, b in zip(again, kept):
            self.assertEqual((a["screen"], a["ratio"], a["chosen"]),
                             (b["screen"], b["ratio"], b["chosen"]))
            self.assertAlmostEqual(float(a["passes"]) / float(b["passes"]), 1, delta=0.1)


if __name__ == "__main__":
    unittest.main()
