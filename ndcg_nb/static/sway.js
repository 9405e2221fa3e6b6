// What each query says of B against A, to drag, and the tests that watch. Everything is counted here, in millionths, so
// that two sums that are equal are equal.
import { add, clamp, frame, hold, limit, listed, listen, make, number, redrawWhenResized, speaker, svg, svgLine, svgText, tails } from "./core.js";

const UNIT = 1e6;
const units = (x) => Math.round(x * UNIT);

/** All 2^n sums one gets by swapping A and B in some of the queries: swapped, a difference has the other sign. */
export function swaps(whole) {
  const sums = new Int32Array(2 ** whole.length);
  let size = 1;
  for (const x of whole) {
    for (let j = 0; j < size; j += 1) {
      sums[j + size] = sums[j] + x;
      sums[j] -= x;
    }
    size *= 2;
  }
  return sums;
}

/** As many heads of a fair coin, or more, or as many tails. */
function coin(wins, losses) {
  const n = wins + losses;
  let [ways, sum] = [1, 0]; // of n, none
  for (let j = 0; j <= Math.min(wins, losses); j += 1) {
    sum += ways;
    ways *= (n - j) / (j + 1);
  }
  return Math.min(1, (2 * sum) / 2 ** n);
}

/** The mean with its interval, and p of three tests. */
export function appraise(differences) {
  const whole = differences.map(units);
  const n = whole.length;
  const total = add(whole);
  const spread = n * add(whole.map((x) => x * x)) - total * total; // n² times their variance, exactly
  const far = swaps(whole).reduce((count, s) => count + (Math.abs(s) >= Math.abs(total)), 0);
  const [wins, losses] = [whole.filter((x) => x > 0).length, whole.filter((x) => x < 0).length];
  const mean = total / (n * UNIT);
  const error = Math.sqrt(spread / (n - 1)) / (n * UNIT);
  const wide = limit(n - 1) * error;
  return {
    mean, low: mean - wide, high: mean + wide, wins, ties: n - wins - losses, losses, far, of: 2 ** n,
    t: spread ? tails(total * Math.sqrt((n - 1) / spread), n - 1) : total ? NaN : 1, randomization: far / 2 ** n, sign: coin(wins, losses),
  };
}

const HALVES = [0.025, 0.05, 0.1, 0.25, 0.5, 1]; // where an axis can end
const BINS = 25; // to each side of the middle one
export const least = (x) => HALVES.find((half) => half >= x) ?? 1;

/** How far the axis of means must reach: to every sum, and to the interval unless that is very wide. */
export function needed(differences, { low, high }) {
  const most = add(differences.map((x) => Math.abs(units(x)))) / (UNIT * differences.length);
  return Math.max(most, Math.min(Math.max(-low, high), 3 * most));
}

/** How many means fall in each bin, and how many of these lie as far out as the observed one; a mean between two bins
 * goes outwards, on both sides. */
export function histogram(differences, half) {
  const whole = differences.map(units);
  const far = Math.abs(add(whole));
  const bin = Math.round((half * whole.length * UNIT) / BINS);
  const [all, out] = [new Array(2 * BINS + 1).fill(0), new Array(2 * BINS + 1).fill(0)];
  for (const s of swaps(whole)) {
    const at = BINS + Math.sign(s) * Math.min(BINS, Math.floor(Math.abs(s) / bin + 0.5));
    all[at] += 1;
    out[at] += Math.abs(s) >= far;
  }
  return { all, out };
}

const comma = (x) => String(x).replace(/\B(?=(\d{3})+$)/g, ",");
const chance = (p) => (Number.isNaN(p) ? "none" : p < 0.0005 ? "<0.001" : number(p));
const signed = (x, digits) => `${x < 0 ? "−" : ""}${Math.abs(x).toFixed(digits)}`;
const TESTS = { t: "the t-test", randomization: "randomisation", sign: "the sign test" };

