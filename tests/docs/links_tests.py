"""Every relative link of every Markdown page leads to a file of the repository, and its #anchor to a heading there.

    links_tests.py ROOT
"""
import os
import pathlib
import re
import sys
import urllib.parse

LINK = re.compile(r"\[[^\]]*\]\(([^()\s]*(?:\([^()\s]*\))?[^()\s]*)\)")
FENCE = re.compile(r"^(```|~~~).*?^\1", re.MULTILINE | re.DOTALL)
INLINE_CODE = re.compile(r"(`+)(?!`).*?(?<!`)\1(?!`)", re.DOTALL)
NOT_OURS = {".git", ".venv", "build", "runs", "package", "node_modules", "__pycache__"}


def links_of(text):
    """The targets of a page's links; code has none."""
    return LINK.findall(INLINE_CODE.sub("", FENCE.sub("", text)))


def anchors_of(text):
    """The anchors that GitHub gives a page's headings."""
    anchors = set()
    for heading in re.findall(r"^#+ +(.*?) *#*$", FENCE.sub("", text), re.MULTILINE):
        plain = LINK.sub(lambda link: link[0][1:].split("]")[0], heading).lower()
        slug = re.sub(r"[^\w\- ]", "", plain).replace(" ", "-")
        repeated = slug
        count = 0
        while repeated in anchors:
            count += 1
            repeated = f"{slug}-{count}"
        anchors.add(repeated)
    return anchors | set(re.findall(r"<a (?:id|name)=\"([^\"]+)\"", text))


def pages_of(root):
    for folder, below, files in os.walk(root):
        below[:] = [name for name in below if name not in NOT_OURS and not name.startswith("build-")]
        yield from (pathlib.Path(folder) / name for name in files if name.endswith(".md"))


def problems_of(page, text):
    for link in links_of(text):
        target, _, anchor = link.partition("#")
        if re.match(r"[a-z]+:", link):
            continue
        other = page.parent / urllib.parse.unquote(target) if target else page
        if not other.exists():
            yield f"there is no {link}"
        elif anchor and other.suffix == ".md" and anchor not in anchors_of(other.read_text()):
            yield f"{link}: that page has no such heading"


def self_test():
    """Dead links are found, and no others are looked at."""
    here = pathlib.Path(__file__)
    alive = f"[a]({here.name}) [b](https://x.y/z) [c](#one-two) `[d](nowhere)`\n```\n[e](nowhere)\n```\n"
    assert not list(problems_of(here, alive.replace("(#one-two)", "()"))), "links that lead somewhere, addresses and code are let alone"
    assert list(problems_of(here, "[a](nowhere.md)")), "a dead link is found"
    assert anchors_of("# One, two\n## `b` of [c](d)\n## One two") == {"one-two", "b-of-c", "one-two-1"}
    assert links_of(alive) == [here.name, "https://x.y/z", "#one-two"]


def main():
    root = pathlib.Path(sys.argv[1])
    self_test()
    count = problems = 0
    for page in sorted(pages_of(root)):
        text = page.read_text()
        count += len(links_of(text))
        for problem in problems_of(page, text):
            problems += 1
            print(f"{page.relative_to(root)}: {problem}")
    print(f"{count} links, {problems} problems")
    return 1 if problems or not count else 0


if __name__ == "__main__":
    sys.exit(main())
