"""The copy of the sources with mutants in it, and its build."""

import pathlib
import re
import shutil
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
CALL = re.compile(r"mutant[A-Za-z]*\((\d+)")
# The type checker has no more for an expression. A mutant in a sum of many lists would keep it busy
# for much longer, in each attempt.
EXPRESSION_SECONDS = 8
TOO_LONG = "unable to type-check this expression in reasonable time"
ERROR = re.compile(r"^(/[^:\n]+\.swift):(\d+):(\d+): error: (.*)$", re.MULTILINE)


class Refusal(Exception):
    """The build fails for another reason than a mutant."""


def put(path, data):
    """Writes a file, unless it would not change."""
    path.parent.mkdir(parents=True, exist_ok=True)
    if not path.exists() or path.read_bytes() != data:
        path.write_bytes(data)


def maker(scratch):
    """Builds the maker from the swift-syntax of the toolchain; returns its path."""
    sources = sorted((HERE / "Maker").glob("*.swift"))
    program = scratch / "maker"
    if program.exists() and all(
        s.stat().st_mtime < program.stat().st_mtime for s in sources
    ):
        return program
    compiler = pathlib.Path(shutil.which("swiftc") or sys.exit("mutants: there is no swiftc"))
    libraries = compiler.resolve().parent.parent / "lib/swift/host"
    if not (libraries / "libSwiftParser.so").exists():
        print(f"mutants: the toolchain has no swift-syntax in {libraries}")
        sys.exit(77)
    subprocess.run(
        [compiler, "-swift-version", "6", "-module-name", "mutants", "-o", program]
        + ["-I", libraries, "-L", libraries, "-lSwiftSyntax", "-lSwiftParser", "-lSwiftOperators"]
        + ["-Xlinker", "-rpath", "-Xlinker", libraries, *sources],
        check=True,
    )
    return program


def copy(package, tree, sources):
    """Copies what git knows of, without the sources that get mutants."""
    names = subprocess.run(
        ["git", "-C", package, "ls-files", "-z", "-co", "--exclude-standard", "."],
        capture_output=True, check=True,
    ).stdout.decode().split("\0")
    names = {name for name in names if name and (package / name).is_file()}
    for name in names - set(sources) - {"Package.swift", "Package.resolved"}:
        put(tree / name, (package / name).read_bytes())
    for folder in ("Sources", "Tests"):
        for path in (tree / folder).rglob("*.swift"):
            if str(path.relative_to(tree)) not in names:
                path.unlink()


def manifest(package, tree, modules):
    """The manifest of the package, reduced to the modules and their tests."""
    def words(names):
        return "[" + ", ".join(f'"{name}"' for name in names) + "]"

    end = (HERE / "Support/manifest-end.swift").read_text()
    end = end.replace("WANTED", words(modules.values())).replace("MUTATED", words(modules))
    put(tree / "Package.swift", ((package / "Package.swift").read_text() + end).encode())
    for folder in ("CMutant", "MutantSupport"):
        for path in (HERE / "Support" / folder).rglob("*"):
            if path.is_file():
                place = path.relative_to(HERE / "Support")
                put(tree / "Mutants" / place, path.read_bytes())
    if (package / "Sources/Core/DetentTypes").exists():
        put(tree / "Mutants/MutantSupport/Times.swift", (HERE / "Support/Times.swift").read_bytes())


def spans(text):
    """The numbers of mutants with the places where their calls begin and end."""
    found = []
    for match in CALL.finditer(text):
        depth, place, quoted = 0, match.end(), False
        place = text.index("(", match.start())
        while place < len(text):
            sign = text[place]
            if sign == '"' and text[place - 1] != "\\":
                quoted = not quoted
            elif not quoted and sign in "({[":
                depth += 1
            elif not quoted and sign in ")}]":
                depth -= 1
                if depth == 0:
                    break
            place += 1
        end = place
        # `if !mutant(7) { … }`: what is removed belongs to it.
        if match.group().startswith("mutant("):
            end = max(end, text.find("\n", place))
        found.append((int(match.group(1)), match.start(), end))
    return found


