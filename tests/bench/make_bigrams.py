#!/usr/bin/python3
"""Writes the words and the pairs of neighbouring words of package descriptions as sparse rows with
classes.

Arguments: folder descriptions. descriptions is a Translation-en file of Debian in any compression
that apt reads; each package's section and source package are those of `apt-cache dumpavail`, and a
package that is not there is left out. "-" takes 300 made-up packages (seed 1) instead of both.

Rows are the packages in order of their names, but for a quarter that the MD5 sum of the source
package's name selects (so that a source package is in one part alone). Columns are the words and
the pairs in order of their text, with values (1 + log(count)) log(rows / rows with it), and a row
has length one. The class is +1 for the sections libs and libdevel, -1 for the rest. Texts are read
line by line, and of each row only numbers are kept. Writes data.npy, indices.npy, indptr.npy and
shape.npy (compressed columns as doubles, for R), y.npy, and for Tamis y.npz (SciPy's compressed
columns with y).
"""
import array
import collections
import hashlib
import pathlib
import re
import subprocess
import sys

import numpy as np

WORD = re.compile(r"[a-z0-9][a-z0-9.+\-]*[a-z0-9+]|[a-z]")
DESCRIPTION = "Description-en"


def fields(*command):
    """The paragraphs that a command prints, each as a dictionary of those of its fields that are
    needed: the description whole, of the others the first word."""
    with subprocess.Popen(command, stdout=subprocess.PIPE, encoding="utf-8") as process:
        found, name = {}, None
        for line in process.stdout:
            if line == "\n":
                yield found
                found, name = {}, None
            elif line[0] in " \t":
                if name == DESCRIPTION:
                    found[name] += line
            else:
                name, _, value = line.partition(":")
                if name in ("Package", "Section", "Source", DESCRIPTION):
                    found[name] = value if name == DESCRIPTION else value.split()[0]
        yield found
    if process.returncode != 0:
        sys.exit(f"make_bigrams: {command[0]} ended with {process.returncode}")


def packages(descriptions):
    """Name, source package, section and description of each, in order of the names."""
    texts = {found["Package"]: found[DESCRIPTION]
             for found in fields("/usr/lib/apt/apt-helper", "cat-file", descriptions)
             if DESCRIPTION in found}
    about = {found["Package"]: (found.get("Source", found["Package"]), found.get("Section", ""))
             for found in fields("apt-cache", "dumpavail") if found.get("Package") in texts}
    for name in sorted(about):
        yield (name, *about[name], texts[name])


def made_up():
    """Packages like those of `packages`: words that are the rarer the later they come, and a word
    in 20 of libraries is one of their own."""
    rng = np.random.default_rng(1)
    share = 1 / np.arange(1, 401)
    for k in range(300):
        words = [f"word{j}" for j in rng.choice(400, rng.integers(5, 60), p=share / share.sum())]
        library = rng.random() < 0.3
        words = ["library" if library and rng.random() < 0.05 else word for word in words]
        section = ("libs", "libdevel")[k % 2] if library else "games"
        yield f"package{k:03}", f"source{k // 2:03}", section, " ".join(words) + "\n"


def counted(texts):
    """The text of each column, and by row the number of its columns, these, and their counts."""
    numbers, lengths = {}, array.array("q")
    columns, counts, classes = array.array("i"), array.array("f"), array.array("d")
    for _, source, section, text in texts:
        if int(hashlib.md5(source.encode()).hexdigest(), 16) % 4 == 0:
            continue
        words = WORD.findall(text.lower())
        row = collections.Counter(words)
        row.update(f"{a} {b}" for a, b in zip(words, words[1:]))
        columns.extend(numbers.setdefault(name, len(numbers)) for name in row)
        counts.extend(row.values())
        lengths.append(len(row))
        classes.append(1.0 if section in ("libs", "libdevel") else -1.0)
    return (list(numbers), *(np.array(each) for each in (lengths, columns, counts, classes)))


def weighted(lengths, columns, values, p):
    """Counts as products with the logarithm of the rows over those with the word, of unit rows."""
    n = len(lengths)
    values = (1 + np.log(values)) * np.log(n / np.bincount(columns, minlength=p))[columns]
    rows = np.repeat(np.arange(n, dtype=np.int32), lengths)
    norms = np.sqrt(np.bincount(rows, values * values, n))
    norms[norms == 0] = 1
    return rows, values / norms[rows]


def main():
    folder = pathlib.Path(sys.argv[1])
    texts = made_up() if sys.argv[2] == "-" else packages(sys.argv[2])
    names, lengths, columns, values, y = counted(texts)
    if not len(y):
        sys.exit(f"make_bigrams: apt knows none of the packages of {sys.argv[2]}")
    n, p = len(y), len(names)
    place = np.empty(p, np.int32)
    place[sorted(range(p), key=names.__getitem__)] = np.arange(p, dtype=np.int32)
    del names
    rows, values = weighted(lengths, columns, values.astype(float), p)
    columns = place[columns]
    order = np.argsort(columns, kind="stable")
    starts = np.concatenate([[0], np.cumsum(np.bincount(columns, minlength=p))])
    rows, values = rows[order], values[order]
    np.save(folder / "y.npy", y)
    np.savez(folder / "y.npz", format=np.array(b"csc"), data=values, indices=rows, indptr=starts,
             shape=np.array((n, p)), y=y)
    for name, each in (("data", values), ("indices", rows), ("indptr", starts),
                       ("shape", np.array((n, p)))):
        np.save(folder / f"{name}.npy", np.asarray(each, float))


main()
