// Builds the elements of the canvas. Text only ever enters as text, never as HTML.

/** Make an element with attributes and children; strings among the children become text. */
function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
}

function button(text, name, key) {
  const title = key ? `${name} (${key})` : name;
  return make("button", { type: "button", "aria-label": name, title }, text);
}

/** Fill the frame with its controls and the stage, and return them by name. */
function buildParts(frame) {
  const parts = {
    search: make("input", {
      type: "search",
      "aria-label": WORDS.search,
      placeholder: WORDS.searchHint,
      title: `${WORDS.search} (/)`,
      autocomplete: "off",
      spellcheck: "false",
      maxlength: "120",
    }),
    count: make("output", { class: "count", "aria-live": "polite" }),
    zoomOut: button("−", WORDS.zoomOut, "-"),
    zoomIn: button("+", WORDS.zoomIn, "+"),
    fit: button(WORDS.fitShort, WORDS.fit, "F"),
    start: button(WORDS.startShort, WORDS.start, "0"),
    full: button(WORDS.full, WORDS.full, ""),
    help: button("?", WORDS.keys, "?"),
    stage: make("div", { class: "stage", role: "group", tabindex: "0" }),
    sheet: make("div", { class: "sheet" }),
    tip: make("div", { class: "tip", role: "tooltip", hidden: "" }),
    map: make("div", { class: "minimap", "aria-hidden": "true", hidden: "" }),
    said: make("div", { class: "said", role: "status" }),
    close: make("button", { type: "button" }, WORDS.close),
  };
  parts.help.setAttribute("aria-expanded", "false");
  parts.full.setAttribute("aria-pressed", "false");
  parts.stage.setAttribute("aria-label", WORDS.stage);
  parts.keys = buildKeys(parts.close);
  parts.stage.append(parts.sheet, parts.map, parts.tip);
  const find = make("div", { class: "find", role: "search" }, parts.search, parts.count);
  const bar = make("div", { class: "bar", role: "toolbar", "aria-label": WORDS.bar });
  const { zoomOut, zoomIn, fit, start, full, help } = parts;
  bar.append(find, zoomOut, zoomIn, fit, start, full, help);
  frame.replaceChildren(bar, parts.stage, parts.keys, parts.said);
  parts.full.hidden = !document.fullscreenEnabled;
  return parts;
}

function buildKeys(close) {
  const list = make("dl");
  for (const [key, meaning] of KEY_LIST) {
    list.append(make("dt", {}, make("kbd", {}, key)), make("dd", {}, meaning));
  }
  const attributes = { class: "keys", role: "dialog", "aria-label": WORDS.keys, hidden: "" };
  return make("div", attributes, list, close);
}
