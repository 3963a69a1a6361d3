// A small copy of a picture that is larger than its stage, with the part in view marked.

const MAP_WIDTH = 170; // px
const MAP_HEIGHT = 110; // px
const NARROW = 420; // px; on a narrower stage the map would hide more than it shows

class Minimap {
  constructor(element, view) {
    Object.assign(this, { element, view, text: "", drawn: "" });
    this.image = make("img", { alt: "", draggable: "false" });
    this.lens = make("div", { class: "lens" });
    element.append(this.image, this.lens);
    const move = (event) => {
      event.stopPropagation();
      if (event.buttons & 1) this.go(event);
    };
    element.addEventListener("pointerdown", (event) => {
      element.setPointerCapture(event.pointerId);
      move(event);
    });
    element.addEventListener("pointermove", move);
    element.addEventListener("pointerup", (event) => event.stopPropagation());
  }

  /** Bring the place that was clicked on the map to the middle of the stage. */
  go(event) {
    const box = this.element.getBoundingClientRect();
    const { view, ratio } = this;
    const x = ((event.clientX - box.left) / ratio) * view.scale;
    const y = ((event.clientY - box.top) / ratio) * view.scale;
    view.own = true;
    view.place(view.room.width / 2 - x, view.room.height / 2 - y, view.scale);
  }

  update() {
    const { size, scale, room, x, y } = this.view;
    const fits = size.width * scale <= room.width + 2 && size.height * scale <= room.height + 2;
    this.element.hidden = fits || room.width < NARROW;
    if (this.element.hidden) return;
    this.ratio = Math.min(MAP_WIDTH / size.width, MAP_HEIGHT / size.height);
    this.draw();
    this.element.style.width = `${size.width * this.ratio}px`;
    this.element.style.height = `${size.height * this.ratio}px`;
    const shown = this.ratio / scale; // from a length on the stage to one on the map
    const left = Math.max(-x * shown, 0);
    const top = Math.max(-y * shown, 0);
    const right = Math.min((room.width - x) * shown, size.width * this.ratio);
    const bottom = Math.min((room.height - y) * shown, size.height * this.ratio);
    const lens = { left, top, width: right - left, height: bottom - top };
    for (const [side, length] of Object.entries(lens)) this.lens.style[side] = `${length}px`;
  }

  /** Draw the map's picture once, and only if it is needed at all. */
  draw() {
    if (this.drawn === this.text) return;
    this.drawn = this.text;
    const address = URL.createObjectURL(new Blob([this.text], { type: "image/svg+xml" }));
    this.image.onload = this.image.onerror = () => URL.revokeObjectURL(address);
    this.image.src = address;
  }
}
