// Sets of queries, drawn from a world where B is better by a known difference, and what each set says. Everything follows
// from five numbers (difference, queries, spread, seed, draws), so a run can be repeated, here and in Python.
import { add, clamp, frame, limit, listen, make, number, redrawWhenResized, speaker, svg, svgLine, svgText, tails } from "./core.js";

export const LIMITS = { difference: [0, 0.1], queries: [5, 200], spread: [0.01, 0.3], draws: [0, 1000], seed: [0, 2 ** 32 - 1] };
const [, MOST_QUERIES] = LIMITS.queries;
const [, MOST_DRAWS] = LIMITS.draws;

// ---- Drawing ----

/** 32 bits from 32 bits, as mulberry32 mixes them. */
function mix(a) {
  let x = Math.imul(a ^ (a >>> 15), a | 1);
  x ^= x + Math.imul(x ^ (x >>> 7), x | 61);
  return (x ^ (x >>> 14)) >>> 0;
}

/** The number at a place of the sequence of a seed, from 0 to below 1. */
export const uniform = (seed, at) => mix((mix(seed) + Math.imul(at + 1, 0x6d2b79f5)) | 0) / 2 ** 32;

/** B − A on each query of one draw: two normal numbers from two uniform ones (Box and Muller). A draw has places of its own,
 * as many as the most queries need: with more queries the first ones stay. */
export function differences({ difference, queries, spread, seed }, draw) {
  const drawn = [];
  for (let at = draw * MOST_QUERIES; drawn.length < queries; at += 2) {
    const radius = spread * Math.sqrt(-2 * Math.log(1 - uniform(seed, at)));
    const angle = 2 * Math.PI * uniform(seed, at + 1);
    drawn.push(difference + radius * Math.cos(angle), difference + radius * Math.sin(angle));
  }
  return drawn.slice(0, queries);
}

/** The mean of differences, their standard deviation, Student's interval and p. */
export function appraise(d, critical = limit(d.length - 1)) {
  const n = d.length;
  const mean = add(d) / n;
  const sd = Math.sqrt(add(d.map((x) => (x - mean) ** 2)) / (n - 1));
  const error = sd / Math.sqrt(n);
  return { mean, sd, low: mean - critical * error, high: mean + critical * error, p: tails(mean / error, n - 1) };
}

/** What each of some draws says. */
export function pile(world, from, to) {
  const critical = limit(world.queries - 1);
  return Array.from({ length: to - from }, (_, i) => appraise(differences(world, from + i), critical));
}

/** How often B was ahead, was found better or worse (0 is outside of the interval: p < 0.05), and how often the truth was missed. */
export function tally(drawn, { difference }) {
  const count = (holds) => drawn.filter(holds).length;
  return {
    won: count(({ mean }) => mean > 0), better: count(({ low }) => low > 0), worse: count(({ high }) => high < 0),
    missed: count(({ low, high }) => difference < low || high < difference),
  };
}

const [STEPS, FAR] = [2000, 4.5]; // of the sum below: a standard deviation 4.5 times the true one has no weight

/** How often p is below 0.05 in the long run. With s the standard deviation of a set, in true ones, that is how often its mean, in
 * true standard errors, is beyond t* s: for each s what is inside is added up, and each s has the weight of its density. */
