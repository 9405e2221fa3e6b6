// What the widgets share: nDCG, Student's t, words, elements, and how a widget listens, speaks and is dragged.

// ---- nDCG ----

export const add = (list) => list.reduce((sum, x) => sum + x, 0);
export const clamp = (x, low, high) => Math.max(low, Math.min(high, x));
export const falling = (a, b) => b - a;

/** Gains times weights, from rank 1 down to the end. */
export function dcg(gains, weights, end = Infinity) {
  let sum = 0;
  for (let i = 0; i < gains.length && i < end; i += 1) sum += gains[i] * weights[i];
  return sum;
}

export const IDEALS = ["pool", "list", "reached", "hits", "given", "uncut", "full"];
export const hasOwnIdeal = ({ ideal }) => ideal === "list" || ideal === "reached"; // it is made of the list alone

/** What the best document would collect at every rank down to the cutoff; nan where there are no weights for that. */
const everywhere = (judged, weights, cut) => (cut > weights.length ? NaN : Math.max(0, ...judged) * add(weights.slice(0, cut)));
const halfUp = (value, decimals) => (decimals === null || decimals === undefined ? value : Math.floor(value * 10 ** decimals + 0.5) / 10 ** decimals);

/** nDCG by the rules of a tool: of gains in the order of ranks, compared with the best order of all judged ones.
 * Results beyond `end` add nothing; `found` is how many results the list has; `sorted` says that the judged ones are in order. */
export function ndcg({ ideal, empty, decimals }, { gains, judged, weights, cut = Infinity, found = gains.length, sorted = false }) {
  const last = { hits: Math.min(cut, found), uncut: Infinity }[ideal] ?? cut;
  const best = ideal === "full" ? everywhere(judged, weights, cut) : dcg(sorted ? judged : [...judged].sort(falling), weights, last);
  const end = ideal === "reached" && cut !== Infinity && cut > found ? 0 : cut;
  const top = dcg(gains, weights, end);
  if (best > 0) return { best, end, value: halfUp((ideal === "given" ? top : Math.min(top, best)) / best, decimals) }; // what rounding adds is taken off
  return { best, end: 0, value: best === 0 && typeof empty === "number" ? empty : NaN }; // an ideal that is unknown is not 0
}

/** Where what holds at `low` and not at `high` ceases to hold. */
export function bisect(holds, low, high, steps) {
  for (let i = 0; i < steps; i += 1) {
    const middle = (low + high) / 2;
    if (holds(middle)) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}

// ---- Student's t ----

/** How likely a t is to be as far from 0 as this one: for whole degrees of freedom the integral is a finite sum. */
export function tails(t, freedom) {
  const angle = Math.atan(Math.abs(t) / Math.sqrt(freedom));
  const cos = Math.cos(angle);
  const odd = freedom % 2;
  let term = odd ? cos : 1;
  let sum = freedom > 1 ? term : 0;
  for (let j = odd + 1; j < freedom - 1; j += 2) {
    term *= (j / (j + 1)) * cos * cos;
    sum += term;
  }
  const inside = Math.sin(angle) * sum;
  return Math.max(0, 1 - (odd ? (2 / Math.PI) * (angle + inside) : inside));
}

/** The t beyond which only so much is left: with one degree of freedom, and 0.05, it is 12.7. */
export const limit = (freedom, alpha = 0.05) => bisect((t) => tails(t, freedom) > alpha, 0, 20, 60);

// ---- Words ----

export const minus = (x) => String(x).replace("-", "−");
export const number = (x) => {
  if (Number.isNaN(x)) return "0/0";
  return minus(Number.isInteger(x) ? x : Math.abs(x) < 0.0005 ? x.toPrecision(2) : x.toFixed(3));
};
export const listed = (list, most = Infinity) => {
  const [first, rest] = [list.slice(0, most === list.length - 1 ? list.length : most), list.length - most];
  if (rest > 1) return `${first.join(", ")} and ${rest} more`;
  return first.length > 1 ? `${first.slice(0, -1).join(", ")} and ${first.at(-1)}` : first.join("");
};

// ---- Elements ----

const filled = (element, attributes, children) => {
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (value !== undefined) element.setAttribute(name, value);
  }
  element.append(...children);
  return element;
};
export const make = (tag, attributes = {}, ...children) => filled(document.createElement(tag), attributes, children);
export const svg = (tag, attributes = {}, ...children) => filled(document.createElementNS("http://www.w3.org/2000/svg", tag), attributes, children);
export const svgText = (x, y, words, more = {}) => svg("text", { x, y, ...more }, words);
export const svgLine = (x1, y1, x2, y2, more) => svg("line", { x1, y1, x2, y2, ...more });

// ---- How a widget behaves ----

/** The element around a widget. Keys pressed in it are for the widget, not for the notebook around it. */
export function frame(kind, label, ...children) {
  const root = make("div", { class: kind, role: "group", "aria-label": label, "data-lm-suppress-shortcuts": "true" }, ...children);
  root.addEventListener("keydown", (event) => event.stopPropagation());
  return root;
}

/** Call a listener for each event of a model; what is returned ends it. */
export function listen(model, listeners) {
  for (const [event, listener] of Object.entries(listeners)) model.on(event, listener);
  return () => { for (const [event, listener] of Object.entries(listeners)) model.off(event, listener); };
}

/** An element that a screen reader reads out when it changes, and what says a text there once the hand rests. */
export function speaker(wait, kind = "nx-live") {
  const live = make("div", { class: kind, role: "status", "aria-live": "polite" });
  let saying;
  const silence = () => clearTimeout(saying);
  const say = (text) => {
    silence();
    saying = setTimeout(() => { live.textContent = text(); }, wait);
  };
  return { live, say, silence };
}

/** Draw again when an element has another width; what is returned ends it. */
export function redrawWhenResized(element, width, draw) {
  let drawn = width();
  const watcher = new ResizeObserver(() => {
    if (width() !== drawn) { drawn = width(); draw(); }
  });
  watcher.observe(element);
  return () => watcher.disconnect();
}

/** Follow a pointer until it is let go; Escape puts back what was there. Elements are marked by a class meanwhile.
 * What is returned lets go. */
export function hold(marked, move, putBack) {
  const cancel = (event) => {
    if (event.key !== "Escape") return;
    putBack();
    letGo();
  };
  const letGo = () => {
    for (const [name, act] of events) removeEventListener(name, act, true);
    for (const [element, kind] of marked) element.classList.remove(kind);
  };
  const events = [["pointermove", move], ["pointerup", letGo], ["pointercancel", letGo], ["keydown", cancel]];
  for (const [name, act] of events) addEventListener(name, act, true);
  for (const [element, kind] of marked) element.classList.add(kind);
  return letGo;
}
