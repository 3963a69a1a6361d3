"""Graphviz's SVG to ours: self-contained, accessible, the same bytes every time.

Graphviz writes each styled stretch of a label as a text of its own, placed by its guess of
the widths before it. Here the stretches of one line become one centred text, so a browser's
own font metrics place them; tooltips become titles; fonts become one stack at the root; and
the legend's glyphs become drawings.
"""

from __future__ import annotations

import re
import xml.etree.ElementTree as ElementTree
from collections.abc import Iterable, Iterator
from itertools import groupby

SVG = "http://www.w3.org/2000/svg"
_XLINK_TITLE = "{http://www.w3.org/1999/xlink}title"
_SPACE = "{http://www.w3.org/XML/1998/namespace}space"
FONT_FAMILY = (
    "Helvetica, Arial, 'Liberation Sans', 'PingFang SC', 'Microsoft YaHei', "
    "'Noto Sans CJK SC', 'Noto Sans SC', 'WenQuanYi Micro Hei', sans-serif"
)
_NUMBER = re.compile(r"-?\d+(?:\.\d+)?(?:e-?\d+)?")
_CAPTION = re.compile(r"\bcaption-(\d+)")
_TRANSLATE = re.compile(r"translate\((-?[\d.]+)[ ,]+(-?[\d.]+)\)")
# The first line's height and the gap that dot.py leaves below the last one, in points.
_CAPTION_ROOM = 22.0
_CAPTION_BASE = 24.0
_CAPTION_INSET = 20.0
_SHAPES = ("polygon", "ellipse", "path")
_RUN_STYLE = ("fill", "font-weight", "text-decoration", "font-size")

# Legend drawings: path in a box 26 wide and 12 high whose left middle is the origin, then
# dash pattern, line width, and whether the path is filled with the line's colour as well.
_HEAD = "M26,0l-8,-3.5v7z"
_TAIL = "M0,0l9,-4l-3,4l3,4z"
_DRAWINGS: dict[str, tuple[tuple[str, str, float, bool], ...]] = {
    "◯": (("M2,0a11,6.5 0 1,0 22,0a11,6.5 0 1,0 -22,0z", "", 1.4, False),),
    "◌": (("M2,0a11,6.5 0 1,0 22,0a11,6.5 0 1,0 -22,0z", "3,2", 1.4, False),),
    "○": (("M6,0a7,7 0 1,0 14,0a7,7 0 1,0 -14,0z", "", 1.4, False),),
    "▭": (("M2,-5h22v10h-22z", "", 0.8, False),),
    "▢": (("M6,-6h14q4,0 4,4v4q0,4 -4,4h-14q-4,0 -4,-4v-4q0,-4 4,-4z", "", 1.4, False),),
    "▮": (("M6,-6h14q4,0 4,4v4q0,4 -4,4h-14q-4,0 -4,-4v-4q0,-4 4,-4z", "", 2.8, False),),
    "□": (("M2,-6h22v12h-22z", "", 1.4, False),),
    "⬚": (("M2,-6h22v12h-22z", "4,2.5", 1.2, False),),
    "∅": (("M2,-6h22v12h-22z", "1,2.5", 1.2, False),),
    "▣": (("M2,-4h19v10h-19zM2,-4l3,-3h19v10l-3,3M21,-4l3,-3", "", 1.2, False),),
    "⯃": (("M9,-7h8l6,4.5v5l-6,4.5h-8l-6,-4.5v-5z", "", 1.6, False),),
    "⬡": (("M1,0l6,-7h12l6,7l-6,7h-12z", "", 2.0, False),),
    "◎": (
        ("M1,0a12,7 0 1,0 24,0a12,7 0 1,0 -24,0z", "", 1.2, False),
        ("M4,0a9,4.5 0 1,0 18,0a9,4.5 0 1,0 -18,0z", "", 1.2, False),
    ),
    "─": (("M0,0h26", "", 1.4, False),),
    "──": (("M0,0h26", "", 1.4, False),),
    "━━": (("M0,0h26", "", 3.4, False),),
    "─▸": (("M0,0h20", "", 1.3, False), (_HEAD, "", 0.5, True)),
    "◂─": (("M6,0h20", "", 1.3, False), (_TAIL, "", 0.5, True)),
    "◂╌": (("M6,0h20", "4,2.5", 1.2, False), (_TAIL, "", 0.5, True)),
    "╌▸": (("M0,0h20", "4,2.5", 1.1, False), (_HEAD, "", 0.5, True)),
    "┄▹": (("M0,0h18", "1,3", 1.2, False), (_HEAD, "", 1.0, False)),
    "┤✂┄": (("M2,-6v12", "", 2.0, False), ("M2,0h24", "1,3", 1.8, False)),
}


