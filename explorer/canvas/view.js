// Where the picture stands in its stage: one scale and one offset, in pixels of the stage.
// The first view is readable before it is complete: no label smaller than LEAST_LABEL, and what
// does not fit then is reached by moving the picture.

const LEAST_LABEL = 11; // px, the smallest label a person should have to read
const MOST_SCALE = 1.9; // a small picture is not blown up beyond this at first
const LARGEST = 8; // of a person's own zooming
const LEAST_STAGE = 280; // px within its border, so that the controls and the keys have room
const KEPT = 60; // px of the picture that cannot be moved out of the stage
const MARGIN = 24; // px around what is brought into view

/** Return the size of the smallest label, in the units of the picture. */
function smallestLabel(svg) {
  const sizes = [...svg.querySelectorAll("[font-size]")]
    .map((text) => parseFloat(text.getAttribute("font-size")))
    .filter((size) => size > 0);
  return sizes.length ? Math.min(...sizes) : LEAST_LABEL;
}

function between(low, value, high) {
  return Math.min(Math.max(value, low), high);
}

class View {
  /** @param moved called after every change of place or scale. */
  constructor(stage, moved) {
    Object.assign(this, { stage, moved, x: 0, y: 0, scale: 1, own: false, height: 440 });
    this.svg = null;
    this.size = { width: 1, height: 1 };
  }

  /** Take a picture; its place is set afterwards by start or place. */
  take(svg) {
    const box = svg.viewBox.baseVal;
    this.svg = svg;
    this.size = { width: box.width || 1, height: box.height || 1 };
    this.readable = LEAST_LABEL / smallestLabel(svg);
    svg.setAttribute("width", this.size.width);
    svg.setAttribute("height", this.size.height);
  }

  get room() {
    return { width: this.stage.clientWidth, height: this.stage.clientHeight };
  }

  isFull() {
    return this.stage.parentElement.matches(":fullscreen");
  }

  /** Show the picture as it is shown first: complete if that can be read, else readable. */
  start() {
    const { width, height } = this.size;
    if (!this.stage.clientWidth) return;
    const high = this.isFull() ? this.stage.clientHeight : this.height;
    const fitted = Math.min(this.stage.clientWidth / width, high / height);
    const scale = Math.min(Math.max(fitted, this.readable), MOST_SCALE);
    const tallest = Math.max(this.height, window.innerHeight * 0.62);
    this.stage.style.height = `${between(LEAST_STAGE, Math.ceil(height * scale), tallest) + 2}px`;
    this.settle(scale);
    this.own = false;
  }

  /** Show the whole picture, however small that makes it. */
  fit() {
    const { width, height } = this.room;
    const whole = Math.min(width / this.size.width, height / this.size.height);
    this.settle(Math.min(whole, MOST_SCALE));
    this.own = true;
  }

  /** Centre the picture at a scale; a side that is too long begins at its beginning. */
  settle(scale) {
    const { width, height } = this.room;
    const x = Math.max((width - this.size.width * scale) / 2, 0);
    const y = Math.max((height - this.size.height * scale) / 2, 0);
    this.place(x, y, scale);
  }

  /** Set scale and offset, and keep a part of the picture in the stage. */
  place(x, y, scale) {
    const { width, height } = this.room;
    this.scale = scale;
    this.x = between(KEPT - this.size.width * scale, x, width - KEPT);
    this.y = between(KEPT - this.size.height * scale, y, height - KEPT);
    this.svg.style.transform = `translate(${this.x}px, ${this.y}px) scale(${this.scale})`;
    this.moved();
  }

  /** Zoom by a factor; the point of the picture at (x, y) of the stage stays where it is. */
  zoom(factor, x = this.room.width / 2, y = this.room.height / 2) {
    const whole = Math.min(
      this.room.width / this.size.width,
      this.room.height / this.size.height,
    );
    const scale = between(Math.min(whole, this.readable) / 2, this.scale * factor, LARGEST);
    const ratio = scale / this.scale;
    this.own = true;
    this.place(x - (x - this.x) * ratio, y - (y - this.y) * ratio, scale);
  }

  pan(across, down) {
    this.own = true;
    this.place(this.x + across, this.y + down, this.scale);
  }

  /** Move the picture, only as far as needed, until an element of it is in the stage. */
  reveal(element) {
    const stage = this.stage.getBoundingClientRect();
    const box = element.getBoundingClientRect();
    const across = shortfall(box.left - stage.left, box.right - stage.left, stage.width);
    const down = shortfall(box.top - stage.top, box.bottom - stage.top, stage.height);
    if (across || down) this.pan(across, down);
  }

  /** Keep the middle in the middle when the stage has another size. */
  resize(before) {
    const { width, height } = this.room;
    const across = (width - before.width) / 2;
    const down = (height - before.height) / 2;
    this.place(this.x + across, this.y + down, this.scale);
  }
}

/** Return how far a stretch from low to high must move to lie within 0 and length. */
function shortfall(low, high, length) {
  if (low >= MARGIN && high <= length - MARGIN) return 0;
  return length / 2 - (low + high) / 2;
}
