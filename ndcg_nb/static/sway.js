// The difference of two systems on each query, to drag, and the tests that watch. Sums are counted in millionths, so that
// two sums that are equal are equal.
import { add, begin, button, chance, change, clamp, figures, frame, hold, listed, make, minus, number, onKey, pairedT, scaleTo, setAria, speaker, svg, svgLine, svgText, thousands } from "./core.js";

const UNIT = 1e6;
const units = (differences) => differences.map((x) => Math.round(x * UNIT));

// All 2^n sums one gets by swapping A and B in some of the queries: swapped, a difference has the other sign.
export function swaps(millionths) {
  let sums = [0];
  for (const x of millionths) sums = [...sums.map((s) => s - x), ...sums.map((s) => s + x)];
  return sums;
}

// The chance that a fair coin falls as unevenly.
const choose = (n, k) => (k ? (choose(n, k - 1) * (n - k + 1)) / k : 1);
const coin = (n, fewer) => Math.min(1, (2 * add(Array.from({ length: fewer + 1 }, (_, j) => choose(n, j)))) / 2 ** n);

// The mean with its interval, and p of three tests.
export function appraise(differences) {
  const millionths = units(differences);
  const total = add(millionths);
  const far = swaps(millionths).filter((s) => Math.abs(s) >= Math.abs(total)).length;
  const [wins, losses] = [millionths.filter((x) => x > 0).length, millionths.filter((x) => x < 0).length];
  const { mean, low, high, p } = pairedT(millionths);
  return {
    mean: mean / UNIT, low: low / UNIT, high: high / UNIT, wins, ties: millionths.length - wins - losses, losses, far, of: 2 ** millionths.length,
    t: p, randomization: far / 2 ** millionths.length, sign: coin(wins + losses, Math.min(wins, losses)),
  };
}

const ENDS = [0.025, 0.05, 0.1, 0.25, 0.5, 1]; // where an axis can end
const BINS = 25; // to each side of the middle one
export const axisEnd = (x) => ENDS.find((end) => end >= x) ?? 1;

// How far the axis of means must reach: to every sum, and to the interval unless that is very wide.
export function needed(differences, { low, high }) {
  const most = add(differences.map(Math.abs)) / differences.length;
  return Math.max(most, Math.min(Math.max(-low, high), 3 * most));
}

// How many means fall in each bin, and how many of these are as far out as the observed one; a mean between two bins
// goes outwards, on both sides.
export function histogram(differences, half) {
  const millionths = units(differences);
  const far = Math.abs(add(millionths));
  const bin = Math.round((half * millionths.length * UNIT) / BINS);
  const [all, out] = [0, 0].map(() => new Array(2 * BINS + 1).fill(0));
  for (const s of swaps(millionths)) {
    const at = BINS + Math.sign(s) * Math.min(BINS, Math.floor(Math.abs(s) / bin + 0.5));
    all[at] += 1;
    out[at] += Math.abs(s) >= far;
  }
  return { all, out };
}

const short = (x) => minus(Number(x.toFixed(4)));
const TESTS = { t: "the t-test", randomization: "randomisation", sign: "the sign test" };
const BOXES = { mean: "mean", interval: "95% interval", t: "p, t", randomization: "p, randomisation", sign: "p, sign", tally: "won, tied, lost" };

// Who is ahead, and which of the tests would say so.
export function verdict([a, b], m) {
  const who = m.mean === 0 ? `${a} and ${b} tie.` : `${m.mean > 0 ? b : a} is ahead by ${number(Math.abs(m.mean))}.`;
  const [sure, not] = [true, false].map((yes) => Object.keys(TESTS).filter((name) => (m[name] < 0.05) === yes).map((name) => TESTS[name]));
  if (!sure.length) return [who, "No test has p below 0.05."];
  return [who, `p is below 0.05 by ${listed(sure)}${not.length ? `, not by ${listed(not)}` : ""}.`];
}

// ---- The pictures ----

const [LEFT, RIGHT] = [34, 8];
const PLOT = { top: 22, bottom: 200, high: 238 };
const SWAPS = { top: 14, bottom: 104, line: 136, ticks: 168 };
const heightOf = (x, reach) => (PLOT.top + PLOT.bottom) / 2 - ((PLOT.bottom - PLOT.top) / 2) * (x / reach);