def finish(svg: str, engine: str, reduced: str = "") -> str:
    """Turn what an engine wrote into the final SVG text.

    Args:
        svg: Well-formed SVG of Graphviz.
        engine: Name and version of the engine, recorded as metadata.
        reduced: What the layout had to give up, recorded as well.

    Returns:
        An SVG without document type, links, external references or comments.
    """
    ElementTree.register_namespace("", SVG)
    root = ElementTree.fromstring(svg)
    scene = root.find(f"{{{SVG}}}g")
    label = ""
    if scene is not None:
        label = _unlink(scene)
        for group in list(_groups(scene)):
            _finish_group(group)
        _raise_caption(scene)
        _draw_legend(scene)
    _finish_root(root, scene, label, engine, reduced)
    return ElementTree.tostring(root, encoding="unicode") + "\n"


def _finish_root(
    root: ElementTree.Element,
    scene: ElementTree.Element | None,
    label: str,
    engine: str,
    reduced: str,
) -> None:
    """Give the document its size in pixels, its words, its fonts and its origin."""
    width, height = (_NUMBER.findall(root.get(side, "0"))[0] for side in ("width", "height"))
    attributes = {
        "viewBox": root.get("viewBox", f"0 0 {width} {height}"),
        "width": width,
        "height": height,
        "role": "graphics-document",
        "aria-label": label or "graph",
        "font-family": FONT_FAMILY,
    }
    root.attrib.clear()
    root.attrib.update(attributes)
    title = ElementTree.Element(f"{{{SVG}}}title")
    title.text = label.partition(". ")[0] or "graph"
    description = ElementTree.Element(f"{{{SVG}}}desc")
    description.text = label
    origin = ElementTree.Element(f"{{{SVG}}}metadata")
    origin.text = f"layout: {engine}" + (f", reduced: {reduced}" if reduced else "")
    for place, element in enumerate((title, description, origin)):
        root.insert(place, element)
    if scene is not None:
        for old in scene.findall(f"{{{SVG}}}title"):
            scene.remove(old)
    for element in root.iter():
        if element.get("stroke") == "transparent":
            element.set("stroke", "none")
        if element is not root:
            element.attrib.pop("font-family", None)
        element.tail = "\n" if element.tag in (f"{{{SVG}}}g", f"{{{SVG}}}metadata") else None
        if element.tag == f"{{{SVG}}}g" and element.text and not element.text.strip():
            element.text = None


def _unlink(group: ElementTree.Element) -> str:
    """Replace a group's tooltip links by what they wrap, and return the first tooltip."""
    tooltip = ""
    children: list[ElementTree.Element] = []
    for child in list(group):
        link = child.find(f"{{{SVG}}}a")
        if child.tag == f"{{{SVG}}}g" and link is not None:
            tooltip = tooltip or link.get(_XLINK_TITLE, "")
            children.extend(link)
        else:
            children.append(child)
    for child in list(group):
        group.remove(child)
    group.extend(children)
    return tooltip


def _groups(scene: ElementTree.Element) -> Iterator[ElementTree.Element]:
    """Yield the groups of nodes, edges and clusters."""
    for child in scene:
        if child.tag == f"{{{SVG}}}g" and child.get("id") is not None:
            yield child


def _finish_group(group: ElementTree.Element) -> None:
    """Give one node, edge or cluster its title, its role and whole lines of text."""
    family = group.get("class", "").partition(" ")[0]
    tooltip = _unlink(group)
    title = group.find(f"{{{SVG}}}title")
    if title is None:
        title = ElementTree.Element(f"{{{SVG}}}title")
        group.insert(0, title)
    title.text = tooltip or title.text
    if family in ("node", "edge"):
        group.set("role", "graphics-symbol")
        group.set("aria-label", title.text or "")
    children: list[ElementTree.Element] = []
    centre: float | None = _first_centre(group) if family == "node" else None
    for is_text, members in groupby(group, key=lambda child: child.tag == f"{{{SVG}}}text"):
        parts = list(members)
        if not is_text:
            if family == "edge":
                centre = _centre(parts[-1])
                parts = [part for part in parts if not _is_marker(part)]
            children.extend(parts)
            continue
        for _, runs in groupby(parts, key=lambda text: text.get("y")):
            children.append(_line(list(runs), None if family == "cluster" else centre))
    if family == "cluster":
        _align_left([child for child in children if child.tag == f"{{{SVG}}}text"])
    for child in list(group):
        group.remove(child)
    group.extend(children)


def _is_marker(shape: ElementTree.Element) -> bool:
    """Tell whether a shape is the invisible area that marks the place of a label."""
    return {shape.get("fill"), shape.get("stroke")} <= {"none", "transparent"}


def _align_left(lines: list[ElementTree.Element]) -> None:
    """Let all lines of a caption begin where the leftmost one does."""
    for line in lines:
        line.set("x", min((other.get("x", "0") for other in lines), key=float))


