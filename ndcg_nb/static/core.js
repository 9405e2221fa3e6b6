// What the widgets share: nDCG, Student's t, words, elements, and how a widget listens, speaks and is dragged.

// ---- nDCG ----

export const add = (list) => list.reduce((sum, x) => sum + x, 0);
export const clamp = (x, low, high) => Math.max(low, Math.min(high, x));
export const falling = (a, b) => b - a;

// Gains times weights, from rank 1 down to the end.
export function dcg(gains, weights, end = Infinity) {
  let sum = 0;
  for (let i = 0; i < gains.length && i < end; i += 1) sum += gains[i] * weights[i];
  return sum;
}

export const IDEALS = ["pool", "list", "reached", "top", "hits", "given", "uncut", "full"];
export const idealIsTheList = ({ ideal }) => ["list", "reached", "top"].includes(ideal);

// What the best document would collect at every rank down to the cutoff; NaN where there are not so many weights.
const everywhere = (judged, weights, cut) => (cut > weights.length ? NaN : Math.max(0, ...judged) * add(weights.slice(0, cut)));
const halfUp = (value, decimals) => (decimals === null || decimals === undefined ? value : Math.floor(value * 10 ** decimals + 0.5) / 10 ** decimals);

// nDCG by the rules of a tool: gains in the order of ranks, compared with the best order of all judged ones.
// Results beyond `end` add nothing; `found` is how many results the list has; `sorted` says that the judged ones are in order.
export function ndcg({ ideal, empty, decimals }, { gains, judged, weights, cut = Infinity, found = gains.length, sorted = false }) {
  const last = { hits: Math.min(cut, found), uncut: Infinity }[ideal] ?? cut;
  const best = ideal === "full" ? everywhere(judged, weights, cut)
    : ideal === "top" ? dcg(gains.slice(0, cut).sort(falling), weights)
      : dcg(sorted ? judged : [...judged].sort(falling), weights, last);
  const end = ideal === "reached" && cut !== Infinity && cut > found ? 0 : cut;
  const top = dcg(gains, weights, end);
  if (best > 0) return { best, end, value: halfUp((ideal === "given" ? top : Math.min(top, best)) / best, decimals) }; // what rounding adds is taken off
  return { best, end: 0, value: best === 0 && typeof empty === "number" ? empty : NaN }; // an unknown ideal is not 0
}

