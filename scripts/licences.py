#!/usr/bin/env python3
"""The licences of all crates that are in the program, as one text on stdout: scripts/licences.py, without a network.

Read from `cargo metadata` and from the crates' own files, as cargo has unpacked them, and not by cargo-about: that is seldom
installed, puts a standard text where it finds none, and leaves out what crates bring along from others (fonts, C sources);
and a package should be the same on every machine. It fails where a crate allows none of the licences below, or has no text
of one that has to go along word for word.
"""
import json
import os
import re
import subprocess
import sys
from collections import defaultdict

# What may be in the program: nothing that asks for more than that its text goes along, or (MPL) that people are told where
# its unchanged source is.
ALLOWED = {
    "0BSD", "Apache-2.0", "BSD-2-Clause", "BSD-3-Clause", "BSL-1.0", "CC0-1.0", "ISC", "MIT", "MIT-0", "MPL-2.0",
    "OFL-1.1", "Ubuntu-font-1.0", "Unicode-3.0", "Unlicense", "Zlib",
}
EXCEPTIONS = {"LLVM-exception"}
# Files that hold a licence or a notice, and folders that are not built into the program.
TEXT = re.compile(r"^(licen[cs]e|copying|unlicense|notice|copyright|ofl|ufl)|[-_.]licen[cs]e|(ofl|ufl)\.txt$|^hack-.*\.txt$", re.I)
CODE = re.compile(r"\.(rs|c|h|cpp|hpp|py|toml|json|html|js)$", re.I)
ASIDE = {"target", "tests", "test", "benches", "examples", "fuzz", ".git", ".github", "node_modules"}
BSD_2 = """
Redistribution and use in source and binary forms, with or without modification, are permitted provided that the following
conditions are met:

1. Redistributions of source code must retain the above copyright notice, this list of conditions and the following
   disclaimer.

2. Redistributions in binary form must reproduce the above copyright notice, this list of conditions and the following
   disclaimer in the documentation and/or other materials provided with the distribution.

THIS SOFTWARE IS PROVIDED BY THE COPYRIGHT HOLDERS AND CONTRIBUTORS "AS IS" AND ANY EXPRESS OR IMPLIED WARRANTIES, INCLUDING,
BUT NOT LIMITED TO, THE IMPLIED WARRANTIES OF MERCHANTABILITY AND FITNESS FOR A PARTICULAR PURPOSE ARE DISCLAIMED. IN NO EVENT
SHALL THE COPYRIGHT HOLDER OR CONTRIBUTORS BE LIABLE FOR ANY DIRECT, INDIRECT, INCIDENTAL, SPECIAL, EXEMPLARY, OR CONSEQUENTIAL
DAMAGES (INCLUDING, BUT NOT LIMITED TO, PROCUREMENT OF SUBSTITUTE GOODS OR SERVICES; LOSS OF USE, DATA, OR PROFITS; OR BUSINESS
INTERRUPTION) HOWEVER CAUSED AND ON ANY THEORY OF LIABILITY, WHETHER IN CONTRACT, STRICT LIABILITY, OR TORT (INCLUDING
NEGLIGENCE OR OTHERWISE) ARISING IN ANY WAY OUT OF THE USE OF THIS SOFTWARE, EVEN IF ADVISED OF THE POSSIBILITY OF SUCH DAMAGE.
""".strip("\n")
HERE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


def metadata():
    """What cargo knows, for the system that this runs on."""
    host = re.search(r"^host: (.*)$", subprocess.check_output(["rustc", "-vV"], text=True), re.M).group(1)
    command = ["cargo", "metadata", "--offline", "--locked", "--format-version", "1", "--filter-platform", host]
    return json.loads(subprocess.check_output(command, cwd=HERE, text=True))


def in_the_program(data):
    """Every crate of others that breach is built of; those that only build, test or measure it are not in it."""
    nodes = {node["id"]: node for node in data["resolve"]["nodes"]}
    packages = {package["id"]: package for package in data["packages"]}
    root = next(i for i, p in packages.items() if p["name"] == "breach" and p["source"] is None)
    seen, todo = set(), [root]
    while todo:
        node = nodes[todo.pop()]
        for dep in node["deps"]:
            is_normal = any(kind["kind"] is None for kind in dep["dep_kinds"])
            if is_normal and dep["pkg"] not in seen:
                seen.add(dep["pkg"])
                todo.append(dep["pkg"])
    return sorted((packages[i] for i in seen if packages[i]["source"]), key=lambda p: (p["name"], p["version"]))


