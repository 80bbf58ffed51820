#!/usr/bin/python3
"""The screen view: a run's screening, step by step."""
import os
import re
import unittest

from workbench import Workbench


class Steps(Workbench):
    def steps(self):
        match = self.t.see(r"step (\d+) of (\d+)")
        return int(match.group(1)), int(match.group(2))

    def strategy(self, name):
        """Goes on until this strategy is shown."""
        seen = []
        while not seen or seen[-1] != name:
            if seen:
                self.t.keys("v")
            last = seen[-1] if seen else "none at all"
            seen.append(self.t.see(r"┌ (?!%s:)(\w+): bounds of" % last).group(1))
            self.assertLess(len(seen), 40)


class FirstSight(Steps):
    def test_a_feature_is_found_by_its_name_and_explained(self):
        self.start_solved()
        self.t.keys("4")
        self.t.see(r"step 1 of")
        self.t.see(r"\?: why +/: find")
        self.t.answer("/", "^feature:", "X1752")
        self.t.see(r'looked at no feature with "X1752" in its name; the last one \(G\)')
        self.t.keys("G", "n")
        self.t.see(r"(^tm>|\*) +X1752 cannot reach 1")
        self.t.keys("?")
        self.t.see("X1752 was excluded for good at step 4 of 4")
        self.t.keys("Escape")
        self.t.answer("/", "^feature:", "X29")
        first = self.t.see(r"(?:^tm>|\*) +(X\d*29\d*):? \D")[1]
        self.t.keys("n")
        self.t.see_gone(r"(^tm>|\*) +%s\b" % first)
        self.t.answer("/", "^feature:", "no such")
        self.t.see(r'looked at no feature with "no such" in its name$')
        self.quit()

    def test_none_screens_nothing(self):
        self.start_solved()
        self.t.command(":set screen none")
        self.t.see(r" 0\.0 % screened")
        self.t.keys("Escape", "2", "g")
        self.t.see(r"┌ none")
        self.t.see(r" 0\.0 %\s+(│\n│)?screened")
        self.t.keys("9")
        self.t.see(r"none +\d+ .* met")
        self.t.see(r"none +\d+ .* 0\.0 %")
        self.quit()

    def test_the_certificate_rules_out_what_auto_left_out(self):
        self.start_solved()
        features = int(self.t.see(r"(\d+) features")[1])
        self.t.keys("4")
        self.t.see(r"┌ step 1 of \d+: auto ─")
        out = int(self.t.see(r"at the end (\d+) of 3051 out")[1])
        self.assertGreaterEqual(out, 3051 * 98 // 100)
        self.assertLessEqual(out, 3051 - features)  # nothing that has a weight
        self.t.see(r"● start +\+ in +- out +× for good")
        self.t.keys("G")
        self.t.see(r": the certificate ─")
        self.t.see(r"radius \d")
        self.t.see(r"█ %d in, 0 waiting, ▒ %d out" % (3051 - out, out))
        self.t.see(r"× X\d+ [a-z ]*0\.9")  # the bound that the certificate used
        self.quit()

    def test_samples_enter_and_leave_as_features_do(self):
        self.start_solved()
        self.t.command(":set method svm")
        self.t.command(":set C 0.001")
        self.t.see(r"converged")
        self.t.keys("Escape", "4")
        self.t.see(r"auto: bounds of 27 samples")
        self.t.see(r"● start +\+ in +- out +× at 0 +▲ at C")
        self.t.see(r"█ 27 in, 0 waiting")
        end = self.t.see(r"the end: (\d+) at 0, (\d+) at C of 27")
        self.t.see(r"worked on .*at 0.*at C")
        self.t.see(r"row 1 is worked on from this step")
        self.t.keys("G")
        self.t.see(r": the certificate ─")
        self.t.see(r"▒ %s at 0, %s at C" % end.groups())
        self.assertGreater(int(end[1]), 0)
        self.assertGreater(int(end[2]), 0)
        self.t.see(r"▲ row \d+ ")
        self.t.see(r"row \d+ is within its margin in the whole ball: at C")
        self.t.keys("?")
        self.t.see(r"row \d+ was certified for good at step")
        self.t.keys("Enter")
        self.t.see(r"a plane is shown of a feature; these are samples")
        self.t.answer("/", "^sample:", "row 27")
        self.t.see(r"row 27 (may|is)")
        self.strategy("saiv")
        self.t.see(r"the first samples: those of")
        self.t.see(r"█ 1\d in, 1\d waiting")
        for step in range(2, 40):
            self.t.keys("Right")
            self.t.see(r"step %d of" % step)
            if "certificate" in self.t.text():
                break
        self.t.see(r"▒ %s at 0, %s at C" % end.groups())  # as with the other strategy
        self.quit()


class WideFirstSight(FirstSight):
    size = (160, 50)


class Screen(Steps):
    def test_steps_of_the_forms_run(self):
        self.start_solved()
        self.t.keys("4")
        self.t.see(r"auto: bounds of \d+ features")
        self.strategy("gap")
        self.t.see(r"gap: bounds of 3051 features")
        step, count = self.steps()
        self.assertEqual(step, 1)
        self.assertGreater(count, 5)
        self.t.keys("Right", "l")
        self.t.see(r"step 3 of")
        self.t.see(r"against")
        self.t.see(r"× X\d+ +0\.9")  # those certified out are told, with their bound
        self.t.see(r"cannot reach 1")
        self.t.keys("h")
        self.t.see(r"step 2 of")
        self.t.keys("G")
        self.t.see(r"step %d of %d" % (count, count))
        self.t.see(r"the certificate")
        # At the optimum the features with a weight are at their constraint.
        weights = int(self.t.see(r"█ (\d+) in, 0 waiting, ▒ \d+ out").group(1))
        self.assertGreaterEqual(weights, 1)
        at_one = re.findall(r"X\d+ +1\.0\d+ ", self.t.text())
        self.assertGreaterEqual(len(at_one), weights)
        self.t.keys("g", "L", "H", "j", "j", "k", "NPage", "PPage")
        self.t.see(r"step 1 of")
        self.quit()

    def test_playing(self):
        self.start_solved()
        self.t.keys("4")
        self.strategy("gap")
        for _ in range(3):
            self.t.keys("+")
        self.t.see(r"16 steps a second")
        self.t.keys("Space")
        _, count = self.steps()
        self.t.see(r"step %d of %d: the certificate ─" % (count, count))  # it stops at the end
        self.t.keys("-")
        self.t.see(r"8 steps a second")
        self.t.keys("Space")  # from the beginning
        self.t.see(r"playing")
        self.t.keys("Space")
        self.t.see_gone(r"playing")
        self.quit()

    def test_saif_adds_and_deletes(self):
        self.start_solved()
        self.t.keys("4")
        self.strategy("saif")
        seen = set()
        _, count = self.steps()
        for step in range(1, count + 1):
            self.t.see(r"step %d of" % step)
            for words in ("DEL:", "ADD:", "ADD ends", "certificate"):
                if words in self.t.text():
                    seen.add(words)
            self.t.keys("Right")
        self.assertEqual(seen, {"DEL:", "ADD:", "ADD ends", "certificate"})
        self.quit()

    def test_two_samples(self):
        path = self.t.file("two.csv", "a,b,c,y\n2,0,1,3.5\n0,1,1,1.25\n")
        self.start_solved()
        self.t.type('>r = tm.lasso(tm.load("%s"), {screen="gap", intercept=false, '
                    'check_every=1, lambda_ratio=0.2, name="pair"})' % path)
        self.t.keys("Enter")
        self.t.see(r"done")
        self.t.keys("Escape", "Escape", "2")
        self.t.see(r"pair +done")
        # Both are numbers and stay what they are: lambda is a fifth of 2 * 3.5.
        self.t.keys("G", "Enter")
        self.t.see(r"lambda 1\.4 ")
        self.t.see(r"the dual: two samples")
        self.t.see(r"feasible")
        self.t.see(r"optimum")
        self.t.keys("Right")
        self.t.see(r"ball")
        self.t.keys("Enter")  # in two dimensions a plane is all there is
        self.t.see(r"all of it lies in this plane")
        self.t.keys("Enter")
        self.t.see(r"the dual: two samples")
        self.t.keys("o")  # around to the form's run
        self.t.see(r"auto: bounds of")
        self.quit()

    def test_samples_leave_and_come_in(self):
        """Of a support vector machine the view shows samples: those certified out, and SAIV's
        ADD."""
        self.start_solved()
        self.t.command(":set method svm")
        self.t.see(r"svm")
        self.t.command(":set screen saiv")
        self.t.see(r"screen +‹ saiv")
        self.t.keys("Escape", "4")
        self.t.see(r"saiv: bounds of \d+ samples")
        self.t.see(r"samples by step")
        step, count = self.steps()
        seen = self.t.text()
        while step < count:
            self.t.keys("Right")
            step += 1
            self.t.see(r"step %d of" % step)
            seen += self.t.text()
        self.assertRegex(seen, r"● row \d+")
        self.assertRegex(seen, r"[1-9]\d* came in")
        self.assertRegex(seen, r"\+ row \d+")
        self.quit()

    def test_it_follows_the_form(self):
        self.start_solved()
        self.t.keys("4")
        self.t.see(r"lambda 3\.356 \(0\.1 max\)")
        self.t.keys("1", "Left", "4")
        self.t.see(r"\(0\.08 max\)")
        self.quit()


class Edges(Steps):
    def test_edges_of_a_graph(self):
        """Of structured runs the view shows edges: those that cuts open, those proven equal."""
        self.start_solved()
        self.t.type('>d = tm.synth("gfl", {n=40, p=60, edges=59, seed=1}) r = tm.genlasso(d, '
                    '{graph="data", screen="transform", lambda_ratio=0.3, name="net"})')
        self.t.keys("Enter")
        self.t.see(r"done")
        self.t.keys("Escape", "Escape", "2")
        self.t.see(r"net +done")
        self.t.keys("G", "Enter")
        self.t.see(r"transform: bounds of \d+ edges")
        self.t.see(r"edges by step")
        self.t.see(r"step 1 of \d+: transform")
        self.t.see(r"start: edges between")
        added = set()
        step, count = self.steps()
        while step < count:
            added.update(re.findall(r"\+ (X\d+ - X\d+) ", self.t.text()))
            self.t.keys("Right")
            step += 1
            self.t.see(r"step %d of" % step)
        self.t.see(r": the certificate ─")
        self.assertTrue(added)
        self.t.see(r"× X\d+ - X\d+ +(certified +)?0\.\d+")
        name = min(added)
        self.t.answer("/", "^edge:", name)
        self.t.see(r"%s may reach 1 in the ball: its ends may have" % name)
        self.t.keys("?")
        self.t.see(r"%s (has\s+the\s+difference|is\s+not\s+excluded)" % name)
        self.t.keys("Escape", "Enter")
        self.t.see(r"a plane is shown of a feature; these are edges")
        self.t.keys("v")
        self.t.see(r"┌ paths: bounds of \d+ edges")
        self.t.keys("v")  # by SAIF the edges are features of a lasso
        self.t.see(r"┌ saif: bounds of \d+ edges")
        self.t.see(r"[●+] (X\d+ - X\d+|tree of X\d+)")
        self.quit()


class WideEdges(Edges):
    size = (120, 30)


class Plane(Steps):
    def plane_of_gap(self):
        """The plane of a feature in a step of Gap Safe's; (its name, the sum's three numbers)."""
        self.start_solved()
        self.t.keys("4")
        self.strategy("gap")
        self.t.keys("Right", "Right", "Enter")
        self.t.see(r"┌ X\d+ in step 3 of \d+: gap")
        return self.sum()

    def sum(self):
        """The numbers of |x'c| + r |x| = bound, once they are there."""
        said = self.t.see(r"\|x'c\| ([\d.]+) \+ radius ([\d.]+) = bound ([\d.]+)").groups()
        product, radius, bound = map(float, said)
        self.assertAlmostEqual(product + radius, bound, delta=2e-4)
        return product, radius, bound

    def test_the_plane_of_a_feature(self):
        bound = self.plane_of_gap()[2]
        self.t.see(r"▲ ball")
        self.t.see(r"◆ theta")
        self.t.see(r"○ optimum")
        self.t.see(r"X\d+'theta")
        self.t.see(r"all of it lies in this plane|: projected from")
        self.t.keys("Enter")  # the bounds again, whose chosen row has the picture's
        listed = self.t.see(r"× X\d+ +(?:certified +)?([\d.]+) ").group(1)
        self.assertAlmostEqual(float(listed), bound, delta=2e-4)
        self.t.keys("Enter")
        radii = []
        for _ in range(4):  # the ball shrinks, and stays in sight
            radii.append(self.sum()[1])
            step, _ = self.steps()
            self.t.keys("Right", "Right")
            self.t.see(r"step %d of" % (step + 2))
            self.t.see(r"▲ ball")
        self.assertEqual(radii, sorted(radii, reverse=True))
        name = self.t.see(r"┌ (X\d+) in step").group(1)
        self.t.keys("Down")
        self.t.see(r"┌ X(?!%s )\d+ in step" % name[1:])
        self.t.keys("Escape")
        self.t.see(r"gap: bounds of")
        self.quit()

    def test_lambda_is_dragged(self):
        self.plane_of_gap()
        self.t.keys("G")
        self.t.see(r"lambda 3\.356 \(0\.1 max\)")
        self.t.keys("[", "[", "[")
        self.t.see(r"lambda 2\.376 \(0\.0708 max\) +─")
        self.t.see(r"the certificate ─")  # it stays at the end
        self.t.keys("]")
        self.t.see(r"lambda 2\.666 \(0\.0794 max\) +─")
        rows = self.t.lines()
        row = next(i for i, line in enumerate(rows) if "●─" in line)
        left, right = rows[row].index("─"), rows[row].rindex("─")

        def mouse(button, column, final="M"):
            self.t.type("\x1b[<%d;%d;%d%s" % (button, column + 1, row + 1, final))
        mouse(0, (left + right) // 2)
        self.t.see(r"\(0\.0[23]\d* max\) +─")  # half of three decades
        for column in range((left + right) // 2, right + 2, 3):
            mouse(32, column)
        mouse(32, right)
        mouse(0, right, "m")
        self.t.see(r"\(0?\.?[91]\d* max\) +─")
        self.t.see(r"─●|●│")
        self.t.keys("0")  # that of the form again
        self.t.see(r"lambda 3\.356 \(0\.1 max\)")
        self.t.keys("Escape", "4")
        self.t.see(r"gap: bounds of")
        self.quit()

    def test_the_plane_is_saved(self):
        self.plane_of_gap()
        self.t.keys("c")
        for ending in "svg", "png":
            path = os.path.join(self.t.home, "plane." + ending)
            self.t.answer("e", "save the plot as: ", path)
            self.t.see("saved as")
            with open(path, "rb") as f:
                data = f.read()
            self.assertTrue(data.startswith(b"\x89PNG" if ending == "png" else b"<"))
            if ending == "svg":
                for word in (b"ball", b"theta", b"the dual, cut through"):
                    self.assertIn(word, data)
        self.t.keys("Escape")
        self.quit()

    def test_no_plane_where_there_is_none(self):
        self.start_solved()
        self.t.command(":set alpha 0.5")
        self.t.see(r"lambda +6\.7")  # of which half is squared
        self.t.keys("Escape", "4")
        self.t.see(r"bounds of")
        self.t.keys("G", "Enter")
        self.t.see(r"no dual point is known")
        self.t.keys("Escape")
        self.quit()


class Wide(Plane):
    """The picture stands beside the bounds."""
    size = (160, 50)

    def test_bounds_and_plane_together(self):
        self.start_solved()
        self.t.keys("4")
        self.strategy("vi")
        self.t.keys("Right", "Enter")
        self.t.see(r"┌ X\d+ in step 2 of \d+: vi")
        said = self.t.see(r"radius [\d.]+, cut: bound ([\d.]+)").group(1)
        self.t.see(r"the half-space is the side")
        self.t.see(r"■ half-space")
        self.assertIn(" %s " % said, self.t.text().replace(said + "│", "", 1))
        self.quit()


if __name__ == "__main__":
    unittest.main(verbosity=1)
