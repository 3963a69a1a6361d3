// What a person does with pointer, wheel and keys, told to the canvas as plain calls.

const CLICK_SLACK = 4; // px a hand may shake within a click
const KEY_STEP = 60; // px of an arrow key
const KEY_ZOOM = 1.25;
const WHEEL_ZOOM = 0.0015; // of the logarithm of the scale, for each px of wheel
const LINE = 16; // px, for browsers that count the wheel in lines

/** Let the stage be dragged, zoomed with the wheel, hovered over and clicked. */
function listenToPointer(canvas) {
  const { stage } = canvas.parts;
  let held = null;
  stage.addEventListener("pointerdown", (event) => {
    if (event.button > 1) return;
    held = { x: event.clientX, y: event.clientY, target: event.target, dragged: false };
  });
  stage.addEventListener("pointermove", (event) => {
    if (!held || !event.buttons) {
      canvas.hover(event.target, event);
      return;
    }
    const across = event.clientX - held.x;
    const down = event.clientY - held.y;
    if (!held.dragged && Math.hypot(across, down) < CLICK_SLACK) return;
    if (!held.dragged) {
      held.dragged = true;
      stage.setPointerCapture(event.pointerId);
      canvas.hover(null);
      canvas.glide(false);
    }
    canvas.view.pan(across, down);
    Object.assign(held, { x: event.clientX, y: event.clientY });
  });
  stage.addEventListener("pointerup", () => {
    if (held && !held.dragged) canvas.choose(canvas.trace?.at(held.target) ?? "");
    held = null;
  });
  stage.addEventListener("pointercancel", () => (held = null));
  stage.addEventListener("pointerleave", () => canvas.hover(null));
  stage.addEventListener("wheel", (event) => wheel(canvas, event), { passive: false });
}

/** Zoom about the pointer, but let the page scroll while nobody works with the picture. */
function wheel(canvas, event) {
  const { stage } = canvas.parts;
  if (!canvas.trace || !(event.ctrlKey || stage.matches(":focus") || canvas.view.isFull())) return;
  event.preventDefault();
  const box = stage.getBoundingClientRect();
  const length = event.deltaY * (event.deltaMode ? LINE : 1);
  const factor = between(0.7, Math.exp(-length * WHEEL_ZOOM), 1.4);
  canvas.glide(false);
  canvas.view.zoom(factor, event.clientX - box.left, event.clientY - box.top);
}

/** Let every key and every button do its work. */
function listenToKeys(canvas, frame) {
  const { parts, view } = canvas;
  const glided = (action) => () => {
    canvas.glide(true);
    action();
  };
  const actions = {
    "+": glided(() => view.zoom(KEY_ZOOM)),
    "=": glided(() => view.zoom(KEY_ZOOM)),
    "-": glided(() => view.zoom(1 / KEY_ZOOM)),
    f: glided(() => view.fit()),
    0: glided(() => view.start()),
    n: (event) => canvas.walk(event.shiftKey ? -1 : 1),
    "/": () => parts.search.focus(),
    "?": () => canvas.showKeys(parts.keys.hidden),
    Escape: () => canvas.clear(),
  };
  const arrows = {
    ArrowLeft: glided(() => view.pan(KEY_STEP, 0)),
    ArrowRight: glided(() => view.pan(-KEY_STEP, 0)),
    ArrowUp: glided(() => view.pan(0, KEY_STEP)),
    ArrowDown: glided(() => view.pan(0, -KEY_STEP)),
  };
  frame.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || !canvas.trace) return;
    if (event.target === parts.search) return;
    const name = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    const action = actions[name] ?? arrows[name];
    if (!action) return;
    event.preventDefault();
    event.stopPropagation();
    action(event);
  });
  listenToSearch(canvas);
  parts.zoomIn.addEventListener("click", actions["+"]);
  parts.zoomOut.addEventListener("click", actions["-"]);
  parts.fit.addEventListener("click", actions.f);
  parts.start.addEventListener("click", actions[0]);
  parts.help.addEventListener("click", actions["?"]);
  parts.close.addEventListener("click", () => canvas.showKeys(false));
  parts.full.addEventListener("click", () => canvas.toggleFull());
}

function listenToSearch(canvas) {
  const { search, stage } = canvas.parts;
  search.addEventListener("input", () => canvas.find());
  search.addEventListener("keydown", (event) => {
    event.stopPropagation();
    // Enter may also end the input of a Chinese or Japanese word; that is not ours.
    if (event.isComposing) return;
    if (event.key === "Enter") canvas.jump(event.shiftKey ? -1 : 1);
    if (event.key !== "Escape") return;
    event.preventDefault();
    search.value = "";
    canvas.find();
    stage.focus({ preventScroll: true });
  });
}
