// Shows one picture and keeps it readable: it is fitted to the room there is, but never made so
// small that a label falls below the least size; a picture that is larger than that scrolls.
// Knows nothing of Streamlit beyond the call below, and asks nothing of the network.

const LEAST_LABEL = 11; // px, the smallest label a person should have to read
const MOST_SCALE = 1.9; // a small picture is not blown up beyond this

/** Return the size of the smallest label, in the units of the picture. */
function smallestLabel(svg) {
  const sizes = [...svg.querySelectorAll("text")]
    .map((text) => parseFloat(text.getAttribute("font-size")))
    .filter((size) => size > 0);
  return sizes.length ? Math.min(...sizes) : LEAST_LABEL;
}

/** Give the picture the width at which it fits the frame and stays readable. */
function fit(frame, svg, height) {
  const box = svg.viewBox.baseVal;
  if (!box || !box.width || !frame.clientWidth) return;
  const fitted = Math.min(frame.clientWidth / box.width, height / box.height);
  const readable = LEAST_LABEL / smallestLabel(svg);
  const scale = Math.min(Math.max(fitted, readable), MOST_SCALE);
  svg.setAttribute("width", `${box.width * scale}px`);
  svg.setAttribute("height", `${box.height * scale}px`);
}

export default function (component) {
  const { data, parentElement } = component;
  const frame = parentElement.querySelector(".picture");
  const draw = () => {
    const svg = frame.querySelector("svg");
    if (svg) fit(frame, svg, frame.pictureHeight);
  };
  frame.pictureHeight = data.height;
  frame.setAttribute("aria-label", data.label);
  if (frame.shown !== data.svg) {
    // The server's own Graphviz output: text in it is escaped, scripts and links are not in it.
    frame.innerHTML = data.svg;
    frame.shown = data.svg;
  }
  draw();
  const observer = new ResizeObserver(draw);
  observer.observe(frame);
  return () => observer.disconnect();
}
