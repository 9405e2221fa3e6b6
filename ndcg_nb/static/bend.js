// A discount one can bend, and two systems under it. Python sends what every result is worth; this file weighs, adds
// and compares, and finds where the two change places.
import { begin, bisect, button, change, clamp, dcg, figures, frame, hold, listed, make, number, scaleTo, setAria, slider, speaker, svg, svgLine, svgText } from "./core.js";

const short = (x) => String(Number(x.toFixed(3)));

// The families: what rank i weighs, and how that depends on the one number that bends it.
// On the strip all become steeper from left to right: `place` is where a number stands there, `value` goes back.
// A weight is exp(−t · pace), and `root` is the number that belongs to t. `through` is the number with which rank i weighs w.
export const FAMILIES = {
  power: {
    of: "β", weight: (i, beta) => i ** -beta, formula: (beta) => `1 / i^${short(beta)}`, through: (i, w) => -Math.log(w) / Math.log(i),
    place: (beta) => beta, value: (u) => u, pace: (i) => Math.log(i), root: (t) => t,
    ticks: [[0, "0 (CG)"], [1, "1 (Zipf)"], [2, "2"], [3, "3"]],
  },
  geometric: {
    of: "p", weight: (i, p) => p ** (i - 1), formula: (p) => `${short(p)}^(i − 1), as in RBP`, through: (i, w) => w ** (1 / (i - 1)),
    place: (p) => 1 - p, value: (u) => 1 - u, pace: (i) => i - 1, root: (t) => Math.exp(-t),
    ticks: [[0, "1 (CG)"], [0.25, "0.75"], [0.5, "0.5"], [0.75, "0.25"], [1, "0"]],
  },
  log2: { weight: (i) => 1 / Math.log2(i + 1), formula: () => "1 / log2(i + 1)" },
};
const PRESETS = [
  ["even (CG)", ["power", 0], "Every rank weighs 1"],
  ["log2", "log2", "1 / log2(i + 1), what nearly everyone means by nDCG"],
  ["Zipf", ["power", 1], "1 / i: the second result is worth half"],
  ["geometric", ["geometric", 0.8], "As in RBP: from each result to the next the reader goes on with the chance p"],
];
const STEEPEST = 3; // as far as a hand bends
const FOREVER = 50; // e^−50: a patience of nothing
const CLOSE = 1e-12;
const formOf = (discount) => [].concat(discount); // "log2" is a family without a number
export const familyOf = (discount) => (formOf(discount)[0] === "geometric" ? "geometric" : "power"); // what "log2" bends into

// How far the strip of powers goes: as far as a hand bends, or farther where Python has bent. It never shrinks.
export const reachOf = (discount, before = STEEPEST) => (formOf(discount)[0] === "power" ? Math.max(before, Math.ceil(discount[1])) : before);

// Gains times weights, from rank 1 down, over the best that the pool can give.
export function weigh({ gains, discount, k }) {
  const [name, at] = formOf(discount);
  const weights = gains.pool.map((_, i) => (i < (k ?? Infinity) ? FAMILIES[name].weight(i + 1, at) : 0));
  const best = dcg(gains.pool, weights); // they fall
  const [a, b] = [gains.a, gains.b].map((list) => Math.min(dcg(list, weights), best) / best);
  return { weights, a, b, gap: a - b };
}

// A sum of c · exp(−t · x) over terms [c, x], relative to its first, and its sign: 0 where only rounding is left.
const total = (terms, t, of = (c) => c) => terms.reduce((sum, [c, x]) => sum + of(c) * Math.exp(-t * (x - terms[0][1])), 0);
const sign = (terms, t) => (Math.abs(total(terms, t)) <= 1e-13 * total(terms, t, Math.abs) ? 0 : Math.sign(total(terms, t)));

// Where such a sum changes sign between 0 and `end`. Divided by its first term it turns where a shorter sum changes
// sign, and between two turns it only rises or only falls.
export function crossings(all, end) {
  const terms = all.filter(([c]) => c !== 0);
  if (terms.length < 2) return [];
  const [[, first], ...rest] = terms;
  const turns = crossings(rest.map(([c, x]) => [c * (x - first), x]), end);
  const ends = [0, ...turns, end].filter((t) => sign(terms, t));
  return ends.slice(1).flatMap((to, i) => {
    const before = sign(terms, ends[i]);
    return sign(terms, to) === before ? [] : [bisect((t) => sign(terms, t) === before, ends[i], to, 80)];
  });
}

