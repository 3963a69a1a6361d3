// Every word the canvas itself shows or reads out, in one place so that it can be translated.

const WORDS = {
  bar: "Picture controls",
  stage: "Canvas; press ? for its keys",
  search: "Find in the picture",
  searchHint: "Find… text or /regex/",
  zoomOut: "Zoom out",
  zoomIn: "Zoom in",
  fit: "Fit the whole picture",
  fitShort: "Fit",
  start: "Start view, readable size",
  startShort: "Start",
  full: "Full screen",
  keys: "Keys of the picture",
  close: "Close",
  none: "no match",
  badPattern: "not a valid pattern",
  slowPattern: "a repeated repetition is not searched",
  count: (place, all) => (place ? `${place} of ${all}` : `${all} found`),
};

// What a key does, as the overlay lists it.
const KEY_LIST = [
  ["+  −", "zoom in, zoom out"],
  ["Wheel", "zoom at the pointer, once the picture has focus or with Ctrl"],
  ["Drag, arrows", "move the picture"],
  ["F", "fit the whole picture"],
  ["0", "back to the start view, where every label can be read"],
  ["/", "find; Enter and Shift+Enter go through the matches"],
  ["N, Shift+N", "select the next or the previous node"],
  ["Esc", "close, clear the search, or clear the selection"],
  ["?", "show these keys"],
];
