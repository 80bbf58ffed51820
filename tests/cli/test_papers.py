#!/usr/bin/python3
"""The scripts of examples/papers: each runs, writes what it says, and what it writes can be
read."""
import csv
import pathlib
import re
import unittest
import xml.dom.minidom

from tamis_cli import Case, tamis

PAPERS = pathlib.Path(__file__).resolve().parents[2] / "examples" / "papers"
# Dual averaging is asked for few passes, and need not reach the gap.
UNCONVERGED = r"tamis run: sweep 'sweep': its best configuration .* did not converge .*\n"


class Papers(Case):
    def make(self, script, tables, figures, *words, left=()):
        run = tamis("run", "--jobs", 1, PAPERS / f"{script}.lua", "--tiny", "--out",
                    self.folder, *words)
        self.assertEqual((run.returncode, re.sub(UNCONVERGED, "", run.stderr)), (0, ""))
        written = sorted({path.name for path in self.folder.iterdir()} - set(left))
        self.assertEqual(written,
                         sorted([f"{t}.csv" for t in tables] + [f"{f}.svg" for f in figures]))
        for figure in figures:
            svg = xml.dom.minidom.parse(str(self.folder / f"{figure}.svg"))
            self.assertEqual(svg.documentElement.tagName, "svg")
            lines = svg.getElementsByTagName("polyline") + svg.getElementsByTagName("path")
            self.assertGreater(len(lines), 1, figure)
        return {t: self.rows(t) for t in tables}

    def rows(self, table):
        with open(self.folder / f"{table}.csv", newline="", encoding="utf-8") as file:
            rows = list(csv.DictReader(file))
        self.assertGreater(len(rows), 0, table)
        return rows

    def test_saif_figures_2_2_and_2_5(self):
        rows = self.make("saif_fig2_2", ["saif_fig2_2"], ["saif_fig2_2"])["saif_fig2_2"]
        self.assertEqual({row["status"] for row in rows}, {"converged"})
        self.assertEqual({row["screen"] for row in rows}, {"none", "gap", "blitz", "saif", "auto"})

    def test_ren_figures_3_4_to_3_6(self):
        """The transformation proves no fewer terms at any lambda; of a tree's
        more than a half at the first."""
        rows = self.make("ren_fig3_4", ["ren_fig3_4", "ren_fig3_6"],
                         ["ren_fig3_4", "ren_fig3_6"])
        found = {(r["generator"], r["edges"], r["ratio"], r["screen"]): float(r["rejection"])
                 for r in rows["ren_fig3_4"]}
        self.assertEqual(len(found), 2 * 2 * 2 * 11)
        for (*at, screen), share in found.items():
            self.assertTrue(0 <= share <= 1)
            if screen == "bounds":
                self.assertGreaterEqual(found[(*at, "transform")], share - 0.03)
        trees = [share for (_, edges, _, screen), share in found.items()
                 if edges == "p-1" and screen == "transform"]
        self.assertGreater(max(trees), 0.5)
        self.assertEqual(len(rows["ren_fig3_6"]), 2 * 3)

    def test_ren_figure_3_10(self):
        """Screening changes no answer; dynamic screening begins where sequential ends, and what is
        proven only grows, as in the figure."""
        rows = self.make("ren_fig3_10",
                         ["ren_fig3_10", "ren_fig3_10_passes", "ren_fig3_10_summary"],
                         ["ren_fig3_10", "ren_fig3_10_passes"])
        for edges in ("p-1", "1.1p"):
            of = {r["screen"]: r for r in rows["ren_fig3_10_summary"] if r["edges"] == edges}
            self.assertEqual(set(of), {"none", "sequential", "dynamic"})
            for row in of.values():
                self.assertAlmostEqual(float(row["primal"]) / float(of["none"]["primal"]), 1, 7)
            self.assertGreaterEqual(float(of["dynamic"]["rejected"]),
                                    float(of["sequential"]["rejected"]))
            shares = [float(r["rejected"]) for r in rows["ren_fig3_10"]
                      if r["series"] == f"{edges} dynamic"]
            self.assertEqual(shares, sorted(shares))
        tree = [r for r in rows["ren_fig3_10_summary"] if r["edges"] == "p-1"]
        self.assertGreater(max(float(r["rejected"]) for r in tree), 0.5)

    def test_ren_tables_3_6_to_3_8(self):
        """Screening changes no primal, and the transformation rejects no fewer terms."""
        rows = self.make("ren_table3_6", ["ren_table3_6", "ren_fig3_11"],
                         ["ren_fig3_11", "ren_fig3_12"])["ren_table3_6"]
        self.assertEqual(len(rows), (4 + 4 + 5) * 3)
        found = {(r["table"], r["edges"], r["screen"]): float(r["rejection"]) for r in rows}
        for row in rows:
            self.assertLess(float(row["primal_difference"]), 1e-5)
        for (*at, screen), share in found.items():
            if screen == "bounds":
                self.assertGreaterEqual(found[(*at, "transform")], share - 0.03)

    def test_ren_tables_4_1_to_4_3(self):
        """Each method for each response; the exact solver converges where dual averaging need
        not, and a region holds no more voxels of the ball than were chosen."""
        rows = self.make("ren_table4", ["ren_table4"], [])["ren_table4"]
        self.assertEqual(len(rows), 3 * 4)
        for row in rows:
            if "averaging" not in row["method"]:
                self.assertEqual(row["status"], "converged")
            self.assertTrue(0 <= float(row["accuracy"]) <= 1)
            ball = 33  # voxels within 2 of the middle one
            self.assertLessEqual(ball * float(row["region"]), int(row["voxels"]) + 1e-9)

    def test_fsm_figure_2(self):
        rows = self.make("fsm_fig2", ["fsm_fig2"], ["fsm_fig2", "fsm_fig2_passes"])["fsm_fig2"]
        self.assertEqual({row["method"] for row in rows},
                         {"fsmulti(f1)", "fsmulti(hamming)", "l1svm", "rfe", "bmrm(f1)"})
        most = {m: max(float(r["passes"]) for r in rows if r["method"] == m)
                for m in ("fsmulti(f1)", "l1svm", "rfe")}
        # Every round of the elimination trains on what is left; the others never see most of it.
        self.assertGreater(most["rfe"], 5 * max(most["fsmulti(f1)"], most["l1svm"]))

    def test_fsm_table_2(self):
        """Won and lost against fsmulti for the measure, which has none beside itself."""
        digits = PAPERS.parent / "data" / "digits.svm.xz"
        told = self.good("run", "--jobs", 1, PAPERS / "fsm_table2.lua", digits, "0.3", "5",
                         "few,l1svm", "0", "1").splitlines()
        own, other = (line.split("|") for line in told[1:])
        self.assertNotIn("(", "".join(own[1:4]))
        for cell in other[1:4]:
            mean, won, lost = re.fullmatch(r"([\d.]+) \((\d)/(\d)\)\*?", cell).groups()
            self.assertLessEqual(int(won) + int(lost), 2)
            self.assertTrue(0 <= float(mean) <= 100)

    def test_fsm_table_2_in_pieces(self):
        """Classes in several runs that keep their scores, then the table from what is kept."""
        digits, kept = PAPERS.parent / "data" / "digits.svm.xz", self.folder / "scores.csv"

        def table(*words):
            told = self.good("run", "--jobs", 1, PAPERS / "fsm_table2.lua", *words).splitlines()
            return [line.split("|")[:5] + line.split("|")[6:] for line in told]

        of = (digits, "0.3", "5", "few,l1svm")
        for label in ("1", "0"):
            table("--scores", kept, *of, label)
        lines = kept.read_text(encoding="ascii").splitlines()
        self.assertEqual(len(lines), 2 * 2 * 3)
        self.assertEqual(table("--scores", kept, *of, "0", "1"), table(*of, "0", "1"))
        # C that is given is that of a direct run.
        fixed = table("--C", "0.5", digits, "0.3", "5", "svmperf", "0", "1")[1]
        code = (f"local tr, te = tm.load('{digits}'):split{{test=0.3, seed=1}} local sum = 0 "
                "for _, k in ipairs{'0', '1'} do "
                "local m = tm.svmperf(tr:one_vs_rest(k), {measure='f1', C_per_row=0.5, tol=1e-2, "
                "max_iter=2000}):wait().model sum = sum + m:score(te:one_vs_rest(k, true), 'f1') "
                "end print(string.format('%.1f', 50 * sum))")
        self.assertEqual(fixed[1], self.good("eval", code).strip())
        # A score that is there is not computed again, and one that is not is.
        lines = [line for line in lines if not line.startswith("few,f1,0,")]
        kept.write_text("\n".join(lines) + "\n")
        self.assertEqual(table("--scores", kept, *of, "0", "1"), table(*of, "0", "1"))
        kept.write_text("\n".join(["few,f1,0,0.25,7,0,converged", *lines]) + "\n")
        self.assertNotEqual(table("--scores", kept, *of, "0", "1"), table(*of, "0", "1"))
        self.assertEqual(len(kept.read_text(encoding="ascii").splitlines()), len(lines) + 1)

    def test_saif_figure_2_3(self):
        found = self.make("saif_fig2_3", ["saif_fig2_3", "saif_fig2_3_summary"],
                          ["saif_fig2_3_active", "saif_fig2_3_dual"])
        first = {(r["screen"], r["ratio"]): int(r["first"]) for r in found["saif_fig2_3_summary"]}
        # Dynamic screening begins with nearly all features, SAIF with few.
        self.assertLess(first["saif", "0.2"], first["gap", "0.2"])

    def test_saif_figure_2_4(self):
        found = self.make("saif_fig2_4", ["saif_fig2_4", "saif_fig2_4_summary"],
                          [f"saif_fig2_4_{s}{e}" for s in ("gap", "saif") for e in ("", "_excess")])
        share = {(r["screen"], r["ratio"]): float(r["mean_share"])
                 for r in found["saif_fig2_4_summary"]}
        for ratio in ("0.5", "0.1"):
            self.assertLess(share["saif", ratio], share["gap", ratio])
        chosen = {(r["screen"], r["ratio"]): r["chosen"] for r in found["saif_fig2_4_summary"]}
        self.assertEqual(chosen["saif", "0.5"], chosen["gap", "0.5"])

    def test_saif_figure_2_6_and_table_2_1(self):
        rows = self.make("saif_fig2_6", ["saif_table2_1"],
                         ["saif_fig2_6_genes", "saif_fig2_6_simulation"])["saif_table2_1"]
        for row in rows:
            self.assertGreater(float(row["recall"]), 0.9)
            if "homotopy" not in row["screen"]:
                self.assertEqual(row["unmet"], "0")
        # What its own rule ends is no answer to the gap, and it ends the sooner the larger delta
        # is.
        for data in ("simulation", "genes"):
            of = {row["screen"]: row for row in rows if row["data"] == data}
            self.assertGreater(int(of["homotopy 0.01"]["unmet"]), 0)
            self.assertLess(int(of["homotopy 0.01"]["columns"]),
                            int(of["homotopy 0.001"]["columns"]))

    def test_words_choose_what_runs(self):
        rows = self.make("saif_fig2_6", ["saif_table2_1"], ["saif_fig2_6_genes"], "genes", "saif",
                         "auto")["saif_table2_1"]
        self.assertEqual([row["screen"] for row in rows], ["saif", "auto"])
        found = {path.name for path in self.folder.iterdir()}
        rows = self.make("fgm_fig4", ["fgm_fig4"], ["fgm_fig4a_accuracy", "fgm_fig4b_seconds"],
                         "0.3", "1", "l1svm", left=found)["fgm_fig4"]
        self.assertEqual([(row["density"], row["method"]) for row in rows],
                         [("0.3", "l1svm"), ("1", "l1svm")])
        for script, words, message in (
                ("fgm_fig4", ["0.4"], "0.4: expected a file, or of 0.08, 0.1"),
                ("fgm_groups", ["--columns", "x"], "--columns: expected a number"),
                ("vi_tables", ["--columns", "9"], "vi_tables.lua makes data of one size only")):
            done = tamis("run", "--jobs", 1, PAPERS / f"{script}.lua", "--tiny", *words)
            self.assertEqual(done.returncode, 1)
            self.assertIn(message, done.stderr)

    def test_columns_of_made_data(self):
        told = self.good("run", "--jobs", 1, PAPERS / "fgm_groups.lua", "--tiny", "--columns", 100,
                         "--out", self.folder, "fgm", "2")
        self.assertIn("120 x 100, 4 of 10 groups true", told)
        self.assertEqual({row["method"] for row in self.rows("fgm_fig15")}, {"fgm, B = 2"})

    def test_fgm_figure_1(self):
        found = self.make("fgm_fig1", ["fgm_fig1", "fgm_fig1_rounds"], ["fgm_fig1a", "fgm_fig1b"])
        of = {(r["B"], float(r["inner_tol"])): r for r in found["fgm_fig1"]}
        for B in {B for B, _ in of}:
            exact, inexact = of[B, 1e-4], of[B, 0.1]
            self.assertLess(int(inexact["updates"]), int(exact["updates"]))
            self.assertAlmostEqual(float(inexact["objective"]), float(exact["objective"]),
                                   delta=0.01)

    def test_fgm_figures_5_and_6(self):
        found = self.make("fgm_shift", ["fgm_fig5", "fgm_fig5_rounds", "fgm_fig6"],
                          ["fgm_fig5", "fgm_fig6"])
        objective = {r["method"]: float(r["objective"]) for r in found["fgm_fig5"]}
        self.assertLess(objective["fgm with shift"], objective["fgm"])
        best = {}
        for r in found["fgm_fig6"]:
            best[r["method"]] = max(best.get(r["method"], 0), float(r["accuracy"]))
        self.assertEqual(max(best, key=best.get), "fgm with shift")

    def test_vi_tables_and_figure_2(self):
        found = self.make("vi_tables", ["vi_table2_3", "vi_table4", "vi_fig2", "vi_fig2_summary"],
                          ["vi_fig2_time", "vi_fig2_over_hits"])
        rows = found["vi_table2_3"]
        self.assertEqual({row["status"] for row in rows}, {"converged"})
        updates = {(row["solver"], row["config"]): int(row["updates"]) for row in rows}
        for solver in ("cgd", "newton"):
            self.assertLess(updates[solver, "scr"], updates[solver, "org"])
        self.assertEqual([row["config"] for row in found["vi_table4"]], ["scr", "warm_scr"])

    def test_fgm_figures(self):
        rows = self.make("fgm_fig2", ["fgm_fig2"], ["fgm_fig2a_accuracy", "fgm_fig2b_true",
                                                   "fgm_fig2c_retrained"])["fgm_fig2"]
        self.assertEqual({row["method"] for row in rows},
                         {"fgm", "fgm-logistic", "fgm-apg", "fgm-simplemkl", "l1svm", "l1logistic",
                          "sdca", "ufomkl", "svm_l2, all", "logistic, all"})

    def test_fgm_figure_4(self):
        figures = ["fgm_fig4a_accuracy", "fgm_fig4b_seconds"]
        rows = self.make("fgm_fig4", ["fgm_fig4"], figures)["fgm_fig4"]
        self.assertEqual({row["method"] for row in rows},
                         {"fgm-logistic", "fgm-simplemkl", "l1svm", "l1logistic", "sdca", "ufomkl"})
        densities = {float(row["density"]) for row in rows}
        self.assertEqual(densities, {0.08, 0.1, 0.3, 0.5, 0.8, 1})

    def test_fgm_groups(self):
        rows = self.make("fgm_groups", ["fgm_fig15"],
                         ["fgm_fig15a_accuracy", "fgm_fig15c_seconds"])["fgm_fig15"]
        self.assertEqual(sum(row["method"] == "ufomkl" for row in rows), 3)

    def test_fgm_products(self):
        rows = self.make("fgm_poly2", ["fgm_fig13_14"], [])["fgm_fig13_14"]
        # The same problem with its products stored has the same optimum.
        objectives = [float(row["objective"]) for row in rows if row["method"].startswith("fgm") and
                      row["objective"]]
        self.assertGreater(len(objectives), 0)

    def test_mslr(self):
        for word, tables, figures in (
                ("scales", ["mslr_fig1"], ["mslr_fig1b_accuracy", "mslr_fig1c_true"]),
                ("wide", ["mslr_fig3"],
                 ["mslr_fig3a_accuracy", "mslr_fig3b_true", "mslr_fig3c_seconds"]),
                ("tall", ["mslr_fig4"],
                 ["mslr_fig4a_accuracy", "mslr_fig4b_true", "mslr_fig4c_seconds"]),
                ("data", ["mslr_table1"], []), ("rounds", ["mslr_fig5"], ["mslr_fig5"]),
                ("c", ["mslr_fig8"], ["mslr_fig8a_accuracy", "mslr_fig8b_seconds"]),
                ("genes", ["mslr_fig6a"], ["mslr_fig6a"]),
                ("speed", ["mslr_fig7"], ["mslr_fig7"]), ("splits", ["mslr_table2"], []),
                ("sparse", ["mslr_table3"], [])):
            with self.subTest(word=word):
                found = self.make("mslr", tables, figures, word)
                if word == "wide":
                    self.assertEqual({row["method"] for row in found["mslr_fig3"]},
                                     {"mslr", "l1logistic", "reweighted", "gomp", "GroundTruth"})
                if word in ("splits", "sparse"):
                    for row in found[tables[0]]:
                        self.assertEqual(row["wilcoxon"] == "1", float(row["p"]) < 0.05)
                for path in self.folder.iterdir():
                    path.unlink()

    def test_every_script_is_listed(self):
        page = (PAPERS.parents[1] / "docs" / "papers.md").read_text(encoding="utf-8")
        for script in PAPERS.glob("*.lua"):
            self.assertIn(script.name, page)


if __name__ == "__main__":
    unittest.main()
