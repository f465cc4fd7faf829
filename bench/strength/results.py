"""Results that are kept row by row, so that Ctrl-C loses nothing and the next sitting goes on."""
import csv
import math
import threading

writing = threading.Lock()


def rows_of(path):
    if not path.exists():
        return []
    with open(path, encoding="utf-8") as file:
        return list(csv.DictReader(file, delimiter="\t"))


def add_row(path, columns, row):
    with writing:
        new = not path.exists()
        with open(path, "a", encoding="utf-8") as file:
            if new:
                file.write("\t".join(columns) + "\n")
            file.write("\t".join(str(row[column]) for column in columns) + "\n")


def score_of(row):
    """Percent of won, drawn and lost, a draw half a point, with Wilson's 95 % interval."""
    won, drawn, lost = int(row["won"]), int(row["drawn"]), int(row["lost"])
    count, z = won + drawn + lost, 1.96
    mean = (won + drawn / 2) / count
    middle = (mean + z * z / (2 * count)) / (1 + z * z / count)
    spread = z / (1 + z * z / count) * math.sqrt(mean * (1 - mean) / count + z * z / (4 * count * count))
    return 100 * mean, 100 * (middle - spread), 100 * (middle + spread)


def text_of(row):
    return "{:.0f} ({:.0f}–{:.0f})".format(*score_of(row))
