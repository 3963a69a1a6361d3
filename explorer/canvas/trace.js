// What the picture's parts are to each other: who is next to whom, what is pointed at, what is
// selected. Only classes are set and rings drawn; colours of the picture itself stay.

const SVG = "http://www.w3.org/2000/svg";

class Trace {
  /**
   * @param links from an edge's id to the ids of its two ends.
   */
  constructor(svg, links) {
    this.svg = svg;
    this.parts = new Map();
    this.titles = new Map();
    this.neighbours = new Map();
    for (const group of svg.querySelectorAll("g.node, g.edge")) this.parts.set(group.id, group);
    this.nodes = [...this.parts.values()].filter((group) => group.matches(".node"));
    this.lift();
    this.link(links);
    for (const group of this.parts.values()) if (group.matches(".edge")) widen(group);
  }

  /** Take the titles out, or the browser would show its own late and small tooltip as well. */
  lift() {
    for (const title of this.svg.querySelectorAll("title")) {
      const group = title.parentElement;
      if (this.parts.has(group.id)) this.titles.set(group.id, title.textContent);
      title.remove();
    }
  }

  link(links) {
    for (const id of this.parts.keys()) this.neighbours.set(id, new Set([id]));
    for (const [edge, ends] of Object.entries(links)) {
      if (!this.parts.has(edge)) continue;
      for (const end of ends.filter((id) => this.parts.has(id))) {
        this.neighbours.get(edge).add(end);
        for (const id of [edge, ...ends]) this.neighbours.get(end).add(id);
      }
    }
  }

  /** Return which part an event happened on, or an empty string. */
  at(target) {
    return target.closest?.("g.node, g.edge")?.id ?? "";
  }

  near(id) {
    return this.neighbours.get(id) ?? new Set();
  }

  /** Dim everything but these parts; null dims nothing. */
  show(ids) {
    this.svg.classList.toggle("tracing", ids !== null);
    for (const [id, part] of this.parts) part.classList.toggle("near", ids?.has(id) ?? false);
  }

  /** Put the ring around one part; an id that is not there clears it. */
  ring(id) {
    for (const old of this.svg.querySelectorAll(".ring")) old.remove();
    for (const part of this.parts.values()) part.classList.toggle("chosen", part.id === id);
    const part = this.parts.get(id);
    if (!part) return;
    if (part.matches(".edge")) part.prepend(outline(part, "ring"));
    else part.append(frameOf(part));
  }
}

/** Copy an edge's line, without its look. */
function outline(edge, name) {
  const path = document.createElementNS(SVG, "path");
  path.setAttribute("d", edge.querySelector("path")?.getAttribute("d") ?? "");
  path.setAttribute("class", name);
  return path;
}

/** Make an edge easier to hit than its thin line is. */
function widen(edge) {
  edge.prepend(outline(edge, "reach"));
}

function frameOf(node) {
  const box = node.getBBox();
  const ring = document.createElementNS(SVG, "rect");
  const gap = 5;
  const sides = { x: box.x - gap, y: box.y - gap };
  Object.assign(sides, { width: box.width + 2 * gap, height: box.height + 2 * gap, rx: 7 });
  for (const [name, value] of Object.entries(sides)) ring.setAttribute(name, value);
  ring.setAttribute("class", "ring");
  return ring;
}