// Where what holds at `low` and not at `high` ceases to hold.
export function bisect(holds, low, high, steps) {
  for (let i = 0; i < steps; i += 1) {
    const middle = (low + high) / 2;
    if (holds(middle)) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}

// ---- Student's t ----

// The chance of a t at least as far from 0 as this one: for whole degrees of freedom the integral is a finite sum.
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

// The t beyond which only so much is left: with one degree of freedom, and 0.05, it is 12.7.
export const criticalT = (freedom, alpha = 0.05) => bisect((t) => tails(t, freedom) > alpha, 0, 20, 60);

// The mean of differences, Student's 95% interval and p. Differences that are all the same have no p, unless they are all 0.
export function pairedT(differences, critical = criticalT(differences.length - 1)) {
  const n = differences.length;
  const mean = add(differences) / n;
  const same = differences.every((x) => x === differences[0]);
  const error = same ? 0 : Math.sqrt(add(differences.map((x) => (x - mean) ** 2)) / (n - 1) / n);
  const p = error ? tails(mean / error, n - 1) : mean ? NaN : 1;
  return { mean, low: mean - critical * error, high: mean + critical * error, p };
}

// ---- Words ----

export const minus = (x) => String(x).replace("-", "−");
export const number = (x) => (Number.isNaN(x) ? "0/0" : minus(Number.isInteger(x) ? x : Math.abs(x) < 0.0005 ? x.toPrecision(2) : x.toFixed(3)));
export const thousands = (n) => n.toLocaleString("en");
export const counted = (n, noun) => `${thousands(n)} ${n === 1 ? noun : noun.replace(/y?$/, (y) => (y ? "ies" : "s"))}`;
export const chance = (p) => (Number.isNaN(p) ? "none" : p < 0.0005 ? "<0.001" : number(p));
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
export const scaleTo = (picture, width, height) => picture.setAttribute("viewBox", `0 0 ${width} ${height}`); // as drawn, and smaller where paper is narrower
export const svgText = (x, y, words, more = {}) => svg("text", { x, y, ...more }, words);
export const svgLine = (x1, y1, x2, y2, more) => svg("line", { x1, y1, x2, y2, ...more });
export const button = (words, onclick, title) => make("button", { type: "button", title, onclick }, words);
export const hint = (text) => make("p", { class: "nx-hint" }, ...text.split("|").map((part, i) => (i % 2 ? make("b", {}, part) : part))); // what is between bars is what to do first
export const setAria = (element, values) => { for (const [name, value] of Object.entries(values)) element.setAttribute(`aria-${name}`, value); };

// A slider with its name before it and its number behind it; `show` puts it somewhere.
export function slider(name, [min, max, step], act) {
  const input = make("input", { type: "range", min, max, step, "aria-label": name, oninput: () => act(Number(input.value)) });
  const words = make("span", { class: "nx-k" });
  const show = (value, text = String(value)) => {
    input.value = value;
    words.textContent = text;
    setAria(input, { valuetext: text });
  };
  return { label: make("label", {}, make("span", {}, name), input, words), input, show };
}

// A row of numbers, each below its name: `terms` are their names by key, and `show` fills them in.
export function figures(terms, kind) {
  const parts = Object.fromEntries(Object.entries(terms).map(([key, term]) => {
    const part = { term: make("span", { class: "nx-term" }, term), figure: make("span", { class: "nx-figure" }) };
    return [key, { ...part, box: make("div", { class: `${kind}-${key}` }, part.term, part.figure) }];
  }));
  const show = (texts) => { for (const [key, text] of Object.entries(texts)) parts[key].figure.textContent = text; };
  return { parts, show, row: make("div", { class: `nx-numbers ${kind}-numbers` }, ...Object.values(parts).map((x) => x.box)) };
}

// ---- How a widget behaves ----

// The element around a widget. Keys pressed in it are for the widget, not for the notebook around it.
export function frame(kind, label, ...children) {
  const root = make("div", { class: kind, role: "group", "aria-label": label, "data-lm-suppress-shortcuts": "true" }, ...children);
  root.addEventListener("keydown", (event) => event.stopPropagation());
  return root;
}

// Change several values of a model at once.
export function change(model, changes) {
  for (const [name, value] of Object.entries(changes)) model.set(name, value);
  model.save_changes();
}

// Call a listener for each event of a model; what is returned ends it.
export function listen(model, listeners) {
  for (const [event, listener] of Object.entries(listeners)) model.on(event, listener);
  return () => { for (const [event, listener] of Object.entries(listeners)) model.off(event, listener); };
}

// Put a widget into its element and draw it, now and whenever a trait or its width changes; what is returned ends it.
export function begin({ model, el }, root, traits, draw, sized) {
  el.append(root);
  draw();
  if (sized) redrawWhenResized(sized, () => sized.clientWidth, draw);
  return listen(model, Object.fromEntries(traits.map((trait) => [`change:${trait}`, draw])));
}

// An element that a screen reader reads out when it changes, and what says a text there once the hand rests.
export function speaker(wait) {
  const live = make("div", { class: "nx-live", role: "status", "aria-live": "polite" });
  let saying;
  const say = (text) => {
    clearTimeout(saying);
    saying = setTimeout(() => { live.textContent = text(); }, wait);
  };
  return { live, say };
}

// Draw again when an element has another width.
export function redrawWhenResized(element, width, draw) {
  let drawn = width();
  const again = () => {
    if (width() === drawn) return;
    drawn = width();
    draw();
  };
  new ResizeObserver(() => requestAnimationFrame(again)).observe(element); // what is drawn within a notice may be noticed too late
}

// A cutoff that is typed: null for none, undefined for what is not a cutoff.
export const cutoffIn = (text) => (text.trim() ? (/^0*[1-9]\d{0,8}$/.test(text.trim()) ? Number(text) : undefined) : null);

// Act on a key from a table; keys held together with others are the browser's own.
export function onKey(event, keys, act) {
  if (!(event.key in keys) || event.ctrlKey || event.metaKey || event.altKey) return false;
  event.preventDefault();
  act(keys[event.key]);
  return true;
}

// Follow a pointer until it is let go; Escape puts back what was there. Elements are marked by a class meanwhile.
let letGo = () => {}; // a page has one hand
export function hold(marked, move, putBack, done = () => {}) {
  const cancel = (event) => {
    if (event.key !== "Escape") return;
    putBack();
    letGo();
  };
  const events = [["pointermove", move], ["pointerup", () => letGo()], ["pointercancel", () => letGo()], ["keydown", cancel]];
  letGo();
  letGo = () => {
    letGo = () => {};
    for (const [name, act] of events) removeEventListener(name, act, true);
    for (const [element, kind] of marked) element.classList.remove(kind);
    done();
  };
  for (const [name, act] of events) addEventListener(name, act, true);
  for (const [element, kind] of marked) element.classList.add(kind);
}

// ---- The state in an address: #sway=differences=0.1,0.2 has a part for a widget, and in it a piece for a trait ----

// What a widget has put into an address, which it may share with others; null where there is nothing.
export const partOfAddress = (hash, key) => hash.replace(/^#/, "").split("&").find((x) => x.startsWith(key))?.slice(key.length) ?? null;

// Put a part into the address, and copy it all; what is returned says where it is.
export function copyAddress(key, part) {
  const others = location.hash.slice(1).split("&").filter((x) => x && !x.startsWith(key));
  history.replaceState(null, "", `#${[...others, part].join("&")}`);
  const copied = navigator.clipboard?.writeText(location.href) ?? Promise.reject();
  return copied.then(() => "The link is copied. It is in the address bar, too.", () => "The link is in the address bar.");
}

// Readers of what is in an address: each takes a text, the name of its trait and the page's own state, and throws what is wrong in words.
export const must = (ok, why) => { if (!ok) throw new TypeError(why); };
export const numberFrom = (low, high, isWhole = false) => (text, name) => {
  const x = /^-?\d+(\.\d+)?(e-?\d+)?$/.test(text) ? Number(text) : NaN;
  must(x >= low && x <= high && (!isWhole || Number.isInteger(x)), `${name} is “${text.slice(0, 20)}”, and not a ${isWhole ? "whole " : ""}number from ${minus(low)} to ${minus(high)}`);
  return x;
};
export const listFrom = (reader) => (text, name, own) => {
  const texts = text.split(",");
  must(texts.length === own[name].length, `${name} has ${texts.length} values, and not ${own[name].length}`);
  return texts.map((x) => reader(x, name, own));
};

// Traits as texts, those that are not as the page has them; and back, each by its reader.
const asPiece = (x) => (Array.isArray(x) ? x.map((y) => y ?? "?").join() : String(x ?? "none"));
export const traits = (readers) => ({
  write: (get, own) => Object.fromEntries(Object.keys(readers).map((x) => [x, asPiece(get(x))]).filter(([x, text]) => text !== asPiece(own[x]))),
  read: (texts, own) => Object.fromEntries(Object.entries(readers).map(([x, reader]) => [x, x in texts ? reader(texts[x], x, own) : own[x]])),
});

const encoded = (text) => encodeURIComponent(text).replace(/%(2C|3A|2F|3F)/g, decodeURIComponent); // , : / ? can be read
const decoded = (text) => { try { return decodeURIComponent(text); } catch { return must(false, "it is damaged"); } };
const piecesOf = (part) => Object.fromEntries(part.split(";").filter(Boolean).map((piece) => /^(?:(\w+)=)?(.*)$/s.exec(piece)).map(([, name = "", text]) => [name, decoded(text)]));

// A button below a widget that copies a link to its state, and a line that says so; what is returned opens such a link, or says
// what is wrong with it. `own` is the state that the page has.
export const sharing = ({ write, read }) => ({ key, model, own, root }) => {
  const said = make("span", { role: "status" });
  const say = (text) => { said.textContent = text; };
  const copy = () => copyAddress(`${key}=`, `${key}=${Object.entries(write(model.get, own)).map(([name, text]) => (name ? `${name}=` : "") + encoded(text)).join(";")}`).then(say);
  root.append(make("div", { class: "nx-share" }, button("Copy a link", copy, "A link that opens this page as it is now"), said));
  for (const name of Object.keys(own)) model.on(`change:${name}`, () => say(""));
  const open = (part) => {
    try {
      const changes = read(piecesOf(part), own);
      model.opening = true;
      change(model, changes);
      say("This came with the link.");
    } catch (error) {
      if (!(error instanceof TypeError)) throw error;
      say(`The link cannot be shown: ${error.message}.`);
    }
    model.opening = false;
    root.scrollIntoView({ block: root.offsetHeight < innerHeight ? "center" : "start" });
  };
  return { open, say };
};