/** Who is ahead, and which of the tests would say so. */
export function verdict({ names: [a, b] }, m) {
  const who = m.mean === 0 ? `${a} and ${b} tie.` : `${m.mean > 0 ? b : a} is ahead by ${number(Math.abs(m.mean))}.`;
  const [sure, not] = [true, false].map((yes) => Object.keys(TESTS).filter((name) => (m[name] < 0.05) === yes).map((name) => TESTS[name]));
  if (!sure.length) return [who, "No test has p below 0.05."];
  return [who, `p is below 0.05 by ${listed(sure)}${not.length ? `, not by ${listed(not)}` : ""}.`];
}

const [LEFT, RIGHT] = [34, 8];
const PLOT = { top: 22, bottom: 200, high: 238 };
const SWAPS = { top: 14, bottom: 104, line: 136, ticks: 168 };

function show({ model, el }) {
  const n = model.get("differences").length;
  const names = model.get("names");
  const queries = model.get("queries");
  const [a, b] = names;
  const first = model.get("differences");
  let reach = 0; // of the bars, and of the means: they only grow, so that nothing jumps under a hand
  let half = 0;
  const set = (differences) => {
    model.set("differences", differences);
    model.save_changes();
    say();
  };
  const put = (i, x) => { // in hundredths, which can be read and told
    const differences = [...model.get("differences")];
    const to = Math.round(clamp(x, -reach, reach) * 100) / 100 + 0; // no −0
    if (differences[i] === to) return;
    differences[i] = to;
    set(differences);
  };

  const plotted = svg("svg", { "aria-hidden": "true" });
  const drawn = svg("svg", { role: "img" });
  const knobs = queries.map((query, i) => make("span", {
    class: "sway-knob", role: "slider", tabindex: 0, "aria-orientation": "vertical", "aria-label": `Query ${query}, ${b} less ${a}`, title: query,
    onkeydown: (event) => {
      const x = model.get("differences")[i];
      const keys = { ArrowUp: x + 0.01, ArrowRight: x + 0.01, ArrowDown: x - 0.01, ArrowLeft: x - 0.01, PageUp: x + 0.1, PageDown: x - 0.1, Home: -reach, End: reach };
      if (!(event.key in keys) || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      put(i, keys[event.key]);
    },
  }));
  const plot = make("div", { class: "sway-plot", role: "group", "aria-label": `Differences by query, ${b} less ${a}` }, plotted, ...knobs);
  const width = () => plot.clientWidth || 640;
  const column = () => (width() - LEFT - RIGHT) / n;
  const heightOf = (x) => (PLOT.top + PLOT.bottom) / 2 - ((PLOT.bottom - PLOT.top) / 2) * (x / reach);

  // Dragging, by mouse, pen or finger. A mouse may take a column anywhere; a finger takes the knob, and scrolls beside it.
  let letGo = () => {};
  plot.addEventListener("pointerdown", (event) => {
    const there = Math.floor((event.clientX - plot.getBoundingClientRect().left - LEFT) / column());
    const i = knobs.includes(event.target) ? knobs.indexOf(event.target) : event.pointerType === "mouse" ? there : -1;
    if (event.button || !(i in knobs)) return;
    letGo();
    event.preventDefault();
    knobs[i].focus({ focusVisible: false });
    const before = model.get("differences");
    const [at, per] = [event.clientY, (2 * reach) / (PLOT.bottom - PLOT.top)];
    const move = (to) => {
      if (to.pointerId === event.pointerId && to.clientY !== at) put(i, before[i] + (at - to.clientY) * per);
    };
    letGo = hold([[knobs[i], "sway-held"], [root, "sway-dragging"]], move, () => set(before));
  });

  const reset = make("button", { type: "button", title: "As it was when the page was opened", onclick: () => {
    [reach, half] = [0, 0];
    set(first);
  } }, "reset");
  const BOXES = { mean: "mean", interval: "95 % interval", t: "p, t", randomization: "p, randomisation", sign: "p, sign", tally: "won, tied, lost" };
  const figures = Object.fromEntries(Object.keys(BOXES).map((name) => [name, make("span", { class: "nx-figure" })]));
  const numbers = make("div", { class: "nx-numbers sway-numbers" }, ...Object.entries(BOXES).map(([name, term]) =>
    make("div", { class: `sway-${name}` }, make("span", { class: "nx-term" }, term), figures[name])));
  const counted = make("p", { class: "sway-counted" });
  const said = make("p", { class: "sway-said" });
  const { live, say: sayOnce, silence } = speaker(300);
  const say = () => sayOnce(() => `${said.textContent} ${counted.lastChild.textContent.slice(2)}`);
  const root = frame("nx sway", "Differences to drag, and what tests say of them",
    make("div", { class: "sway-top" }, make("p", { class: "nx-hint" },
      `A bar is a query: above the line ${b} is better, below it ${a}. Drag one up or down, or reach it with Tab and press ↑\u00a0↓.`), reset),
    plot, counted, make("div", { class: "sway-swaps" }, drawn), numbers, said, live);
  el.append(root);

  const short = (x) => `${x < 0 ? "−" : ""}${Number(Math.abs(x).toFixed(4))}`;

  function drawPlot(differences) {
    const wide = Math.min(34, column() * 0.62);
    const middle = (i) => LEFT + column() * (i + 0.5);
    const fits = queries.every((query) => query.length * 7 < column() - 2);
    const zero = heightOf(0);
    plotted.replaceChildren(
      ...[reach, reach / 2, -reach / 2, -reach].flatMap((x) => [
        svgLine(LEFT, heightOf(x), width() - RIGHT, heightOf(x), { class: "sway-grid" }),
        svgText(LEFT - 6, heightOf(x) + 4, short(x), { "text-anchor": "end" })]),
      svgText(LEFT - 6, zero + 4, "0", { "text-anchor": "end" }),
      ...differences.flatMap((x, i) => {
        const [top, bottom] = [heightOf(Math.max(x, 0)), heightOf(Math.min(x, 0))];
        const label = column() < 32 ? signed(x, 2).replace("0.", ".") : signed(x, 2);
        return [
          svg("rect", { class: x > 0 ? "sway-won" : "sway-lost", x: middle(i) - wide / 2, y: top, width: wide, height: bottom - top, rx: 2 }),
          svgText(middle(i), x < 0 ? bottom + 20 : top - 11, label, { "text-anchor": "middle", class: "sway-value" }),
          svgText(middle(i), PLOT.high - 4, fits ? queries[i] : i + 1, { "text-anchor": "middle" }),
        ];
      }),
      svgLine(LEFT, zero, width() - RIGHT, zero, { class: "sway-zero" }),
    );
    knobs.forEach((knob, i) => {
      const x = differences[i];
      knob.style.cssText = `left: ${middle(i)}px; top: ${heightOf(x)}px; --room: ${Math.min(14, (column() - 14) / 2)}px`;
      knob.classList.toggle("sway-under", x <= 0);
      const told = { valuemin: -reach, valuemax: reach, valuenow: x, valuetext: `${short(x)}: ${x ? `${x > 0 ? b : a} is better` : "a tie"}` };
      for (const [name, value] of Object.entries(told)) knob.setAttribute(`aria-${name}`, value);
    });
  }

  function drawSwaps(differences, m) {
    const { all, out } = histogram(differences, half);
    const [start, end] = [LEFT, width() - RIGHT];
    const centre = (start + end) / 2;
    const across = (x) => centre + ((end - start) / 2) * (x / half) * (BINS / (BINS + 0.5)); // the last bin has its room
    const wide = (end - start) / (2 * BINS + 1);
    const tall = (count) => ((SWAPS.bottom - SWAPS.top) * count) / Math.max(...all);
    const bars = all.flatMap((count, j) => {
      const x = start + j * wide + 0.5;
      const bar = (name, many, from) => svg("rect", { class: name, x, width: Math.max(1, wide - 1), y: SWAPS.bottom - tall(from + many), height: tall(many) });
      return [[count - out[j], "sway-in", out[j]], [out[j], "sway-out", 0]].filter(([many]) => many).map(([many, name, from]) => bar(name, many, from));
    });
    const [low, high] = [m.low, m.high].map((x) => clamp(across(x), start, end));
    const ending = (x, at, way) => (x === at ? svgLine(x, SWAPS.line - 6, x, SWAPS.line + 6, { class: "sway-interval" })
      : svg("path", { class: "sway-more", d: `M${x} ${SWAPS.line - 6}v12l${7 * way} -6z` })); // it goes on
    const ticks = [-1, -0.5, 0, 0.5, 1].map((x) => x * half);
    drawn.replaceChildren(
      svgLine(centre, SWAPS.top - 8, centre, SWAPS.ticks - 12, { class: "sway-grid" }), ...bars,
      svgLine(start, SWAPS.bottom, end, SWAPS.bottom, { class: "sway-zero" }),
      ...(m.mean ? [svgLine(across(-m.mean), SWAPS.top - 8, across(-m.mean), SWAPS.bottom, { class: "sway-other" })] : []),
      svgLine(across(m.mean), SWAPS.top - 8, across(m.mean), SWAPS.line, { class: "sway-mean" }),
      svgLine(low, SWAPS.line, high, SWAPS.line, { class: "sway-interval" }),
      ending(low, across(m.low), -1), ending(high, across(m.high), 1),
      svg("circle", { cx: across(m.mean), cy: SWAPS.line, r: 5 }),
      ...ticks.map((x) => svgText(across(x), SWAPS.ticks, short(x), { "text-anchor": "middle" })),
      svgText(start, SWAPS.top, `← ${a}`, { class: "sway-side" }), svgText(end, SWAPS.top, `${b} →`, { class: "sway-side", "text-anchor": "end" }),
    );
    drawn.setAttribute("aria-label", `The means of all ${comma(m.of)} swaps, from ${short(-half)} to ${short(half)}; ${comma(m.far)} of them at least ${number(Math.abs(m.mean))} from 0. `
      + `Below, the mean ${number(m.mean)} with its interval from ${number(m.low)} to ${number(m.high)}.`);
  }

  function draw() {
    const differences = model.get("differences");
    const m = appraise(differences);
    const most = Math.max(...differences.map(Math.abs));
    const need = needed(differences, m);
    reach = reach ? Math.max(reach, least(most)) : Math.max(0.1, least(2.5 * most));
    half = half ? Math.max(half, least(need)) : least(1.7 * need);
    drawPlot(differences);
    drawSwaps(differences, m);
    const shown = { mean: number(m.mean), interval: `${signed(m.low, 3)} to ${signed(m.high, 3)}`, tally: `${m.wins}, ${m.ties}, ${m.losses}` };
    for (const name of Object.keys(BOXES)) {
      figures[name].textContent = shown[name] ?? chance(m[name]);
      figures[name].classList.toggle("sway-low", m[name] < 0.05 && name in TESTS);
    }
    counted.replaceChildren(`If ${a} and ${b} were alike, any query might have come out the other way round. Of all ${comma(m.of)} ways, `,
      make("b", {}, `${comma(m.far)} have a mean at least as far from 0`), `: ${comma(m.far)} of ${comma(m.of)} = ${chance(m.randomization)}.`);
    const [who, tests] = verdict({ names }, m);
    said.replaceChildren(make("b", {}, who), ` ${tests}`);
  }

  draw();
  const unwatch = redrawWhenResized(plot, width, draw);
  const deaf = listen(model, { "change:differences": draw });
  return () => {
    deaf();
    unwatch();
    letGo();
    silence();
  };
}

export default { render: show };
