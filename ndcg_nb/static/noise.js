// Sets of queries, drawn from a world where B is better by a known difference, and what each set says. Everything follows
// from five numbers (difference, queries, spread, seed, draws), so a run can be repeated.
import { begin, button, change, clamp, criticalT, figures, frame, make, minus, numberFrom, pairedT, scaleTo, setAria, sharing, slider, speaker, svg, svgLine, svgText, traits } from "./core.js";

const [MOST_QUERIES, MOST_DRAWS] = [200, 1000];

// ---- Drawing ----

// 32 bits from 32 bits, as mulberry32 mixes them.
function mix(a) {
  let x = Math.imul(a ^ (a >>> 15), a | 1);
  x ^= x + Math.imul(x ^ (x >>> 7), x | 61);
  return (x ^ (x >>> 14)) >>> 0;
}

// The number at a place of the sequence of a seed, from 0 to below 1. The seed is mixed first, so that neighbours are far apart.
export const uniform = (seed, at) => mix((mix(seed) + Math.imul(at + 1, 0x6d2b79f5)) | 0) / 2 ** 32;

// B − A on each query of one draw: two normal numbers from two uniform ones (Box and Muller). A draw has places of its own,
// as many as the most queries need: with more queries the first ones stay.
export function differences({ difference, queries, spread, seed }, draw) {
  const drawn = [];
  for (let at = draw * MOST_QUERIES; drawn.length < queries; at += 2) {
    const radius = spread * Math.sqrt(-2 * Math.log(1 - uniform(seed, at)));
    const angle = 2 * Math.PI * uniform(seed, at + 1);
    drawn.push(difference + radius * Math.cos(angle), difference + radius * Math.sin(angle));
  }
  return drawn.slice(0, queries);
}

// What each of some draws says.
export function pile(world, from, to) {
  const critical = criticalT(world.queries - 1);
  return Array.from({ length: to - from }, (_, i) => pairedT(differences(world, from + i), critical));
}

// How often B was ahead, was found better or worse (0 is outside of the interval: p < 0.05), and how often the truth was missed.
export function tally(drawn, { difference }) {
  const count = (holds) => drawn.filter(holds).length;
  return {
    won: count(({ mean }) => mean > 0), better: count(({ low }) => low > 0), worse: count(({ high }) => high < 0),
    missed: count(({ low, high }) => difference < low || high < difference),
  };
}

const [STEPS, FAR] = [2000, 4.5]; // of the sum below: a standard deviation 4.5 times the true one has no weight

// How often p is below 0.05 in the long run. With s the standard deviation of a set, in true ones, that is how often its mean, in
// true standard errors, is beyond t* s: for each s what is inside is added up, and each s has the weight of its density.
export function power({ difference, queries, spread }) {
  const [freedom, centre] = [queries - 1, (Math.sqrt(queries) * difference) / spread];
  const critical = criticalT(freedom);
  const density = (x) => (Math.exp(-((x - centre) ** 2) / 2) + Math.exp(-((x + centre) ** 2) / 2)) / Math.sqrt(2 * Math.PI);
  const step = FAR / STEPS;
  let [inside, weights, outside] = [0, 0, 0];
  for (let i = 1; i <= STEPS; i += 1) {
    const s = i * step;
    inside += ((density(critical * (s - step)) + density(critical * s)) / 2) * critical * step;
    const weight = s ** (freedom - 1) * Math.exp((-freedom * (s * s - 1)) / 2);
    weights += weight;
    outside += weight * (1 - inside);
  }
  return outside / weights;
}

const percent = (share) => `${Math.floor(100 * share + 0.5)}%`;

// What is seen, in words.
export function summary({ difference, draws }, { better, worse, missed }, found) {
  const wrong = worse ? ` and ${worse} found A better` : "";
  const seen = draws ? `${better} of ${draws} draws found B better with p < 0.05${wrong}; ${missed} interval${missed === 1 ? "" : "s"} missed the true difference ${difference}.`
    : "Nothing has been drawn yet.";
  return `${seen} In the long run ${percent(found)} have p < 0.05: ${difference ? "that is the power" : "all of them false alarms"}.`;
}

// ---- The widget ----

const SLIDERS = { difference: ["true difference", [0, 0.1, 0.001]], queries: ["queries", [5, MOST_QUERIES, 1]], spread: ["spread", [0.01, 0.3, 0.001]] };
const WORLD = [...Object.keys(SLIDERS), "seed"];
const [FIRST, LAST] = [-0.1, 0.2]; // of the axis, which stays, so that intervals are seen to shrink
const [SHOWN, ROW] = [100, 2.6]; // the latest draws, and how high each lies
const PLOT = { top: 24, bottom: 24 + SHOWN * ROW, ticks: 24 + SHOWN * ROW + 17, side: 12 };
const EVERY = 110; // milliseconds between two draws