// A bar for each query.
function drawBars(plotted, differences, queries, reach, width) {
  const column = (width - LEFT - RIGHT) / queries.length;
  const wide = Math.min(34, column * 0.62);
  const fits = queries.every((query) => query.length * 7 < column - 2);
  const y = (x) => heightOf(x, reach);
  const bar = (x, i) => {
    const [middle, top, bottom] = [LEFT + column * (i + 0.5), y(Math.max(x, 0)), y(Math.min(x, 0))];
    const label = column < 32 ? minus(x.toFixed(2)).replace("0.", ".") : minus(x.toFixed(2));
    return [svg("rect", { class: x > 0 ? "sway-won" : "sway-lost", x: middle - wide / 2, y: top, width: wide, height: bottom - top, rx: 2 }),
      svgText(middle, x < 0 ? bottom + 20 : top - 11, label, { "text-anchor": "middle", class: "sway-value" }),
      svgText(middle, PLOT.high - 4, fits ? queries[i] : i + 1, { "text-anchor": "middle" })];
  };
  scaleTo(plotted, width, 240);
  plotted.replaceChildren(
    ...[reach, reach / 2, -reach / 2, -reach].map((x) => svgLine(LEFT, y(x), width - RIGHT, y(x), { class: "sway-grid" })),
    ...[reach, reach / 2, 0, -reach / 2, -reach].map((x) => svgText(LEFT - 6, y(x) + 4, short(x), { "text-anchor": "end" })),
    ...differences.flatMap(bar), svgLine(LEFT, y(0), width - RIGHT, y(0), { class: "sway-zero" }),
  );
}

// The means of all swaps, and ours with its interval below them.
function drawSwaps(drawn, differences, [a, b], m, half, width) {
  const { all, out } = histogram(differences, half);
  const [start, end] = [LEFT, width - RIGHT];
  const centre = (start + end) / 2;
  const across = (x) => centre + ((end - start) / 2) * (x / half) * (BINS / (BINS + 0.5)); // the last bin has its room
  const wide = (end - start) / (2 * BINS + 1);
  const tall = (count) => ((SWAPS.bottom - SWAPS.top) * count) / Math.max(...all);
  const bar = (kind, count, below, j) => svg("rect", { class: kind, x: start + j * wide + 0.5, width: Math.max(1, wide - 1), y: SWAPS.bottom - tall(below + count), height: tall(count) });
  const ending = (x, way) => { // of the interval, which may go on beyond the axis
    const at = clamp(across(x), start, end);
    return at === across(x) ? svgLine(at, SWAPS.line - 6, at, SWAPS.line + 6, { class: "sway-interval" })
      : svg("path", { class: "sway-more", d: `M${at} ${SWAPS.line - 6}v12l${7 * way} -6z` });
  };
  const [low, high] = [m.low, m.high].map((x) => clamp(across(x), start, end));
  scaleTo(drawn, width, 174);
  drawn.replaceChildren(
    svgLine(centre, SWAPS.top - 8, centre, SWAPS.ticks - 12, { class: "sway-grid" }),
    ...all.flatMap((count, j) => [bar("sway-in", count - out[j], out[j], j), bar("sway-out", out[j], 0, j)]).filter((x) => x.getAttribute("height") > 0),
    svgLine(start, SWAPS.bottom, end, SWAPS.bottom, { class: "sway-zero" }),
    svgLine(across(-m.mean), SWAPS.top - 8, across(-m.mean), SWAPS.bottom, { class: "sway-other" }),
    svgLine(across(m.mean), SWAPS.top - 8, across(m.mean), SWAPS.line, { class: "sway-mean" }),
    svgLine(low, SWAPS.line, high, SWAPS.line, { class: "sway-interval" }), ending(m.low, -1), ending(m.high, 1),
    svg("circle", { cx: across(m.mean), cy: SWAPS.line, r: 5 }),
    ...[-1, -0.5, 0, 0.5, 1].map((x) => svgText(across(x * half), SWAPS.ticks, short(x * half), { "text-anchor": "middle" })),
    svgText(start, SWAPS.top, `← ${a}`, { class: "sway-side" }), svgText(end, SWAPS.top, `${b} →`, { class: "sway-side", "text-anchor": "end" }),
  );
  setAria(drawn, { label: `The means of all ${thousands(m.of)} swaps, from ${short(-half)} to ${short(half)}; ${thousands(m.far)} of them at least ${number(Math.abs(m.mean))} from 0. `
    + `Below, the mean ${number(m.mean)} with its interval from ${number(m.low)} to ${number(m.high)}.` });
}

// ---- The widget ----

