#!/usr/bin/env python3
"""Pictures of all games: tests/e2e/pictures.py --alea FILE [--steps N] [GAME ...]

Draws several positions of random plays of every shipped game, or of the games or
rulesheets given, and checks each picture: it is well-formed XML; everything lies within
its frame; pieces lie on cells that exist, at most one in the middle of a cell, and name
fluents; ids that are used are defined; classes that are used are in the stylesheet; the
same command gives the same bytes.  An animation of the same play has a frame for each.

With ALEA_FULL=1 in the environment 25 positions are drawn of each, otherwise 5, and the
last two checks are made for every fifth game.
"""
import argparse
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ElementTree

root = pathlib.Path(__file__).resolve().parent.parent.parent
SVG = "{http://www.w3.org/2000/svg}"
NARROW = 0.45  # of the font size: the least that a letter takes on average


def number(element, name):
    return float(element.get(name, "0"))


def place(element):
    """The point of a piece: (x, y), or of its transform."""
    moved = re.match(r"translate\(([-\d.]+) ([-\d.]+)\)", element.get("transform", ""))
    if moved:
        return float(moved[1]), float(moved[2])
    return number(element, "x"), number(element, "y")


def extent(element):
    """The box of an element that can be told without drawing it, or None."""
    tag = element.tag.removeprefix(SVG)
    if tag == "rect" and element.get("width") != "100%":
        x, y = number(element, "x"), number(element, "y")
        return x, y, x + number(element, "width"), y + number(element, "height")
    if tag == "circle" and element.get("cx"):
        x, y, r = number(element, "cx"), number(element, "cy"), number(element, "r")
        return x - r, y - r, x + r, y + r
    if tag == "use":
        x, y = place(element)
        return x, y, x, y
    if tag == "text" and element.get("x"):
        x, y, size = number(element, "x"), number(element, "y"), number(element, "font-size")
        width = NARROW * size * len(element.text or "")
        left = {"middle": x - width / 2, "end": x - width}.get(element.get("text-anchor"), x)
        return left, y - size, left + width, y
    return None


def problems(text):
    """Sentences about what is wrong with a picture."""
    try:
        svg = ElementTree.fromstring(text)
    except ElementTree.ParseError as error:
        return [f"is not well-formed: {error}"]
    found = []
    _, _, width, height = map(float, svg.get("viewBox").split())
    shown = [e for e in svg.iter() if e.get("data-cell") is None or e.tag != SVG + "path"]
    for element in shown:
        box = extent(element)
        if box and (box[0] < -0.5 or box[1] < -0.5 or box[2] > width + 0.5 or box[3] > height + 0.5):
            found.append(f"beyond the frame: {ElementTree.tostring(element)[:200]}")
    cells = {e.get("data-cell") for e in svg.iter() if e.get("data-cell") and not e.get("data-fluent")}
    middles = set()
    for element in svg.iter():
        cell, fluent = element.get("data-cell"), element.get("data-fluent")
        if fluent is not None and not re.fullmatch(r"\(.*\)|[^() ]+", fluent):
            found.append(f"no fluent: {fluent}")
        if fluent is None or cell is None:
            continue
        if cell not in cells:
            found.append(f"no such cell: {cell}")
        if element.tag == SVG + "use" and "scale" not in element.get("transform", ""):
            key = (cell, element.get("data-board"), element.get("href"), place(element))
            if key in middles and element.get("href") != "#alea-disc":
                found.append(f"twice in one place: {key}")
            middles.add(key)
    defined = {e.get("id") for e in svg.iter() if e.get("id")}
    used = {e.get("href")[1:] for e in svg.iter(SVG + "use")}
    found += [f"not defined: {name}" for name in sorted(used - defined)]
    styles = "".join(e.text or "" for e in svg.iter(SVG + "style"))
    classes = {e.get("class") for e in svg.iter() if e.get("class") and e is not svg}
    found += [f"no style: {name}" for name in sorted(classes)
              if "alea-" not in name and f".{name}{{" not in styles]
    return found


def draw(alea, game, seed, steps, file):
    command = [alea, "show", game, "--random-play", "--seed", str(seed), "--step-cap", str(steps),
               "--last", "--legal", "--svg", file]
    if "%" not in file:
        command.append("--animate")
    done = subprocess.run(command, capture_output=True, text=True, timeout=120)
    return done.returncode, done.stderr.strip()


def check(alea, game, steps, folder, again):
    """The number of pictures, and sentences about them; 'again': also a second time."""
    seed = 5
    code, message = draw(alea, game, seed, steps, f"{folder}/a-%.svg")
    if code not in (0, 3):
        return 0, [f"exit {code}: {message}"]
    pictures = sorted(pathlib.Path(folder).glob("a-*.svg"))
    found = []
    for picture in pictures:
        found += [f"{picture.stem[2:]}: {what}" for what in problems(picture.read_text())[:3]]
    if code == 0 and again:
        draw(alea, game, seed, steps, f"{folder}/b-%.svg")
        for picture in pictures:
            other = picture.with_name("b" + picture.name[1:])
            if not other.exists() or other.read_bytes() != picture.read_bytes():
                found.append(f"{picture.stem[2:]}: other bytes the second time")
        draw(alea, game, seed, steps, f"{folder}/film.svg")
        film = ElementTree.parse(f"{folder}/film.svg").getroot()
        frames = sum("alea-frame" in e.get("class", "") for e in film.iter())
        if frames != len(pictures):
            found.append(f"{frames} frames of {len(pictures)} positions")
    return len(pictures), found


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--alea", required=True)
    parser.add_argument("--steps", type=int, default=25 if os.environ.get("ALEA_FULL") else 5)
    parser.add_argument("games", nargs="*")
    options = parser.parse_args()
    games = options.games or sorted(path.stem for path in (root / "games").iterdir()
                                    if path.suffix in (".kif", ".toss"))
    total = wrong = 0
    full = bool(os.environ.get("ALEA_FULL"))
    for index, game in enumerate(games):
        with tempfile.TemporaryDirectory() as folder:
            try:
                count, found = check(options.alea, game, options.steps, folder,
                                     full or index % 5 == 0)
            except subprocess.TimeoutExpired:
                count, found = 0, ["takes too long"]
        total += count
        wrong += bool(found)
        for sentence in found[:6]:
            print(f"{game}: {sentence}")
    print(f"{total} pictures of {len(games)} games, {wrong} games with problems")
    return 1 if wrong or total == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
