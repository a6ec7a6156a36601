#!/usr/bin/env python3
"""Soaks over all levels, each with rockets of another radius, and what was wrong with them.

    scripts/soaks.py [--soaks 2000] [--first 0] [--ticks 60] [--levels WORD,..] [--breach target/release/breach]

A soak has a level, 20 to 120 rockets, a radius of 0.02 to 20 m (as many below a length as below twice of it) and a seed,
all of which follow from its number. Right is: watertight, no body in rock, and a save that loads with the same hash. Each
soak that is not is named with its command. Exits 0 if none was.
"""
import argparse
import json
import math
import pathlib
import random
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent


def arguments():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("--soaks", type=int, default=2000)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--ticks", type=int, default=60)
    parser.add_argument("--levels", default="")
    parser.add_argument("--breach", default=str(ROOT / "target/release/breach"))
    return parser.parse_args()


def levels(words):
    """Ours and the shared ones, or those whose names hold one of the words."""
    folders = [ROOT / "levels", ROOT.parent / "shared/levels"]
    found = [level for folder in folders for level in sorted(folder.glob("*.map"))]
    return [level for level in found if any(word in level.name for word in words.split(","))]


def report(command):
    """What the program printed as JSON, if it did, and its last words otherwise."""
    run = subprocess.run(command, capture_output=True, text=True)
    lines = run.stdout.strip().splitlines()
    return (json.loads(lines[-1]), "") if lines else (None, f"exit {run.returncode}: {run.stderr[-300:]}")


def soak(number, args, among, folder):
    """A soak's command, and its faults in words."""
    chance = random.Random(number)
    level = chance.choice(among)
    radius = round(math.exp(chance.uniform(math.log(0.02), math.log(20))), 3)
    rockets, seed = chance.randint(20, 120), chance.randrange(1, 1000000)
    command = [args.breach, "soak", str(level), "--rockets", str(rockets), "--ticks", str(args.ticks),
               "--seed", str(seed), "--radius", str(radius), "--json"]
    saved = str(pathlib.Path(folder) / "saved.map")
    soaked, died = report(command + ["--save", saved])
    if soaked is None:
        return command, [died]
    loaded, died = report([args.breach, "check", saved, "--json"])
    counts = [f"{soaked[name]} {name}" for name in ("unmatched_edges", "t_junctions", "portal_mismatches")]
    faults = [] if soaked["watertight"] else ["not watertight: " + ", ".join(counts)]
    if soaked["debris"]["escaped"]:
        faults.append(f"{soaked['debris']['escaped']} bodies in rock")
    if loaded is None:
        faults.append("the save does not load: " + died)
    elif loaded["hash"] != soaked["hash"]:
        faults.append(f"the save loads as {loaded['hash']}, not {soaked['hash']}")
    elif not loaded["watertight"]:
        faults.append("the save is not watertight")
    return command, faults


def main():
    args = arguments()
    among = levels(args.levels)
    if not among:
        sys.exit("no such level")
    faulty = 0
    with tempfile.TemporaryDirectory() as folder:
        for number in range(args.first, args.first + args.soaks):
            command, faults = soak(number, args, among, folder)
            faulty += bool(faults)
            if faults:
                print(f"{number}: {' '.join(command[1:])}: {'; '.join(faults)}", flush=True)
            if sys.stderr.isatty():
                print(f"\r{number + 1 - args.first} of {args.soaks}", end="", file=sys.stderr)
    print(f"{args.soaks} soaks, {faulty} with faults")
    sys.exit(faulty > 0)


if __name__ == "__main__":
    main()