// The latest intervals, one above the other, and the truth.
function drawPile(drawing, drawn, { difference, draws }, width, landing) {
  const across = (x) => clamp(((x - FIRST) / (LAST - FIRST)) * width, 1, width - 1);
  const rows = drawn.slice(-SHOWN).map(({ low, high, mean }, i, { length }) => {
    const y = PLOT.bottom - (i + 0.5) * ROW;
    const missed = difference < low || high < difference;
    const kind = missed ? "noise-miss" : low > 0 || high < 0 ? "noise-found" : "noise-open";
    return svg("g", { class: `${kind}${landing && i === length - 1 ? " noise-landing" : ""}` },
      svgLine(across(low) - 0.5, y, across(high) + 0.5, y), svg("circle", { cx: across(mean), cy: y, r: 1.5 }));
  });
  const [zero, truth] = [across(0), across(difference)];
  const anchor = (x) => (x === FIRST ? "start" : x === LAST ? "end" : "middle");
  scaleTo(drawing, width, 308);
  drawing.replaceChildren(
    svgLine(zero, PLOT.top, zero, PLOT.bottom, { class: "noise-zero" }), ...rows,
    svgLine(truth, PLOT.top - 6, truth, PLOT.bottom, { class: "noise-truth" }),
    svgText(truth, PLOT.side, `truth ${difference}`, { "text-anchor": "middle", class: "noise-true" }),
    svgText(0, PLOT.side, "← A better"), svgText(width, PLOT.side, "B better →", { "text-anchor": "end" }),
    svgLine(0, PLOT.bottom, width, PLOT.bottom, { class: "noise-axis" }),
    ...[-0.1, 0, 0.1, 0.2].map((x) => svgText(across(x), PLOT.ticks, minus(x), { "text-anchor": anchor(x) })),
  );
  setAria(drawing, { label: `${draws > SHOWN ? `The latest ${SHOWN}` : draws} of ${draws} intervals of B − A, on an axis from −0.1 to 0.2, with lines at 0 and at the truth, ${difference}.` });
}

function show(host) {
  const { model } = host;
  const state = () => Object.fromEntries([...WORLD, "draws"].map((name) => [name, model.get(name)]));
  const set = (changes) => { change(model, changes); say(() => sentence.textContent); };
  const startOver = (draws) => set({ seed: (model.get("seed") + 1) % 2 ** 32, draws });
  const drawMore = (count) => { // a full pile makes room
    const draws = model.get("draws");
    if (draws >= MOST_DRAWS) startOver(count);
    else set({ draws: Math.min(MOST_DRAWS, draws + count) });
  };

  let playing = null; // the timer
  const stop = () => {
    clearInterval(playing);
    playing = null;
    play.textContent = "play";
  };
  const tick = () => {
    drawMore(1);
    if (model.get("draws") >= MOST_DRAWS || matchMedia("(prefers-reduced-motion: reduce)").matches) stop();
  };
  const play = button("play", () => {
    if (playing !== null) { stop(); return; }
    playing = setInterval(tick, EVERY);
    play.textContent = "pause";
    tick();
  }, "Draw one set of queries after another");
  play.className = "noise-play";
  const acts = make("div", { class: "noise-acts" }, play, button("draw one", () => drawMore(1), "Draw one set of queries"),
    button("draw 100", () => drawMore(100), "Draw a hundred sets at once"),
    button("start over", () => { stop(); startOver(0); }, "Clear the pile; what is drawn next are other queries"));

  const sliders = Object.fromEntries(Object.entries(SLIDERS).map(([name, [words, ends]]) => [name, slider(words, ends, (x) => set({ [name]: x }))]));
  const drawing = svg("svg", { role: "img" });
  const plot = make("div", { class: "noise-plot" }, drawing);
  const width = () => plot.clientWidth || 640;
  const numbers = figures({ draws: "draws", won: "B ahead", found: "p < 0.05", missed: "missed the truth", power: "power" }, "noise");
  const sentence = make("p", { class: "noise-said" });
  const { live, say } = speaker(400); // once it rests: while it plays nothing is read out
  const key = (kind, words) => make("span", { class: "noise-key" }, make("i", { class: `noise-${kind}` }), words);
  const root = frame("nx noise", "Sets of queries drawn from a world where B is better by a known difference",
    make("p", { class: "nx-hint" }, `Each line is the 95% interval of B − A from one set of queries; the latest ${SHOWN} are shown.`,
      make("span", { class: "noise-keys" }, key("found", "p < 0.05"), " ", key("open", "0 is inside"), " ", key("miss", "misses the truth"))),
    make("div", { class: "nx-controls noise-controls" }, ...Object.values(sliders).map(({ label }) => label)),
    acts, plot, numbers.row, sentence, live);

  let [drawn, drawnIn, found] = [[], "", 0]; // what was drawn, in which world, and its power
  function catchUp({ draws, ...world }) {
    const here = JSON.stringify(world);
    if (here !== drawnIn) [drawn, drawnIn, found] = [[], here, power(world)];
    drawn = draws < drawn.length ? drawn.slice(0, draws) : drawn.concat(pile(world, drawn.length, draws));
  }
  function draw() {
    const now = state();
    catchUp(now);
    drawPile(drawing, drawn, now, width(), playing !== null);
    for (const [name, { show: put }] of Object.entries(sliders)) put(now[name], name === "queries" ? String(now[name]) : now[name].toFixed(3));
    const counts = tally(drawn, now);
    const share = (count) => (now.draws ? `${count} (${percent(count / now.draws)})` : "0");
    numbers.show({ draws: now.draws, won: share(counts.won), found: share(counts.better + counts.worse), missed: share(counts.missed), power: percent(found) });
    numbers.parts.power.term.textContent = now.difference ? "power" : "false alarms";
    sentence.textContent = summary(now, counts, found);
  }

  const leave = begin(host, root, [...WORLD, "draws"], draw, plot);
  return () => { stop(); leave(); };
}

const [difference, queries, spread] = Object.values(SLIDERS).map(([, [low, high]]) => numberFrom(low, high, low === 5));
export default { render: show, share: sharing(traits({ difference, queries, spread, seed: numberFrom(0, 2 ** 32 - 1, true), draws: numberFrom(0, MOST_DRAWS, true) })) };