function show(host) {
  const { model } = host;
  const [names, queries, first] = ["names", "queries", "differences"].map((name) => model.get(name));
  const [a, b] = names;
  let [reach, half] = [0, 0]; // of the bars, and of the means: they only grow, so that nothing jumps under a hand
  const set = (differences) => {
    change(model, { differences });
    say(() => `${sentence.textContent} ${counted.lastChild.textContent.slice(2)}`);
  };
  const put = (i, x) => { // in hundredths, which can be read
    const to = Math.round(clamp(x, -reach, reach) * 100) / 100 + 0; // no −0
    if (model.get("differences")[i] !== to) set(model.get("differences").with(i, to));
  };
  const newKnob = (query, i) => make("span", {
    class: "sway-knob", role: "slider", tabindex: 0, "aria-orientation": "vertical", "aria-label": `Query ${query}, ${b} less ${a}`, title: query,
    onkeydown: (event) => {
      const x = model.get("differences")[i];
      onKey(event, { ArrowUp: x + 0.01, ArrowRight: x + 0.01, ArrowDown: x - 0.01, ArrowLeft: x - 0.01, PageUp: x + 0.1, PageDown: x - 0.1, Home: -reach, End: reach }, (to) => put(i, to));
    },
  });
  const [plotted, drawn] = [svg("svg", { "aria-hidden": "true" }), svg("svg", { role: "img" })];
  const knobs = queries.map(newKnob);
  const plot = make("div", { class: "sway-plot", role: "group", "aria-label": `Differences by query, ${b} less ${a}` }, plotted, ...knobs);
  const width = () => plot.clientWidth || 640;
  const column = () => (width() - LEFT - RIGHT) / queries.length;

  // A mouse may take a column anywhere; a finger takes the knob, and scrolls beside it.
  plot.addEventListener("pointerdown", (event) => {
    const under = Math.floor((event.clientX - plot.getBoundingClientRect().left - LEFT) / column());
    const i = knobs.includes(event.target) ? knobs.indexOf(event.target) : event.pointerType === "mouse" ? under : -1;
    if (event.button || !(i in knobs)) return;
    event.preventDefault();
    knobs[i].focus({ focusVisible: false });
    const before = model.get("differences");
    const [at, per] = [event.clientY, (2 * reach) / (PLOT.bottom - PLOT.top)];
    const move = (to) => { if (to.pointerId === event.pointerId && to.clientY !== at) put(i, before[i] + (at - to.clientY) * per); };
    hold([[knobs[i], "sway-held"], [root, "sway-dragging"]], move, () => set(before));
  });

  const reset = button("reset", () => {
    [reach, half] = [0, 0];
    set(first);
  }, "As it was when the page was opened");
  const numbers = figures(BOXES, "sway");
  const [counted, sentence] = [make("p", { class: "sway-counted" }), make("p", { class: "sway-said" })];
  const { live, say } = speaker(300);
  const root = frame("nx sway", "Differences to drag, and what tests say of them",
    make("div", { class: "sway-top" }, make("p", { class: "nx-hint" },
      `A bar is a query: above the line ${b} is better, below it ${a}. Drag one up or down, or reach it with Tab and press ↑\u00a0↓.`), reset),
    plot, counted, make("div", { class: "sway-swaps" }, drawn), numbers.row, sentence, live);

  function drawKnob(knob, x, i) {
    knob.style.cssText = `left: ${LEFT + column() * (i + 0.5)}px; top: ${heightOf(x, reach)}px; --room: ${Math.min(14, (column() - 14) / 2)}px`;
    knob.classList.toggle("sway-under", x <= 0);
    setAria(knob, { valuemin: -reach, valuemax: reach, valuenow: x, valuetext: `${short(x)}: ${x ? `${x > 0 ? b : a} is better` : "a tie"}` });
  }
  function draw() {
    const differences = model.get("differences");
    const m = appraise(differences);
    const most = Math.max(...differences.map(Math.abs));
    const need = needed(differences, m);
    reach = reach ? Math.max(reach, axisEnd(most)) : Math.max(0.1, axisEnd(2.5 * most));
    half = half ? Math.max(half, axisEnd(need)) : axisEnd(1.7 * need);
    drawBars(plotted, differences, queries, reach, width());
    knobs.forEach((knob, i) => drawKnob(knob, differences[i], i));
    drawSwaps(drawn, differences, names, m, half, width());
    const shown = { mean: number(m.mean), interval: `${minus(m.low.toFixed(3))} to ${minus(m.high.toFixed(3))}`, tally: `${m.wins}, ${m.ties}, ${m.losses}` };
    numbers.show(Object.fromEntries(Object.keys(BOXES).map((name) => [name, shown[name] ?? chance(m[name])])));
    for (const name of Object.keys(TESTS)) numbers.parts[name].figure.classList.toggle("sway-low", m[name] < 0.05);
    counted.replaceChildren(`If ${a} and ${b} were alike, any query might have come out the other way round. Of all ${thousands(m.of)} ways, `,
      make("b", {}, `${thousands(m.far)} have a mean at least as far from 0`), `: ${thousands(m.far)} of ${thousands(m.of)} = ${chance(m.randomization)}.`);
    const [who, tests] = verdict(names, m);
    sentence.replaceChildren(make("b", {}, who), ` ${tests}`);
  }

  return begin(host, root, ["differences"], draw, plot);
}

export default { render: show };