def statement(text, line):
    """Where the statement of a line begins and ends: the lines below that are further in."""
    rows = text.split("\n")
    depth = len(rows[line - 1]) - len(rows[line - 1].lstrip())
    last = line
    while last < len(rows) and (
        not rows[last].strip() or len(rows[last]) - len(rows[last].lstrip()) > depth
    ):
        last += 1
    low = sum(len(row) + 1 for row in rows[: line - 1])
    return low, low + sum(len(row) + 1 for row in rows[line - 1 : last])


def blamed(text, line, column, what=""):
    """The mutants that an error of the compiler is about: the innermost, or all of the line."""
    if TOO_LONG in what:
        # Which one is too much cannot be told: all of the statement.
        low, high = statement(text, line)
        found = {s[0] for s in spans(text) if low <= s[1] < high}
        if found:
            return found
    starts = [0]
    for part in text.encode().split(b"\n"):
        starts.append(starts[-1] + len(part) + 1)
    data = text.encode()
    place = len(data[: starts[line - 1] + column - 1].decode(errors="ignore"))
    around = [s for s in spans(text) if s[1] <= place < s[2]]
    if around:
        return {min(around, key=lambda s: s[2] - s[1])[0]}
    low = len(data[: starts[line - 1]].decode(errors="ignore"))
    high = len(data[: starts[line]].decode(errors="ignore"))
    on_line = {s[0] for s in spans(text) if low <= s[1] < high}
    # A value that is not set on each path, or an expression of many lines: what is near.
    return on_line or {s[0] for s in spans(text) if abs(s[1] - low) < 600}


def read_list(path):
    """The mutants of a list of the maker, by number: file, line, key."""
    mutants = {}
    for row in path.read_text().splitlines():
        number, file, line, key = row.split("\t", 3)
        mutants[int(number)] = (file, int(line), key)
    return mutants


def make(package, scratch, modules):
    """Writes the copy of a package with all mutants of its modules."""
    tree = scratch / "tree"
    program = maker(scratch)
    sources = []
    for module in modules:
        folder = next(
            path for path in (package / "Sources").glob(f"**/{module}") if path.is_dir())
        sources += sorted(str(p.relative_to(package)) for p in folder.rglob("*.swift"))
    copy(package, tree, sources)
    manifest(package, tree, modules)
    for name in sources:
        (tree / name).parent.mkdir(parents=True, exist_ok=True)
    made = scratch / "list"
    refused = scratch / "refused"
    refused.touch()
    subprocess.run([program, package, tree, made, refused, *sources], check=True)
    return read_list(made)


def build(package, scratch, modules, jobs):
    """Makes all mutants of the modules and builds them; returns mutants and the test program."""
    tree = scratch / "tree"
    for attempt in range(1, 40):
        mutants = make(package, scratch, modules)
        print(f"building {len(mutants)} mutants, attempt {attempt}", flush=True)
        done = subprocess.run(
            ["nice", "swift", "build", "--package-path", tree, "--build-tests", "--jobs", str(jobs)]
            + ["-Xswiftc", "-suppress-warnings", "-Xcc", "-w", "-Xswiftc", "-Xfrontend"]
            + ["-Xswiftc", f"-solver-expression-time-threshold={EXPRESSION_SECONDS}"],
            capture_output=True, text=True,
        )
        (scratch / "build.log").write_text(done.stdout + done.stderr)
        if done.returncode == 0:
            tests = next((tree / ".build/debug").glob("*PackageTests.xctest"))
            return mutants, tests
        keys = set()
        for path, line, column, what in set(ERROR.findall(done.stdout + done.stderr)):
            text = pathlib.Path(path).read_text()
            for number in blamed(text, int(line), int(column), what):
                keys.add(mutants[number][2])
        if not keys:
            raise Refusal(f"the build fails; its output is in {scratch}/build.log")
        print(f"  the compiler refuses {len(keys)}", flush=True)
        with (scratch / "refused").open("a") as file:
            file.writelines(f"{key}\n" for key in sorted(keys))
    raise Refusal("the compiler still refuses mutants")
