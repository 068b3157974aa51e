"""Writes to $OUT how Pygments splits $TEXT, as `<Token text>`. Fails if a file has a part that the lexer doesn't know.

It is run by editors/check, with the files as arguments.
"""

import os
import sys

sys.path.insert(0, os.environ["EDITORS"] + "/pygments")

from pygments.token import Error, Text, Token, Whitespace
from pygments_trl import TrlLexer

lexer = TrlLexer(stripnl=False)


def marked(text):
    out = ""
    for kind, part in lexer.get_tokens(text):
        name = str(kind).removeprefix("Token.")
        out += part if kind in (Text, Whitespace, Token.Text) else f"<{name} {part}>"
    return out


with open(os.environ["TEXT"], encoding="utf-8") as file:
    text = marked(file.read())
with open(os.environ["OUT"], "w", encoding="utf-8") as file:
    file.write(text)
for name in sys.argv[1:]:
    with open(name, encoding="utf-8") as file:
        text = file.read()
    tokens = list(lexer.get_tokens(text))
    unknown = [part for kind, part in tokens if kind in Error]
    if unknown or "".join(part for _, part in tokens).rstrip("\n") != text.rstrip("\n"):
        sys.exit(f"{name}: the lexer doesn't know {unknown[:5]}")
print(f"{len(sys.argv) - 1} files")
