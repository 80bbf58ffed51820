"""The files that commands in the documentation name, in a folder of their own."""
import random
import struct
import subprocess

ROWS, FEATURES = 40, 60
SWEEP = """
local d = tm.synth("saif", {n=40, p=30, seed=3})
tm.sweep{data=d, method="lasso", grid={lambda_ratio={0.5, 0.2, 0.1}}, folds=2, name="s"}:wait()
for i = 1, 5 do tm.lasso(d, {lambda_ratio=i / 10}):wait() end
"""


def rows(seed):
    """Features, and whether two of them agree."""
    dice = random.Random(seed)
    for _ in range(ROWS):
        x = [dice.gauss(0, 1) for _ in range(FEATURES)]
        yield x, x[0] + x[1] + 0.3 * dice.gauss(0, 1) > 0


def write_svm(path, seed, labels):
    path.write_text("".join(
        f"{labels[good]} " + " ".join(f"{j}:{v:.4f}" for j, v in enumerate(x, 1)) + "\n"
        for x, good in rows(seed)))


def write_csv(path, seed, columns, last):
    lines = [",".join(columns)]
    for i, (x, good) in enumerate(rows(seed)):
        lines.append(",".join([*(f"{v:.4f}" for v in x[:len(columns) - 1]), last(i, good)]))
    path.write_text("\n".join(lines) + "\n")


def write_npy(path, shape, values):
    header = f"{{'descr': '<f8', 'fortran_order': False, 'shape': {shape}, }}"
    header += " " * (-(len(header) + 11) % 64) + "\n"
    path.write_bytes(b"\x93NUMPY\1\0" + struct.pack("<H", len(header)) + header.encode()
                     + struct.pack(f"<{len(values)}d", *values))


def make(folder, program):
    for name, seed in (("train", 1), ("test", 2), ("new", 3)):
        write_svm(folder / f"{name}.svm", seed, ("7", "13"))
    for name in ("genes", "text"):
        write_svm(folder / f"{name}.svm", 4, ("-1", "+1"))
    (folder / "pathways.txt").write_text("1-10 name=a\n11 12 20-30 name=b\n")
    names = [f"G{j}" for j in range(1, FEATURES + 1)]
    write_csv(folder / "genes.csv", 5, [*names, "class"], lambda i, good: str(2 * good - 1))
    (folder / "genes.edges").write_text("".join(f"G{j} G{j + 1}\n" for j in range(1, FEATURES)))
    (folder / "new.csv").write_text("".join(
        ",".join(f"{v:.4f}" for v in x) + "\n" for x, _ in rows(6)))
    for name, seed in (("train", 7), ("test", 8)):
        bagged(folder / f"{name}.csv", seed)
    dice = random.Random(9)
    voxels = 16 ** 3
    write_npy(folder / "scans.npy", (12, voxels), [dice.gauss(0, 1) for _ in range(12 * voxels)])
    write_npy(folder / "y.npy", (12,), [1.0, -1.0] * 6)
    write_npy(folder / "X.npy", (3, 2), [1.0, 2.0, 3.0, 5.0, 4.0, 4.0])
    (folder / "y.txt").write_text("1\n2\n3\n")
    (folder / "sweep.lua").write_text(SWEEP)
    for store in ("runs.db", "other.db"):
        subprocess.run([program, "run", "--store", folder / store, folder / "sweep.lua"],
                       check=True, capture_output=True)


def make_more(folder, program):
    """What commands in the text name besides."""
    (folder / "genes.lua").write_text("print(tm.load('genes.svm').n)")
    (folder / "x.lua").write_text("print(1)")
    dense = 'tm.synth("mslr", {n=40, p=60, k=20, seed=1}):save("dense.tam")'
    subprocess.run([program, "eval", dense], check=True, capture_output=True, cwd=folder)


def bagged(path, seed):
    """Four instances a bag, whose class is theirs."""
    lines = ["bag,a,b,c,y"]
    for i, (x, good) in enumerate(rows(seed)):
        lines += [f"{i},{x[0] + d:.3f},{x[1] - d:.3f},{x[2]:.3f},{2 * good - 1}"
                  for d in (0, 0.1, 0.2, 0.3)]
    path.write_text("\n".join(lines) + "\n")