// The β, or the p, at which the two systems change places, from the flattest discount to the steepest; and who is
// ahead at the steepest: 1 is A, −1 is B, and 0 neither, for they are worth the same at every rank.
export function flips({ gains, k }, name, reach = STEEPEST) {
  const { pace, root } = FAMILIES[name];
  const end = name === "power" ? reach : FOREVER;
  const terms = gains.a.slice(0, k ?? Infinity).map((g, i) => [g - gains.b[i], pace(i + 1)]).filter(([more]) => more !== 0);
  return { at: crossings(terms, end).map(root), steep: terms.length ? sign(terms, end) || sign(terms, end / 2) : 0 };
}

// Who is ahead, and where that changes, in words.
export function verdict(state, reach = reachOf(state.discount)) {
  const { gap } = weigh(state);
  const family = familyOf(state.discount);
  const { at, steep } = flips(state, family, reach);
  const [one, other] = steep > 0 ? ["A", "B"] : ["B", "A"];
  const who = Math.abs(gap) < CLOSE ? "A and B tie." : `${gap > 0 ? "A" : "B"} wins by ${number(Math.abs(gap))}.`;
  if (!steep) return [who, "They are worth the same at every rank."];
  if (!at.length) return [who, `${one} is not behind at any ${family === "power" ? `β from 0 to ${reach}` : "p"}.`];
  const where = `${FAMILIES[family].of} = ${listed(at.map(number))}`;
  const [flatter, steeper] = family === "power" ? ["below", "above"] : ["above", "below"];
  const sides = at.length > 1 ? "" : `: ${other} wins ${flatter} it, ${one} ${steeper}`;
  return [who, `${state.discount === "log2" ? "With powers, they" : "They"} change places at ${where}${sides}.`];
}

// ---- The pictures ----

const [LEFT, RIGHT] = [30, 14]; // margins
const CURVE = { top: 24, bottom: 124 };
const PANELS = { a: { top: 164, bottom: 216 }, b: { top: 240, bottom: 292 } };
const STRIP = { top: 26, bottom: 106 };
const heightOf = (weight) => CURVE.bottom - (CURVE.bottom - CURVE.top) * weight;
const acrossIn = (width, n) => (i) => LEFT + ((width - LEFT - RIGHT) * i) / n; // the right end of rank i, or a part of the strip

// The discount as a curve over bars.
function drawCurve(n, [name, at], k, x) {
  const { weight, formula } = FAMILIES[name];
  const column = x(1) - x(0);
  const wide = Math.min(36, column * 0.62);
  const middle = (i) => x(i) - column / 2;
  const smooth = Array.from({ length: 8 * (n - 1) + 1 }, (_, j) => 1 + j / 8).filter((i) => k === null || i <= Math.max(1, k));
  const every = [1, 2, 5, 10].find((step) => step * column > 18) ?? 20; // ranks that have room for their number
  const ranks = Array.from({ length: n }, (_, i) => i + 1);
  const out = (i) => (i > (k ?? Infinity) ? " bend-out" : "");
  return [
    svgText(LEFT, 13, `what rank i weighs: ${formula(at)}`), svgText(LEFT - 8, heightOf(1) + 4, "1", { "text-anchor": "end" }),
    ...[0, 1].map((w) => svgLine(LEFT, heightOf(w), x(n), heightOf(w), { class: "nx-axis" })),
    ...ranks.map((i) => svg("rect", { class: `bend-weight${out(i)}`, x: middle(i) - wide / 2, y: heightOf(weight(i, at)), width: wide, height: CURVE.bottom - heightOf(weight(i, at)), rx: 2 })),
    ...ranks.filter((i) => i % every === 0 || (i === 1 && every > 2)).map((i) => svgText(middle(i), CURVE.bottom + 15, String(i), { class: out(i), "text-anchor": "middle" })),
    svgText(LEFT - 8, CURVE.bottom + 15, "rank", { "text-anchor": "end" }),
    svg("polyline", { points: smooth.map((i) => `${middle(i)},${heightOf(weight(i, at))}`).join(" ") }),
  ];
}

// A list: pale is what each result is worth, blue what its rank leaves of it.
function drawList(which, grades, { gains, k }, weights, x) {
  const { top, bottom } = PANELS[which];
  const column = x(1) - x(0);
  const wide = Math.min(36, column * 0.62);
  const tall = (gain) => ((bottom - top) * gain) / gains.pool[0];
  const bar = (kind, i, gain) => svg("rect", { class: kind, x: x(i + 0.5) - wide / 2, y: bottom - tall(gain), width: wide, height: tall(gain), rx: 2 });
  return [svgText(LEFT - 8, bottom, which.toUpperCase(), { class: "bend-name", "text-anchor": "end" }), svgLine(LEFT, bottom, x(grades.length), bottom, { class: "nx-axis" }),
    ...gains[which].map((gain, i) => svg("g", { class: i < (k ?? Infinity) ? "" : "bend-out" }, bar("bend-gain", i, gain), bar("bend-part", i, gain * weights[i]),
      ...(column < 14 ? [] : [svgText(x(i + 0.5), bottom - tall(gain) - 4, number(grades[i]), { "text-anchor": "middle" })])))];
}

