"""Files that one machine writes and another reads: .tam, .npy, .npz, models and run stores.

    exchange.py write FOLDER COMMAND...   the program COMMAND writes the files
    exchange.py read FOLDER COMMAND...    COMMAND reads them, and prints as JSON what it finds
    exchange.py compare A.json B.json     whether two have found the same

scripts/cross does that on this machine and on an emulated one of the other byte order;
tests/data/s390x.tar.xz is what that machine has written, and test_exchange reads it.
"""
import json
import math
import pathlib
import re
import subprocess
import sys

TABLE = "eins,zwei,drei,y\n" + "".join(
    f"{(7 * i) % 11 - 5.25},{(3 * i) % 7},{1e-3 * i * i},{'ja' if i % 3 else 'nein'}\n"
    for i in range(12))
CLASSES = "a,b,kind\n" + "".join(f"{i},{i % 4},{'rgb'[i % 3]}\n" for i in range(9))
SPARSE = "".join(f"{i % 5 - 1.5} {1 + i % 3}:{i + 0.5} {5 + i % 4}:-2\n" for i in range(10))
DATA = ("dense.tam", "single.tam", "classes.tam", "sparse.tam", "edges.tam", "genotypes.tam",
        "a.npy", "a.npz")


def run(command, folder, *words):
    done = subprocess.run([*command, *words], cwd=folder, stdin=subprocess.DEVNULL,
                          capture_output=True, text=True)
    if done.returncode:
        raise SystemExit(f"exchange: {' '.join(words)}: {done.stderr}")
    return done.stdout


def write(folder, command):
    folder = pathlib.Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in (("t.csv", TABLE), ("c.csv", CLASSES), ("s.svm", SPARSE),
                       ("p.bim", "".join(f"1 s{k} 0 {k} A G\n" for k in range(3))),
                       ("p.fam", "".join(f"f i{k} 0 0 1 {k}\n" for k in range(5)))):
        (folder / name).write_text(text)
    (folder / "p.bed").write_bytes(b"\x6c\x1b\x01" + bytes([0b11100010, 0b00000011]) * 3)
    for source, *words in (("t.csv", "dense.tam"), ("t.csv", "single.tam", "--storage", "float"),
                           ("c.csv", "classes.tam"), ("s.svm", "sparse.tam"),
                           ("p.bed", "genotypes.tam"), ("t.csv", "a.npy"), ("t.csv", "a.npz")):
        run(command, folder, "convert", source, *words)
    run(command, folder, "eval",
        "tm.synth('gfl', {n = 5, p = 6, seed = 2}):save('edges.tam')")
    run(command, folder, "fit", "t.csv", "--method", "l1logistic", "--lambdas", "3", "--model",
        "m.json", "--store", "s.db", "--note", "grüße")


def read(folder, command):
    found = {name: run(command, folder, "convert", name, "-", "--to", "csv") for name in DATA}
    found["m.json"] = run(command, folder, "predict", "m.json", "t.csv", "--as", "probability",
                          "--quiet")
    found["s.db"] = json.loads(run(command, folder, "runs", "export", "1", "--store", "s.db",
                                   "--json"))
    return found


NUMBER = re.compile(r"(-?\d+\.\d+(?:e-?\d+)?)")


def differences(one, other):
    """Names whose content differs by more than the last digits of numbers."""
    def same(a, b):
        a, b = (NUMBER.split(json.dumps(content, sort_keys=True)) for content in (a, b))
        return a[::2] == b[::2] and all(math.isclose(float(x), float(y), rel_tol=1e-9, abs_tol=1e-9)
                                        for x, y in zip(a[1::2], b[1::2]))

    return [name for name in sorted({*one, *other}) if not same(one.get(name), other.get(name))]


def main():
    what, folder, *command = sys.argv[1:]
    if what == "write":
        write(folder, command)
    elif what == "compare":
        found = differences(*(json.loads(pathlib.Path(name).read_text())
                              for name in (folder, *command)))
        print("exchange: " + (f"different: {' '.join(found)}" if found else "the same"))
        sys.exit(1 if found else 0)
    else:
        json.dump(read(folder, command), sys.stdout, indent=1, sort_keys=True)


if __name__ == "__main__":
    main()
