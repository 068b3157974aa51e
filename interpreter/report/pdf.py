"""Draws pictures as PDF with matplotlib, with their fonts inside.

In, as JSON: {"font": name, "pictures": [{"name", "width", "height", "marks"}]}; places are in points from the upper left
corner, and marks those of interpreter/report/graphic.cpp. Out: a line of JSON for each picture, {"name", "pdf"} with the
bytes in hexadecimal digits. The same picture gives the same bytes with the same matplotlib.
"""

import io
import json
import sys


def drawn(picture):
    from matplotlib.backends.backend_pdf import FigureCanvasPdf
    from matplotlib.figure import Figure
    from matplotlib.lines import Line2D
    from matplotlib.patches import Ellipse, Polygon
    from matplotlib.text import Text

    width, height = picture["width"], picture["height"]
    figure = Figure(figsize=(width / 72, height / 72))
    FigureCanvasPdf(figure)
    for order, mark in enumerate(picture["marks"]):
        # Coordinates are shares of the picture's width and height, counted from its lower left
        # corner.
        places = [(x / width, 1 - y / height) for x, y in mark["places"]]
        common = {"zorder": order, "transform": figure.transFigure, "figure": figure}
        if mark["kind"] == "line":
            dashes = (0, [length / mark["width"] for length in mark["dashes"]]) if mark["dashes"] else "solid"
            x, y = zip(*places, strict=True)
            artist = Line2D(x, y, color=mark["colour"], linewidth=mark["width"], linestyle=dashes, **common)
        elif mark["kind"] == "area":
            artist = Polygon(places, closed=True, facecolor=mark["colour"], edgecolor="none", alpha=mark["opacity"], **common)
        elif mark["kind"] == "dot":
            size = 2 * mark["radius"]
            face = mark["colour"] if mark["filled"] else "white"
            artist = Ellipse(places[0], size / width, size / height, facecolor=face, edgecolor=mark["colour"], linewidth=1, **common)
        else:
            text = mark["text"].replace("$", r"\$")
            artist = Text(
                *places[0], text, fontsize=mark["size"], color=mark["colour"], ha={"start": "left", "middle": "center", "end": "right"}[mark["anchor"]],
                va="baseline", rotation=90 if mark["upright"] else 0, rotation_mode="anchor", weight="bold" if mark["strong"] else "normal", **common,
            )  # fmt: skip
        figure.add_artist(artist)
    out = io.BytesIO()
    figure.savefig(out, format="pdf", metadata={"CreationDate": None})
    return out.getvalue().hex()


def fail(message, help_text):
    sys.exit(f"error: {message}\n  help: {help_text}")


def main():
    request = json.load(sys.stdin)
    try:
        import matplotlib
        from matplotlib import font_manager
    except ImportError as error:
        fail(f"this Python has no matplotlib ({error})", f"`{sys.executable} -m pip install matplotlib` installs it.")
    try:
        font_manager.findfont(request["font"], fallback_to_default=False)
    except ValueError:
        known = ", ".join(sorted({entry.name for entry in font_manager.fontManager.ttflist}))
        fail(f"there is no font called {request['font']} here", f"There are {known}.")
    matplotlib.rcdefaults()  # nothing of the user's own settings
    # Type 42 is TrueType, which publishers ask for instead of matplotlib's Type 3.
    matplotlib.rcParams.update({"pdf.fonttype": 42, "font.family": request["font"]})
    for picture in request["pictures"]:
        print(json.dumps({"name": picture["name"], "pdf": drawn(picture)}))


main()
