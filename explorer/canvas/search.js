// Finds nodes by what they say: plain text in any case, or /a pattern/ with flags.

const PATTERN = /^\/(.*)\/([imsu]*)$/;
// A repetition of a repetition, such as (a+)+, can take longer than a person lives.
const SLOW = /[+*}]\)+[+*{]/;
const MOST_TEXT = 300; // characters of one node; a guard for patterns, not a limit for people

/**
 * Turn what a person typed into a test of a text.
 *
 * @returns {{test: (text: string) => boolean, problem: string}} a problem in words, or "".
 */
function matcher(typed) {
  const nothing = () => false;
  const pattern = PATTERN.exec(typed);
  if (!pattern) {
    const wanted = typed.toLowerCase();
    return { test: (text) => text.toLowerCase().includes(wanted), problem: "" };
  }
  if (!pattern[1]) return { test: nothing, problem: "" };
  if (SLOW.test(pattern[1])) return { test: nothing, problem: WORDS.slowPattern };
  try {
    const expression = new RegExp(pattern[1], pattern[2]);
    return { test: (text) => expression.test(text), problem: "" };
  } catch {
    return { test: nothing, problem: WORDS.badPattern };
  }
}

/** Return the words in a node, one space between its lines, and its title. */
function wordsOf(node, title) {
  const lines = [...node.querySelectorAll("text")].map((text) => text.textContent);
  return `${lines.join(" ")} ${title}`.slice(0, MOST_TEXT);
}

class Search {
  constructor() {
    Object.assign(this, { typed: "", hits: [], place: -1, problem: "" });
  }

  /** Find all nodes that match; the place among them starts anew when the text is new. */
  run(typed, trace) {
    if (typed !== this.typed) this.place = -1;
    this.typed = typed;
    const { test, problem } = matcher(typed);
    this.problem = problem;
    const says = (node) => wordsOf(node, trace.titles.get(node.id) ?? "");
    this.hits = typed ? trace.nodes.filter((node) => test(says(node))).map((node) => node.id) : [];
    this.place = Math.min(this.place, this.hits.length - 1);
  }

  /** Go to the next match, or the one before, round and round; return its id or "". */
  step(by) {
    const all = this.hits.length;
    if (!all) return "";
    const from = this.place < 0 && by < 0 ? 0 : this.place;
    this.place = (from + by + all) % all;
    return this.hits[this.place];
  }

  get report() {
    if (!this.typed) return "";
    if (this.problem) return this.problem;
    return this.hits.length ? WORDS.count(this.place + 1, this.hits.length) : WORDS.none;
  }
}