// A − B as the discount gets steeper, and where it changes sign.
function drawStrip(lined, all, family, at, span, width) {
  const { of, place, value, ticks } = FAMILIES[family];
  const x = acrossIn(width, span);
  const gapAt = (u) => weigh({ ...all, discount: [family, value(u)] }).gap;
  const points = Array.from({ length: 121 }, (_, j) => (span * j) / 120).map((u) => [u, gapAt(u)]);
  const here = all.discount === "log2" ? weigh(all).gap : gapAt(place(at));
  const seen = [here, ...points.map(([, gap]) => gap)];
  const [high, low] = [Math.max(0, ...seen), Math.max(0, ...seen.map((gap) => -gap))];
  const least = Math.max(high, low) / 3 || 1; // both sides have room, and a name
  const [above, below] = [Math.max(high, least), Math.max(low, least)];
  const y = (gap) => STRIP.top + ((STRIP.bottom - STRIP.top) * (above - gap)) / (above + below);
  const path = points.map(([u, gap]) => `${x(u)},${y(gap)}`).join(" ");
  const marks = span > STEEPEST ? [ticks[0], [span, String(span)]] : ticks.filter(([u]) => width > 460 || Number.isInteger(2 * u));
  const flip = (where) => {
    const [u, left] = [place(where), x(place(where)) > width * 0.6];
    const under = (gapAt(Math.min(span, u + 0.01)) > gapAt(Math.max(0, u - 0.01))) !== left;
    return [svgLine(x(u), y(0) - 6, x(u), y(0) + 6, { class: "bend-flip" }),
      svgText(x(u) + (left ? -6 : 6), y(0) + (under ? 15 : -7), `${of} = ${number(where)}`, { class: "bend-name", "text-anchor": left ? "end" : "start" })];
  };
  scaleTo(lined, width, 126);
  lined.replaceChildren(
    svgText(LEFT, 13, "A − B: above the line A is ahead, below it B"),
    svgText(LEFT - 8, STRIP.top + 10, "A", { class: "bend-name", "text-anchor": "end" }), svgText(LEFT - 8, STRIP.bottom - 3, "B", { class: "bend-name", "text-anchor": "end" }),
    svg("polygon", { class: "bend-area", points: `${x(0)},${y(0)} ${path} ${x(span)},${y(0)}` }),
    svgLine(x(0), y(0), x(span), y(0), { class: "nx-axis" }), svg("polyline", { points: path }),
    ...(all.discount === "log2" ? [svgLine(x(0), y(here), x(span), y(here), { class: "bend-at" }), svgText(x(span), y(here) - 4, "log2", { "text-anchor": "end" })]
      : [svg("circle", { class: "bend-here", cx: x(place(at)), cy: y(here), r: 5 })]),
    svgText(LEFT - 8, STRIP.bottom + 17, of, { "text-anchor": "end" }),
    ...marks.map(([u, words]) => svgText(x(u), STRIP.bottom + 17, words, { "text-anchor": u === 0 ? "start" : u === span ? "end" : "middle" })),
    ...flips(all, family, span).at.flatMap(flip),
  );
}

// ---- The widget ----