def allowed(expression):
    """Whether an SPDX expression can be met by what is allowed."""
    words = re.findall(r"\(|\)|[^\s()]+", expression.replace("/", " OR "))
    code = []
    skip = False
    for word in words:
        if skip:
            if word not in EXCEPTIONS:
                return False
            skip = False
        elif word == "WITH":
            skip = True
        elif word in ("AND", "OR"):
            code.append(word.lower())
        elif word in "()":
            code.append(word)
        else:
            code.append(str(word in ALLOWED))
    return eval(" ".join(code), {"__builtins__": {}})  # True, False, and, or, brackets: nothing else is left


def texts(package):
    """Name and text of each licence file that lies in the crate."""
    folder = os.path.dirname(package["manifest_path"])
    found = []
    for at, folders, files in os.walk(folder):
        folders[:] = sorted(set(folders) - ASIDE)
        for name in sorted(files):
            path = os.path.join(at, name)
            named = package.get("license_file") and os.path.samefile(path, os.path.join(folder, package["license_file"]))
            if named or (TEXT.search(name) and not CODE.search(name)):
                with open(path, encoding="utf-8", errors="replace") as file:
                    text = "\n".join(line.rstrip() for line in file.read().replace("\r\n", "\n").split("\n")).strip("\n")
                if text:
                    found.append((os.path.relpath(path, folder), text))
    return found


def stand_in(package):
    """Of a crate without a text: one of the standard texts, with its authors where the text names some."""
    licence = package["license"] or ""
    if "Apache-2.0" in licence:
        with open(os.path.join(HERE, "LICENSE-APACHE"), encoding="utf-8") as file:
            return file.read().strip("\n")
    authors = ", ".join(re.sub(r"\s*<.*?>", "", a) for a in package["authors"]) or f"the authors of {package['name']}"
    if "MIT" in licence.split() or licence == "MIT":
        with open(os.path.join(HERE, "LICENSE-MIT"), encoding="utf-8") as file:
            body = file.read()
        return re.sub(r"Copyright.*", lambda _: f"Copyright (c) {authors}", body, count=1).strip("\n")
    if licence == "BSD-2-Clause":
        return f"Copyright (c) {authors}\n\n{BSD_2}"
    for name in ("CC0-1.0", "Unlicense", "0BSD", "MIT-0"):
        if name in licence:
            return f"{name}: no text has to go along."
    return None


def main():
    packages = in_the_program(metadata())
    wrong, by_text = [], defaultdict(list)
    for package in packages:
        name = f"{package['name']} {package['version']}"
        licence = package["license"]
        if licence is None and not package.get("license_file"):
            wrong.append(f"{name}: says no licence")
        elif licence is not None and not allowed(licence):
            wrong.append(f"{name}: {licence}")
        found = texts(package)
        if not found:
            text = stand_in(package)
            if text is None:
                wrong.append(f"{name}: has no text of {licence}")
            else:
                found = [("standard text", text)]
        for file, text in found:
            by_text[text].append(f"{name} ({file})")
    if wrong:
        sys.exit("\n".join(wrong))
    say = sys.stdout.write
    say("Breach is made of its own sources (MIT OR Apache-2.0), Rust's standard library (MIT OR Apache-2.0,\n")
    say("https://www.rust-lang.org) and the crates below, under the licences that stand beside them; the texts follow.\n\n")
    for package in packages:
        place = package["repository"] or package["homepage"] or ""
        say(f"{package['name']} {package['version']}: {package['license'] or package['license_file']}  {place}\n")
    for text, owners in sorted(by_text.items(), key=lambda item: (-len(item[1]), item[1])):
        say(f"\n{'=' * 100}\n{', '.join(owners)}\n{'-' * 100}\n{text}\n")


if __name__ == "__main__":
    main()