export function power({ difference, queries, spread }) {
  const [freedom, centre] = [queries - 1, (Math.sqrt(queries) * difference) / spread];
  const critical = limit(freedom);
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

// ---- Words ----

const percent = (share) => `${Math.floor(100 * share + 0.5)} %`;

/** What is seen, in words. */
export function summary({ difference, draws }, { better, worse, missed }, found) {
  const wrong = worse ? ` and ${worse} found A better` : "";
  const seen = draws ? `${better} of ${draws} draws found B better with p < 0.05${wrong}; ${missed} interval${missed === 1 ? "" : "s"} missed the true difference ${difference}.`
    : "Nothing has been drawn yet.";
  return `${seen} In the long run ${percent(found)} have p < 0.05: ${difference ? "that is the power" : "all of them false alarms"}.`;
}

// ---- The widget ----

const SLIDERS = { difference: ["true difference", 0.001], queries: ["queries", 1], spread: ["spread", 0.001] };
const [FIRST, LAST] = [-0.1, 0.2]; // of the axis, which stays, so that intervals are seen to shrink
const [SHOWN, ROW] = [100, 2.6]; // the latest draws, and how high each lies
const PLOT = { top: 24, bottom: 24 + SHOWN * ROW, ticks: 24 + SHOWN * ROW + 17, side: 12 };
const EVERY = 110; // milliseconds between two draws

function show({ model, el }) {
  const state = () => Object.fromEntries(Object.keys(LIMITS).map((name) => [name, model.get(name)]));
  const set = (changes) => {
    for (const [name, value] of Object.entries(changes)) model.set(name, value);
    model.save_changes();
    say();
  };
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
    if (model.get("draws") >= MOST_DRAWS) stop();
  };
  const toggle = () => {
    if (playing !== null) { stop(); return; }
    playing = setInterval(tick, EVERY);
    play.textContent = "pause";
    tick();
  };
  const button = (words, title, onclick, kind) => make("button", { type: "button", title, onclick, class: kind }, words);
  const play = button("play", "Draw one set of queries after another", toggle, "noise-play");
  const acts = make("div", { class: "noise-acts" }, play,
    button("draw one", "Draw one set of queries", () => drawMore(1)),
    button("draw 100", "Draw a hundred sets at once", () => drawMore(100)),
    button("start over", "Clear the pile; what is drawn next are other queries", () => { stop(); startOver(0); }));
  const still = matchMedia("(prefers-reduced-motion: reduce)");
  const rest = () => { // who wants no motion draws by hand
    if (still.matches) stop();
    play.hidden = still.matches;
  };

  const sliders = Object.fromEntries(Object.entries(SLIDERS).map(([name, [words, step]]) => {
    const [min, max] = LIMITS[name];
    const input = make("input", { type: "range", min, max, step, "aria-label": words, oninput: () => set({ [name]: Number(input.value) }) });
    const value = make("span", { class: "nx-k" });
    return [name, { input, value, label: make("label", {}, make("span", { class: "noise-name" }, words), input, value) }];
  }));
  const drawing = svg("svg", { role: "img" });
  const plot = make("div", { class: "noise-plot" }, drawing);
  const width = () => plot.clientWidth || 640;
  const BOXES = { draws: "draws", won: "B ahead", found: "p < 0.05", missed: "missed the truth", power: "" };
  const terms = Object.fromEntries(Object.entries(BOXES).map(([name, words]) => [name, make("span", { class: "nx-term" }, words)]));
  const figures = Object.fromEntries(Object.keys(BOXES).map((name) => [name, make("span", { class: "nx-figure" })]));
  const numbers = make("div", { class: "nx-numbers noise-numbers" }, ...Object.keys(BOXES).map((name) => make("div", { class: `noise-${name}` }, terms[name], figures[name])));
  const last = make("p", { class: "noise-last" });
  const said = make("p", { class: "noise-said" });
  const { live, say: sayOnce, silence } = speaker(400); // once it rests: while it plays nothing is read out
  const say = () => sayOnce(() => said.textContent);
  const key = (kind, words) => make("span", { class: "noise-key" }, make("i", { class: `noise-${kind}` }), words);
  const root = frame("nx noise", "Sets of queries drawn from a world where B is better by a known difference",
    make("p", { class: "nx-hint" }, `Each line is the 95 % interval of B − A from one set of queries; the latest ${SHOWN} are shown.`,
      make("span", { class: "noise-keys" }, key("found", "p < 0.05"), " ", key("open", "0 is inside"), " ", key("miss", "misses the truth"))),
    make("div", { class: "nx-controls noise-controls" }, ...Object.values(sliders).map(({ label }) => label)),
    acts, plot, last, numbers, said, live);
  el.append(root);

  let [drawn, drawnIn, found] = [[], "", 0]; // what was drawn, in which world, and its power
  function catchUp({ draws, ...world }) {
    const there = JSON.stringify(world);
    if (there !== drawnIn) [drawn, drawnIn, found] = [[], there, power(world)];
    drawn = draws < drawn.length ? drawn.slice(0, draws) : drawn.concat(pile(world, drawn.length, draws));
  }

  function drawPile({ difference, draws }) {
    const across = (x) => clamp(((x - FIRST) / (LAST - FIRST)) * width(), 1, width() - 1);
    const rows = drawn.slice(-SHOWN).map(({ low, high, mean }, i, { length }) => {
      const y = PLOT.bottom - (i + 0.5) * ROW;
      const missed = difference < low || high < difference;
      const kind = missed ? "noise-miss" : low > 0 || high < 0 ? "noise-found" : "noise-open";
      const landing = playing !== null && i === length - 1 ? " noise-landing" : "";
      return svg("g", { class: kind + landing }, svgLine(across(low) - 0.5, y, across(high) + 0.5, y, {}), svg("circle", { cx: across(mean), cy: y, r: 1.5 }));
    });
    const truth = across(difference);
    drawing.replaceChildren(
      svgLine(across(0), PLOT.top, across(0), PLOT.bottom, { class: "noise-zero" }), ...rows,
      svgLine(truth, PLOT.top - 6, truth, PLOT.bottom, { class: "noise-truth" }),
      svgText(truth, PLOT.side, `truth ${difference}`, { "text-anchor": "middle", class: "noise-true" }),
      svgText(0, PLOT.side, "← A better"), svgText(width(), PLOT.side, "B better →", { "text-anchor": "end" }),
      svgLine(0, PLOT.bottom, width(), PLOT.bottom, { class: "noise-axis" }),
      ...[-0.1, 0, 0.1, 0.2].map((x) => svgText(across(x), PLOT.ticks, String(x).replace("-", "−"), { "text-anchor": x === FIRST ? "start" : x === LAST ? "end" : "middle" })),
    );
    drawing.setAttribute("aria-label", `${draws > SHOWN ? `The latest ${SHOWN}` : draws} of ${draws} intervals of B − A, on an axis from −0.1 to 0.2, with lines at 0 and at the truth, ${difference}.`);
  }

  function draw() {
    const now = state();
    catchUp(now);
    drawPile(now);
    for (const [name, { input, value }] of Object.entries(sliders)) {
      input.value = now[name];
      value.textContent = name === "queries" ? now[name] : now[name].toFixed(3);
    }
    const counts = tally(drawn, now);
    const share = (count) => (now.draws ? `${count} (${percent(count / now.draws)})` : "0");
    const shown = { draws: now.draws, won: share(counts.won), found: share(counts.better + counts.worse), missed: share(counts.missed), power: percent(found) };
    for (const [name, words] of Object.entries(shown)) figures[name].textContent = words;
    terms.power.textContent = now.difference ? "power" : "false alarms";
    const latest = drawn.at(-1);
    last.textContent = latest ? `Draw ${now.draws}: B − A is ${number(latest.mean)}, 95 % interval ${number(latest.low)} to ${number(latest.high)}, p ${latest.p < 0.0005 ? "< 0.001" : `= ${number(latest.p)}`}.`
      : "Each draw has its own queries.";
    said.textContent = summary(now, counts, found);
  }

  rest();
  draw();
  still.addEventListener("change", rest);
  const unwatch = redrawWhenResized(plot, width, draw);
  const deaf = listen(model, Object.fromEntries(Object.keys(LIMITS).map((name) => [`change:${name}`, draw])));
  return () => {
    stop();
    deaf();
    unwatch();
    silence();
    still.removeEventListener("change", rest);
  };
}

export default { render: show };