function show(host) {
  const { model } = host;
  const state = () => ({ gains: model.get("gains"), discount: model.get("discount"), k: model.get("k") ?? null });
  const first = { discount: model.get("discount"), k: model.get("k") };
  const [a, b] = [model.get("a"), model.get("b")];
  const n = a.length;
  const rank = Math.min(3, n); // where the curve is held
  let reach = STEEPEST;
  const set = (changes) => { change(model, changes); say(() => sentence.textContent); };
  // The family that bends, and its number: a logarithm becomes a power, through the point where it is held.
  const bent = () => (model.get("discount") === "log2" ? ["power", n > 1 ? FAMILIES.power.through(rank, FAMILIES.log2.weight(rank)) : 1] : model.get("discount"));
  const span = (name) => (name === "power" ? reach : 1);
  const bendTo = (u) => { // in hundredths, which can be read
    const [name] = bent();
    const at = Math.round(FAMILIES[name].value(clamp(u, 0, span(name))) * 100) / 100;
    const [was, before] = formOf(model.get("discount"));
    if (was !== name || before !== at) set({ discount: [name, at] });
  };

  const grip = make("span", { class: "bend-grip", title: "Drag it up or down: the discount bends", "aria-hidden": "true", onpointerdown: (event) => {
    if (event.button) return;
    const [before, [name, at]] = [{ discount: model.get("discount") }, bent()];
    const from = heightOf(FAMILIES[name].weight(rank, at)) - event.clientY; // what was taken hold of stays under the hand
    const move = ({ clientY }) => {
      const weight = clamp((CURVE.bottom - clientY - from) / (CURVE.bottom - CURVE.top), 1e-6, 1);
      bendTo(FAMILIES[name].place(FAMILIES[name].through(rank, weight)));
    };
    hold([[root, "bend-dragging"]], move, () => set(before));
  } });
  const [plotted, lined] = [svg("svg", { role: "img" }), svg("svg", { "aria-hidden": "true" })];
  const plot = make("div", { class: "bend-plot" }, plotted, grip);
  const steep = slider("how steep", [0, STEEPEST, 0.01], bendTo);
  const cutoff = slider("cutoff k", [1, n + 1, 1], (k) => set({ k: k > n ? null : k }));
  const presets = PRESETS.map(([text, discount, title]) => button(text, () => set({ discount }), title));
  const numbers = figures({ a: "", b: "", gap: "A − B" }, "bend");
  const sentence = make("p", { class: "bend-said" });
  const { live, say } = speaker(300);
  const root = frame("nx bend", "A discount to bend",
    make("p", { class: "nx-hint" }, "Take the curve by its handle and bend it. Pale is what a result is worth, blue what its rank leaves of it: who is ahead, A or B?"),
    make("div", { class: "bend-presets", role: "group", "aria-label": "Discounts" }, ...presets, button("reset", () => set(first), "As it was when the page was opened")),
    make("div", { class: "nx-controls" }, cutoff.label), plot, make("div", { class: "bend-strip" }, lined), steep.label, numbers.row, sentence, live);
  steep.label.className = "bend-steep";
  const width = () => plot.clientWidth || 640;

  function drawPlot(all, { weights }) {
    const [x, [name, at]] = [acrossIn(width(), n), formOf(all.discount)];
    const cut = all.k !== null && all.k <= n ? [svgLine(x(all.k), 20, x(all.k), PANELS.b.bottom + 8, { class: "bend-at" })] : [];
    scaleTo(plotted, width(), 304);
    plotted.replaceChildren(...drawCurve(n, [name, at], all.k, x), ...drawList("a", a, all, weights, x), ...drawList("b", b, all, weights, x), ...cut);
    const adds = (which) => all.gains[which].map((gain, i) => number(((gain * weights[i]) / all.gains.pool[0]) * 100)).join(", ");
    setAria(plotted, { label: `Ranks 1 to ${n} weigh ${weights.slice(0, n).map(number).join(", ")}. In percent of the best result at rank 1, A adds ${adds("a")}; B adds ${adds("b")}.` });
    grip.hidden = n < 2;
    grip.style.left = `${x(rank - 0.5)}px`;
    grip.style.top = `${heightOf(FAMILIES[name].weight(rank, at))}px`;
  }
  function draw() {
    const all = state();
    const m = weigh(all);
    reach = reachOf(all.discount, reach);
    const [family, at] = bent();
    const { of, place } = FAMILIES[family];
    drawPlot(all, m);
    drawStrip(lined, all, family, at, span(family), width());
    steep.input.max = span(family);
    steep.show(place(at), all.discount === "log2" ? "log2" : `${of} = ${short(at)}`);
    cutoff.show(Math.min(all.k ?? n + 1, n + 1), String(all.k ?? "no cut"));
    presets.forEach((preset, i) => {
      const [[kind, there], [name, now]] = [formOf(PRESETS[i][1]), formOf(all.discount)];
      setAria(preset, { pressed: String(kind === name && (kind !== "power" || there === now)) });
    });
    numbers.show({ a: number(m.a), b: number(m.b), gap: number(Math.abs(m.gap) < CLOSE ? 0 : m.gap) });
    for (const which of ["a", "b"]) {
      numbers.parts[which].term.textContent = `nDCG${all.k === null ? "" : `@${all.k}`} of ${which.toUpperCase()}`;
      numbers.parts[which].box.classList.toggle("bend-ahead", which === "a" ? m.gap > CLOSE : m.gap < -CLOSE);
    }
    const [who, where] = verdict(all, reach);
    sentence.replaceChildren(make("b", {}, who), ` ${where}`);
  }

  return begin(host, root, ["discount", "k"], draw, plot);
}

export default { render: show };
