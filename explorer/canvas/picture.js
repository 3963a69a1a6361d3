// The canvas: one picture that can be moved, zoomed, traced, searched and read with the keyboard.
// Knows nothing of Streamlit beyond the call at the end, and asks nothing of the network.

const REMEMBERED = 20; // structures whose place is kept, so that going back finds it
const PAGE_FIRST = 150; // ms the page gets to change its own colours

class Canvas {
  constructor(frame) {
    this.frame = frame;
    this.parts = buildParts(frame);
    this.view = new View(this.parts.stage, () => this.map?.update());
    this.map = new Minimap(this.parts.map, this.view);
    this.search = new Search();
    this.places = new Map();
    Object.assign(this, { trace: null, shown: "", structure: "", chosen: "", pointed: "" });
    this.before = { width: 0, height: 0 };
    listenToPointer(this);
    listenToKeys(this, frame);
    frame.addEventListener("fullscreenchange", () => {
      this.parts.full.setAttribute("aria-pressed", String(this.view.isFull()));
    });
  }

  /** Show a picture; place, selection and search stay if it has the same nodes as the last. */
  show({ svg, links, label, height }) {
    this.frame.setAttribute("aria-label", label);
    this.view.height = height;
    if (this.shown === svg) return;
    this.shown = svg;
    this.hover(null);
    // The server's own Graphviz output: text in it is escaped, scripts and links are not in it.
    this.parts.sheet.innerHTML = svg;
    const drawing = this.parts.sheet.querySelector("svg");
    const paper = drawing.querySelector(".graph > polygon")?.getAttribute("fill");
    this.parts.stage.style.background = paper ?? "";
    this.frame.classList.toggle("dark", Boolean(drawing.querySelector(".graph.dark")));
    this.trace = new Trace(drawing, links);
    this.map.text = svg;
    this.settle(drawing);
    this.trace.ring(this.chosen);
    this.find();
  }

  /** Give a new picture the place it had; a picture of other nodes begins at the start. */
  settle(drawing) {
    const { view } = this;
    if (view.own) this.remember();
    else this.places.delete(this.structure);
    const scene = drawing.querySelector(".graph")?.getAttribute("class")?.split(" ")[2] ?? "";
    const ids = this.trace.nodes.map((node) => node.id).sort();
    const structure = [scene, ...ids].join(" ");
    const isSame = structure === this.structure;
    this.structure = structure;
    if (!isSame && !this.trace.parts.has(this.chosen)) this.chosen = "";
    this.glide(false);
    view.take(drawing);
    const place = this.places.get(structure);
    if (!(isSame && view.own)) view.start();
    this.before = view.room;
    if (!place) return;
    view.own = true;
    view.place(place.x, place.y, place.scale);
  }

  remember() {
    const { x, y, scale } = this.view;
    this.places.delete(this.structure);
    this.places.set(this.structure, { x, y, scale });
    if (this.places.size > REMEMBERED) this.places.delete(this.places.keys().next().value);
  }

  /** Fit a picture nobody has moved anew to a new size; keep the middle of any other. */
  resize() {
    const { view, before } = this;
    const now = view.room;
    if (!this.trace || !now.width) return;
    if (now.width === before.width && now.height === before.height) return;
    this.glide(false);
    if (view.own) view.resize(before);
    else view.start();
    this.before = view.room;
  }

  /** Let the next change of place be seen as a movement, or happen at once. */
  glide(isWanted) {
    this.parts.sheet.classList.toggle("gliding", isWanted);
  }

  /** Trace what is under the pointer, and show its title there. */
  hover(target, at) {
    const id = (target && this.trace?.at(target)) || "";
    if (id !== this.pointed) {
      this.pointed = id;
      this.paint();
    }
    const { tip, stage } = this.parts;
    const title = this.trace?.titles.get(id) ?? "";
    tip.hidden = !title;
    if (!title) return;
    if (tip.textContent !== title) tip.textContent = title;
    const box = stage.getBoundingClientRect();
    this.putTip(at.clientX - box.left, at.clientY - box.top);
  }

