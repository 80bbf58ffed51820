#!/usr/bin/python3
"""Loading other data while some are explored: its progress is seen, and it can be stopped."""
import os
import threading
import unittest

from workbench import Workbench


class Loading(Workbench):
    def feed(self, part, go_on):
        """A named pipe that gives `part` of a file at once, and the rest when told to."""
        path = os.path.join(self.t.home, "slow.svm")
        os.mkfifo(path)
        row = b"+1 " + b" ".join(b"%d:0.5" % j for j in range(1, 120)) + b"\n"
        rows = [row, row.replace(b"+1", b"-1", 1).replace(b"0.5", b"0.25")] * 3000

        def write():
            with open(path, "wb", buffering=0) as f:
                f.write(b"".join(rows[:int(part * len(rows))]))
                go_on.wait(60)
                try:
                    f.write(b"".join(rows[int(part * len(rows)):]))
                except BrokenPipeError:
                    pass
        writer = threading.Thread(target=write)
        writer.start()
        self.addCleanup(writer.join)
        self.addCleanup(go_on.set)
        return path

    def test_progress_is_seen_and_the_view_stays(self):
        go_on = threading.Event()
        self.start_solved()
        self.t.command(":open " + self.feed(0.9, go_on))
        self.t.see(r"^ loading slow\.svm  [\d.]+ [kM]B +Ctrl-C stops it")
        self.t.see("┌ parameters")  # golub can be worked with meanwhile
        self.t.keys("Escape", "2")
        self.t.see("┌ runs")
        self.t.see(r"^ loading slow\.svm  ")
        go_on.set()
        self.t.see_gone(r"^ loading ")
        self.t.see(r"tamis  slow\S*  6000x119")
        self.t.keys("1")
        self.t.see(r"┌ parameters")
        self.t.keys("Escape", "C-c", "Escape", "q")
        self.t.see_gone("1:explore")

    def test_it_can_be_stopped(self):
        go_on = threading.Event()
        self.start_solved()
        self.t.command(":open " + self.feed(0.5, go_on))
        self.t.see(r"^ loading slow\.svm  [\d.]+ [kM]B")
        self.t.keys("C-c")
        self.t.see("stopped; golub is explored as before")
        self.t.see_gone("^ loading slow")
        self.t.keys("Escape")
        self.t.see("12 features")
        go_on.set()
        self.quit()


class WideLoading(Loading):
    size = (160, 50)


if __name__ == "__main__":
    unittest.main(verbosity=1)