def _line(runs: list[ElementTree.Element], centre: float | None) -> ElementTree.Element:
    """Join the stretches of one line, centred when the centre is known."""
    first = runs[0]
    line = ElementTree.Element(f"{{{SVG}}}text")
    if centre is None:
        line.set("x", first.get("x", "0"))
    else:
        line.set("x", f"{centre:.2f}".rstrip("0").rstrip("."))
        line.set("text-anchor", "middle")
    line.set("y", first.get("y", "0"))
    whole = "".join(run.text or "" for run in runs).replace("\u00a0", " ")
    if whole != whole.strip() or "  " in whole:
        line.set(_SPACE, "preserve")
    if len(runs) == 1:
        _copy_style(first, line)
        line.text = whole
        return line
    for run in runs:
        span = ElementTree.SubElement(line, f"{{{SVG}}}tspan")
        _copy_style(run, span)
        span.text = (run.text or "").replace("\u00a0", " ")
    return line


def _copy_style(source: ElementTree.Element, target: ElementTree.Element) -> None:
    for name in _RUN_STYLE:
        if source.get(name) is not None:
            target.set(name, source.get(name, ""))


def _first_centre(group: ElementTree.Element) -> float | None:
    """Return the horizontal centre of the first shape in a group."""
    for child in group:
        centre = _centre(child)
        if centre is not None:
            return centre
    return None


def _centre(shape: ElementTree.Element) -> float | None:
    """Return the horizontal centre of a shape, None for anything that is not a shape."""
    name = shape.tag.removeprefix(f"{{{SVG}}}")
    if name not in _SHAPES:
        return None
    if name == "ellipse":
        return float(shape.get("cx", "0"))
    numbers = _NUMBER.findall(shape.get("points") or shape.get("d") or "")
    across = [float(number) for number in numbers[::2]]
    return (min(across) + max(across)) / 2 if across else None


def _raise_caption(scene: ElementTree.Element) -> None:
    """Move the caption from below the drawing to above it, and the legend up by as much."""
    count = _CAPTION.search(scene.get("class", ""))
    texts = [child for child in scene if child.tag == f"{{{SVG}}}text"]
    background = scene.find(f"{{{SVG}}}polygon")
    heights = list(dict.fromkeys(float(text.get("y", "0")) for text in texts))
    lines = heights[: int(count.group(1))] if count else []
    origin = _TRANSLATE.search(scene.get("transform", ""))
    if not lines or background is None or origin is None:
        return
    rise = lines[-1] - lines[0] + _CAPTION_ROOM
    across, down = float(origin.group(1)), float(origin.group(2))
    scene.set("transform", f"translate({across:g} {down + rise:g})")
    points = [point.split(",") for point in background.get("points", "").split()]
    background.set("points", " ".join(f"{x},{float(y) - rise:g}" for x, y in points))
    top = min(float(y) for _, y in points) - rise
    left = min(float(x) for x, _ in points) + _CAPTION_INSET
    for place, (height, group) in enumerate(groupby(texts, key=lambda text: text.get("y"))):
        is_caption = place < len(lines)
        y = top + _CAPTION_BASE + float(height or 0) - lines[0] if is_caption else 0.0
        runs = list(group)
        if is_caption:
            line = _line(runs, None)
            line.attrib.update({"x": f"{left:g}", "y": f"{y:g}", "class": "caption"})
            scene.insert(list(scene).index(runs[0]), line)
            for run in runs:
                scene.remove(run)
        else:
            for run in runs:
                run.set("y", f"{float(height or 0) - rise:g}")


def _draw_legend(scene: ElementTree.Element) -> None:
    """Replace the glyphs of the legend by drawings of what they stand for."""
    for place, child in enumerate(list(scene)):
        if child.tag != f"{{{SVG}}}text":
            continue
        drawing = _DRAWINGS.get(child.text or "")
        if child.get("class") == "caption":
            continue
        if drawing is None:
            scene[place] = _line([child], None)
            continue
        scene[place] = _drawn(drawing, child)


def _drawn(
    drawing: Iterable[tuple[str, str, float, bool]], glyph: ElementTree.Element
) -> ElementTree.Element:
    colour = glyph.get("fill", "#000000")
    left, base = glyph.get("x", "0"), float(glyph.get("y", "0")) - 4
    group = ElementTree.Element(f"{{{SVG}}}g")
    group.set("class", "sample")
    group.set("transform", f"translate({left} {base:g})")
    for outline, dashes, width, filled in drawing:
        path = ElementTree.SubElement(group, f"{{{SVG}}}path")
        path.attrib.update({"d": outline, "fill": colour if filled else "none"})
        path.attrib.update({"stroke": colour, "stroke-width": f"{width:g}"})
        if dashes:
            path.set("stroke-dasharray", dashes)
    return group