  /** Put the tooltip beside a point of the stage, on the side that has room. */
  putTip(x, y) {
    const { tip, stage } = this.parts;
    const { clientWidth: width, clientHeight: height } = stage;
    const right = x + 14 + tip.offsetWidth > width ? x - 14 - tip.offsetWidth : x + 14;
    const under = y + 18 + tip.offsetHeight > height ? y - 10 - tip.offsetHeight : y + 18;
    tip.style.left = `${Math.max(right, 4)}px`;
    tip.style.top = `${Math.max(under, 4)}px`;
  }

  /** Dim all but what is pointed at and its neighbours, or all but what was found. */
  paint() {
    if (!this.trace) return;
    const { hits } = this.search;
    if (this.pointed) this.trace.show(this.trace.near(this.pointed));
    else this.trace.show(hits.length ? new Set(hits) : null);
  }

  choose(id) {
    this.chosen = id;
    this.trace?.ring(id);
    this.parts.said.textContent = this.trace?.titles.get(id) ?? "";
  }

  /** Select a part and bring it into view. */
  go(id) {
    if (!id) return;
    this.choose(id);
    this.glide(true);
    this.view.reveal(this.trace.parts.get(id));
  }

  /** Select the next node in the order of the picture, or the one before. */
  walk(by) {
    const ids = this.trace.nodes.map((node) => node.id);
    if (!ids.length) return;
    const place = ids.indexOf(this.chosen);
    const from = place < 0 && by < 0 ? 0 : place;
    this.go(ids[(from + by + ids.length) % ids.length]);
  }

  find() {
    const { search, count } = this.parts;
    if (!this.trace) return;
    this.search.run(search.value.trim(), this.trace);
    search.setAttribute("aria-invalid", String(Boolean(this.search.problem)));
    count.textContent = this.search.report;
    this.paint();
  }

  jump(by) {
    this.go(this.search.step(by));
    this.parts.count.textContent = this.search.report;
  }

  /** Undo the last thing that stands in the way: the keys, else the search, else the ring. */
  clear() {
    const { keys, search } = this.parts;
    if (!keys.hidden) this.showKeys(false);
    else if (search.value) {
      search.value = "";
      this.find();
    } else this.choose("");
  }

  showKeys(isWanted) {
    const { keys, help, close } = this.parts;
    if (keys.hidden !== isWanted) return;
    keys.hidden = !isWanted;
    help.setAttribute("aria-expanded", String(isWanted));
    if (isWanted) {
      this.opener = this.frame.getRootNode().activeElement;
      close.focus({ preventScroll: true });
    } else (this.opener ?? help).focus({ preventScroll: true });
  }

  toggleFull() {
    if (this.view.isFull()) document.exitFullscreen();
    else this.frame.requestFullscreen().catch(() => (this.parts.full.hidden = true));
  }
}

/** Ask for the picture in the other colours as soon as the system changes between them. */
function watchColours(setTriggerValue) {
  const dark = window.matchMedia("(prefers-color-scheme: dark)");
  // The page tells the server its theme with each rerun, so it must have changed first.
  const ask = () => setTimeout(() => setTriggerValue("colours", dark.matches), PAGE_FIRST);
  dark.addEventListener("change", ask);
  return () => dark.removeEventListener("change", ask);
}

export default function (component) {
  const { data, parentElement, setTriggerValue } = component;
  const frame = parentElement.querySelector(".picture");
  // Called anew at every rerun: what a person did lives on the element, which stays.
  frame.canvas ??= new Canvas(frame);
  frame.canvas.show(data);
  const observer = new ResizeObserver(() => requestAnimationFrame(() => frame.canvas.resize()));
  observer.observe(frame);
  const unwatch = watchColours(setTriggerValue);
  return () => {
    observer.disconnect();
    unwatch();
  };
}
