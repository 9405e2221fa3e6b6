// A discount one can bend, and two systems under it. Python sends what every result is worth; this file weighs, adds
// and compares, and finds where the two change places.
import { bisect, clamp, dcg, frame, hold, listen, make, number, redrawWhenResized, speaker, svg, svgLine, svgText } from "./core.js";

const short = (x) => String(Number(x.toFixed(3)));

/** The families: what rank i weighs, and how that depends on the one number that bends it.
 * On the strip all become steeper from left to right: `place` is where a number stands there, `value` goes back.
 * A weight is exp(−t · pace), and `root` is the number that belongs to t. */
export const FAMILIES = {
  power: {
    of: "β", weight: (i, beta) => i ** -beta, told: (beta) => `1 / i^${short(beta)}`, through: (i, w) => -Math.log(w) / Math.log(i),
    place: (beta) => beta, value: (u) => u, pace: (i) => Math.log(i), root: (t) => t,
    ticks: [[0, "0 (CG)"], [1, "1 (Zipf)"], [2, "2"], [3, "3"]],
  },
  geometric: {
    of: "p", weight: (i, p) => p ** (i - 1), told: (p) => `${short(p)}^(i − 1), as in RBP`, through: (i, w) => w ** (1 / (i - 1)),
    place: (p) => 1 - p, value: (u) => 1 - u, pace: (i) => i - 1, root: (t) => Math.exp(-t),
    ticks: [[0, "1 (CG)"], [0.25, "0.75"], [0.5, "0.5"], [0.75, "0.25"], [1, "0"]],
  },
  log2: { weight: (i) => 1 / Math.log2(i + 1), told: () => "1 / log2(i + 1)" },
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

/** How far the strip of powers goes: as far as a hand bends, or farther where Python has bent. It never shrinks. */
export function reachOf(discount, before = STEEPEST) {
  const [name, at] = formOf(discount);
  return name === "power" ? Math.max(before, Math.ceil(at)) : before;
}

/** Gains times weights, from rank 1 down, over the best that the pool can give. */
export function weigh({ gains, discount, k }) {
  const [name, at] = formOf(discount);
  const weights = gains.pool.map((_, i) => (i < (k ?? Infinity) ? FAMILIES[name].weight(i + 1, at) : 0));
  const best = dcg(gains.pool, weights); // they fall
  const [a, b] = [gains.a, gains.b].map((list) => Math.min(dcg(list, weights), best) / best);
  return { weights, a, b, gap: a - b };
}

// A sum of c · exp(−t · x) over terms [c, x], relative to its first, and its sign: 0 where only rounding is left.
const total = (terms, t, of = (c) => c) => terms.reduce((sum, [c, x]) => sum + of(c) * Math.exp(-t * (x - terms[0][1])), 0);
function sign(terms, t) {
  const sum = total(terms, t);
  return Math.abs(sum) <= 1e-13 * total(terms, t, Math.abs) ? 0 : Math.sign(sum);
}

/** Where such a sum changes sign between 0 and `end`. Divided by its first term it turns where a shorter sum changes
 * sign, and between two turns it only rises or only falls. */
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

/** The β, or the p, at which the two systems change places, from the flattest discount to the steepest; and who is
 * ahead at the steepest: 1 is A, −1 is B, and 0 neither, for they are worth the same at every rank. */
export function flips({ gains, k }, name, reach = STEEPEST) {
  const { pace, root } = FAMILIES[name];
  const end = name === "power" ? reach : FOREVER;
  const terms = gains.a.slice(0, k ?? Infinity).map((g, i) => [g - gains.b[i], pace(i + 1)]).filter(([more]) => more !== 0);
  return { at: crossings(terms, end).map(root), steep: terms.length ? sign(terms, end) || sign(terms, end / 2) : 0 };
}

/** Who is ahead, and where that changes, in words. */
export function verdict(state, reach = reachOf(state.discount)) {
  const { gap } = weigh(state);
  const [name] = formOf(state.discount);
  const family = familyOf(state.discount);
  const { at, steep } = flips(state, family, reach);
  const [one, other] = steep > 0 ? ["A", "B"] : ["B", "A"];
  const who = Math.abs(gap) < CLOSE ? "A and B tie." : `${gap > 0 ? "A" : "B"} wins by ${number(Math.abs(gap))}.`;
  if (!steep) return [who, "They are worth the same at every rank."];
  if (!at.length) return [who, `${one} is not behind at any ${family === "power" ? `β from 0 to ${reach}` : "p"}.`];
  const [rest, last] = [at.slice(0, -1).map(number), number(at.at(-1))];
  const where = `${FAMILIES[family].of} = ${rest.length ? `${rest.join(", ")} and ` : ""}${last}`;
  const [flatter, steeper] = family === "power" ? ["below", "above"] : ["above", "below"];
  const sides = rest.length ? "" : `: ${other} wins ${flatter} it, ${one} ${steeper}`;
  return [who, `${name === "log2" ? "With powers, they" : "They"} change places at ${where}${sides}.`];
}

const KEPT = ["discount", "k"]; // what a hand can change
const [LEFT, RIGHT] = [30, 50]; // margins: for what stands on the axes, and for a cutoff that is none
const CURVE = { top: 24, bottom: 124 };
const PANELS = { a: { top: 164, bottom: 216 }, b: { top: 240, bottom: 292 } };
const STRIP = { top: 26, bottom: 106 };

function show({ model, el }) {
  const state = () => ({ a: model.get("a"), b: model.get("b"), gains: model.get("gains"), discount: model.get("discount"), k: model.get("k") ?? null });
  const now = () => Object.fromEntries(KEPT.map((name) => [name, model.get(name)]));
  const first = now();
  const set = (changes) => {
    for (const [name, value] of Object.entries(changes)) model.set(name, value);
    model.save_changes();
    say();
  };
  const n = model.get("a").length;
  let reach = STEEPEST;
  let rank = Math.min(3, Math.max(2, n)); // where the curve is held

  // The family that bends: a logarithm that is taken hold of becomes a power, through the point where it is held.
  const bent = () => {
    const [name, at] = formOf(model.get("discount"));
    return name === "log2" ? ["power", FAMILIES.power.through(rank, FAMILIES.log2.weight(rank))] : [name, at];
  };
  const span = (name) => (name === "power" ? reach : 1);
  const bendTo = (u, name = bent()[0]) => { // in hundredths, which can be read and told
    const { value } = FAMILIES[name];
    const at = Math.round(value(clamp(u, 0, span(name))) * 100) / 100;
    const [was, before] = formOf(model.get("discount"));
    if (was !== name || before !== at) set({ discount: [name, at] });
  };
  const cutAt = (k) => {
    const next = k > n ? null : Math.max(1, k);
    if (next !== (model.get("k") ?? null)) set({ k: next });
  };

  // Dragging, by mouse, pen or finger.
  let letGo = () => {};
  let dragged = false; // until the click in which a drag may end
  const drags = (element, sideways, begin) => element.addEventListener("pointerdown", (event) => {
    const follow = event.button ? undefined : begin(event);
    if (!follow) return;
    letGo();
    const before = now();
    dragged = false;
    const move = (to) => { // a hand that only touches moves nothing, nor does one that scrolls
      const [x, y] = [Math.abs(to.clientX - event.clientX), Math.abs(to.clientY - event.clientY)];
      dragged ||= sideways ? x > Math.max(3, y) : y > 3;
      if (dragged) follow(to);
    };
    letGo = hold([[root, "bend-dragging"]], move, () => set(before));
  });
  const takeCurve = (event) => { // what was taken hold of stays under the hand
    const name = bent()[0];
    const from = heightOf(FAMILIES[name].weight(rank, bent()[1])) - event.clientY;
    return (moved) => {
      const weight = clamp(weightAt(moved.clientY + from), 1e-6, 1);
      bendTo(FAMILIES[name].place(FAMILIES[name].through(rank, weight)), name);
    };
  };
  const heightOf = (weight) => CURVE.bottom - (CURVE.bottom - CURVE.top) * weight;
  const weightAt = (y) => (CURVE.bottom - y) / (CURVE.bottom - CURVE.top);

  const plotted = svg("svg", { role: "img" });
  const grip = make("span", { class: "bend-grip", title: "Drag it up or down: the discount bends", "aria-hidden": "true" });
  const cut = make("span", {
    class: "nx-handle bend-cut", role: "slider", tabindex: 0, "aria-label": "Cutoff k", "aria-valuemin": 1, "aria-valuemax": n + 1,
    title: "The cutoff: what stands behind it does not count. Drag it.",
    onkeydown: (event) => {
      const k = model.get("k") ?? n + 1;
      step(event, { ArrowLeft: k - 1, ArrowDown: k - 1, ArrowRight: k + 1, ArrowUp: k + 1, Home: 1, End: Infinity }, cutAt);
    },
  });
  const plot = make("div", { class: "bend-plot" }, plotted, grip, cut);
  const lined = svg("svg", { "aria-hidden": "true" });
  const thumb = make("span", {
    class: "bend-thumb", role: "slider", tabindex: 0, "aria-valuemin": 0, title: "How steep. Drag it, or use the arrow keys",
    onkeydown: (event) => {
      const [name, at] = bent();
      const u = FAMILIES[name].place(at);
      const by = event.shiftKey ? 0.01 : 0.05;
      step(event, { ArrowLeft: u - by, ArrowDown: u - by, ArrowRight: u + by, ArrowUp: u + by, PageDown: u - 0.25, PageUp: u + 0.25, Home: 0, End: Infinity }, bendTo);
    },
  });
  const strip = make("div", { class: "bend-strip" }, lined, thumb);
  const step = (event, keys, act) => {
    if (!(event.key in keys) || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    act(keys[event.key]);
  };
  const width = () => plot.clientWidth || 640;
  const across = (i) => LEFT + ((width() - LEFT - RIGHT) * i) / n; // the right end of rank i
  const along = (u, name) => LEFT + ((width() - LEFT - RIGHT) * u) / span(name);
  const inside = (element, x) => x - element.getBoundingClientRect().left;

  drags(grip, false, takeCurve);
  drags(plotted, false, (event) => { // a mouse may take the curve anywhere; a finger scrolls there
    const [x, y] = [inside(plot, event.clientX), event.clientY - plot.getBoundingClientRect().top];
    if (event.pointerType !== "mouse" || n < 2 || y > CURVE.bottom + 4) return undefined;
    event.preventDefault();
    rank = Math.max(2, Math.min(n, Math.ceil(((x - LEFT) * n) / (width() - LEFT - RIGHT))));
    draw();
    return takeCurve(event);
  });
  drags(cut, true, () => (moved) => {
    const x = inside(plot, moved.clientX);
    cutAt(x > across(n) + 14 ? Infinity : Math.round(((x - LEFT) * n) / (width() - LEFT - RIGHT)));
  });
  const slideTo = (x, name = bent()[0]) => bendTo(((x - LEFT) * span(name)) / (width() - LEFT - RIGHT), name);
  drags(strip, true, (event) => {
    const [name, at] = bent();
    const from = event.target === thumb ? along(FAMILIES[name].place(at), name) - inside(strip, event.clientX) : 0;
    event.preventDefault();
    thumb.focus({ focusVisible: false });
    return (moved) => slideTo(inside(strip, moved.clientX) + from, name);
  });
  strip.addEventListener("click", (event) => { // unless a drag ends in it
    if (event.target !== thumb && !dragged) slideTo(inside(strip, event.clientX));
  });

  const presets = PRESETS.map(([text, discount, title]) =>
    make("button", { type: "button", title, onclick: () => set({ discount }) }, text));
  const reset = make("button", { type: "button", title: "As it was when the page was opened", onclick: () => set(first) }, "reset");
  const boxes = ["a", "b", "gap"].map((of) => {
    const [term, figure] = [make("span", { class: "nx-term" }), make("span", { class: "nx-figure" })];
    return { of, term, figure, box: make("div", {}, term, figure) };
  });
  const said = make("p", { class: "bend-said" });
  const { live, say: sayOnce, silence } = speaker(300);
  const say = () => sayOnce(() => said.textContent);
  const root = frame("nx bend", "A discount to bend",
    make("p", { class: "nx-hint" }, "Take the curve and bend it. Pale is what a result is worth, blue what its rank leaves of it: who is ahead, A or B?"),
    make("div", { class: "bend-presets", role: "group", "aria-label": "Discounts" }, ...presets, reset),
    plot, strip, make("div", { class: "nx-numbers" }, ...boxes.map(({ box }) => box)), said, live);
  el.append(root);

  const faded = (i, k) => (i < (k ?? Infinity) ? {} : { class: "bend-out" });

  function drawPlot({ a, b, gains, discount, k }, { weights }) {
    const [name, at] = formOf(discount);
    const { weight, told } = FAMILIES[name];
    const column = across(1) - across(0);
    const middle = (i) => across(i) - column / 2;
    const wide = Math.min(36, column * 0.62);
    const smooth = Array.from({ length: 8 * (n - 1) + 1 }, (_, j) => 1 + j / 8).filter((i) => k === null || i <= Math.max(1, k));
    const every = [1, 2, 5, 10].find((step) => step * column > 18) ?? 20; // ranks that have room for their number
    const parts = [
      svgText(LEFT - 8, heightOf(1) + 4, "1", { "text-anchor": "end" }),
      ...[0, 1].map((w) => svgLine(LEFT, heightOf(w), across(n), heightOf(w), { class: "nx-axis" })),
      svgText(LEFT, 13, `what rank i weighs: ${told(at)}`),
    ];
    for (let i = 1; i <= n; i += 1) {
      const w = weight(i, at);
      parts.push(svg("rect", { class: i > (k ?? Infinity) ? "bend-weight bend-out" : "bend-weight", x: middle(i) - wide / 2, y: heightOf(w), width: wide, height: CURVE.bottom - heightOf(w), rx: 2 }));
      if (i % every === 0 || (i === 1 && every > 2)) parts.push(svgText(middle(i), CURVE.bottom + 15, String(i), { "text-anchor": "middle", ...faded(i - 1, k) }));
    }
    parts.push(svgText(LEFT - 8, CURVE.bottom + 15, "rank", { "text-anchor": "end" }));
    parts.push(svg("polyline", { points: smooth.map((i) => `${middle(i)},${heightOf(weight(i, at))}`).join(" ") }));
    const most = Math.max(...gains.pool);
    for (const [which, grades] of [["a", a], ["b", b]]) {
      const { top, bottom } = PANELS[which];
      const tall = (x) => ((bottom - top) * x) / most;
      parts.push(svgText(LEFT - 8, bottom, which.toUpperCase(), { class: "bend-name", "text-anchor": "end" }), svgLine(LEFT, bottom, across(n), bottom, { class: "nx-axis" }));
      gains[which].forEach((g, i) => {
        const x = middle(i + 1) - wide / 2;
        parts.push(svg("g", faded(i, k),
          svg("rect", { class: "bend-gain", x, y: bottom - tall(g), width: wide, height: tall(g), rx: 2 }),
          svg("rect", { class: "bend-part", x, y: bottom - tall(g * weights[i]), width: wide, height: tall(g * weights[i]), rx: 2 }),
          ...(column < 14 ? [] : [svgText(middle(i + 1), bottom - tall(g) - 4, number(grades[i]), { "text-anchor": "middle" })])));
      });
    }
    if (k !== null && k < n + 1) parts.push(svgLine(across(Math.min(k, n)), 20, across(Math.min(k, n)), PANELS.b.bottom + 8, { class: "bend-at" }));
    plotted.replaceChildren(...parts);
    const adds = (which) => gains[which].map((g, i) => number(((g * weights[i]) / most) * 100)).join(", ");
    plotted.setAttribute("aria-label", `Ranks 1 to ${n} weigh ${weights.slice(0, n).map(number).join(", ")}. `
      + `In percent of the best result at rank 1, A adds ${adds("a")}; B adds ${adds("b")}.`);
    grip.hidden = n < 2;
    grip.style.left = `${middle(rank)}px`;
    grip.style.top = `${heightOf(weight(rank, at))}px`;
    cut.textContent = k === null ? "no cut" : `k = ${k}`;
    cut.style.left = `${k === null || k > n ? across(n) + RIGHT / 2 : across(k)}px`;
    cut.setAttribute("aria-valuenow", Math.min(k ?? n + 1, n + 1));
    cut.setAttribute("aria-valuetext", k === null ? "no cut" : String(k));
  }

  function drawStrip(all, { gap }) {
    const [name] = formOf(all.discount);
    const [family, at] = bent();
    const { of, place, value, ticks } = FAMILIES[family];
    const gapAt = (u) => weigh({ ...all, discount: [family, value(u)] }).gap;
    const points = Array.from({ length: 121 }, (_, j) => (span(family) * j) / 120).map((u) => [u, gapAt(u)]);
    const seen = [...points.map(([, g]) => g), gap];
    const [high, low] = [Math.max(0, ...seen), Math.max(0, ...seen.map((g) => -g))];
    const least = Math.max(high, low) / 3 || 1; // both sides have room, and a name
    const [above, below] = [Math.max(high, least), Math.max(low, least)];
    const y = (g) => STRIP.top + ((STRIP.bottom - STRIP.top) * (above - g)) / (above + below);
    const zero = y(0);
    const [start, end] = [along(0, family), along(span(family), family)];
    const path = points.map(([u, g]) => `${along(u, family)},${y(g)}`).join(" ");
    const shown = span(family) > STEEPEST ? [ticks[0], [reach, String(reach)]] : ticks.filter(([u]) => width() > 460 || Number.isInteger(2 * u));
    const rising = (u) => gapAt(Math.min(span(family), u + 0.01)) > gapAt(Math.max(0, u - 0.01));
    lined.replaceChildren(
      svgText(LEFT, 13, `A − B as the discount gets steeper: above the line A is ahead, below it B`, { class: "bend-wide" }),
      svgText(LEFT, 13, `A − B: above the line A is ahead, below it B`, { class: "bend-narrow" }),
      svgText(LEFT - 8, STRIP.top + 10, "A", { class: "bend-name", "text-anchor": "end" }),
      svgText(LEFT - 8, STRIP.bottom - 3, "B", { class: "bend-name", "text-anchor": "end" }),
      svg("polygon", { class: "bend-area", points: `${start},${zero} ${path} ${end},${zero}` }),
      svgLine(start, zero, end, zero, { class: "nx-axis" }),
      ...(name === "log2" ? [svgLine(start, y(gap), end, y(gap), { class: "bend-at" }), svgText(end + 4, y(gap) + 4, "log2")] : []),
      svg("polyline", { points: path }),
      svgText(LEFT - 8, STRIP.bottom + 17, of, { "text-anchor": "end" }),
      ...shown.map(([u, words]) => svgText(along(u, family), STRIP.bottom + 17, words, { "text-anchor": u === 0 ? "start" : "middle" })),
      ...flips(all, family, reach).at.flatMap((there) => {
        const u = place(there);
        const x = along(u, family);
        const left = x > width() * 0.6;
        const under = rising(u) !== left;
        return [svgLine(x, zero - 6, x, zero + 6, { class: "bend-flip" }),
          svgText(x + (left ? -6 : 6), zero + (under ? 15 : -7), `${of} = ${number(there)}`, { class: "bend-name", "text-anchor": left ? "end" : "start" })];
      }),
    );
    const u = place(at);
    thumb.style.left = `${along(u, family)}px`;
    thumb.style.top = `${y(gapAt(u))}px`;
    thumb.classList.toggle("bend-aside", name === "log2");
    thumb.setAttribute("aria-label", family === "power" ? "Exponent β of the discount" : "Patience p, from 1 down to 0");
    thumb.setAttribute("aria-valuemax", span(family));
    thumb.setAttribute("aria-valuenow", u);
    thumb.setAttribute("aria-valuetext", name === "log2" ? "log2" : `${of} = ${number(at)}`);
  }

  function draw() {
    const all = state();
    const [name, at] = formOf(all.discount);
    reach = reachOf(all.discount, reach);
    const m = weigh(all);
    drawPlot(all, m);
    drawStrip(all, m);
    presets.forEach((button, i) => {
      const [kind, there] = formOf(PRESETS[i][1]);
      button.setAttribute("aria-pressed", String(kind === name && (kind !== "power" || there === at)));
    });
    for (const { of, term, figure, box } of boxes) {
      term.textContent = of === "gap" ? "A − B" : `nDCG${all.k === null ? "" : `@${all.k}`} of ${of.toUpperCase()}`;
      figure.textContent = number(Math.abs(m[of]) < CLOSE ? 0 : m[of]);
      box.classList.toggle("bend-ahead", of !== "gap" && Math.abs(m.gap) >= CLOSE && (of === "a") === (m.gap > 0));
    }
    const [who, where] = verdict(all, reach);
    said.replaceChildren(make("b", {}, who), ` ${where}`);
  }

  draw();
  const unwatch = redrawWhenResized(plot, width, draw);
  const deaf = listen(model, Object.fromEntries(KEPT.map((trait) => [`change:${trait}`, draw])));
  return () => {
    deaf();
    unwatch();
    letGo();
    silence();
  };
}

export default { render: show };
