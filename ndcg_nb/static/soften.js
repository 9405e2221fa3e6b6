// Scores one can drag, the list they make, and the soft list that a temperature makes of it.
// Python sends documents with their gains; this file computes ranks, soft ranks, the measures and their slopes.
import { add, begin, button, change, clamp, dcg, falling, figures, frame, hold, make, minus, onKey, setAria, slider, speaker, svg, svgLine } from "./core.js";

// ---- What a temperature makes of scores ----

const weight = (rank) => 1 / Math.log2(1 + rank);
const steepness = (rank) => -(weight(rank) ** 2) / (Math.LN2 * (1 + rank)); // the derivative of weight
const sigmoid = (x) => 1 / (1 + Math.exp(-x));

// The ranks of a result, one unless it is tied, and what it weighs there on average.
function places(scores) {
  return scores.map((s) => {
    const from = scores.filter((t) => t > s).length + 1;
    const to = from + scores.filter((t) => t === s).length - 1;
    const ranks = Array.from({ length: to - from + 1 }, (_, i) => from + i);
    return { from, to, weight: add(ranks.map(weight)) / ranks.length };
  });
}

// For each rank, the mixture of gains that NeuralSort has there.
function mixtures(scores, gains, temperature) {
  const n = scores.length;
  const apart = scores.map((s) => add(scores.map((t) => Math.abs(s - t))));
  return scores.map((_, i) => {
    const fit = scores.map((s, j) => (n - 1 - 2 * i) * s - apart[j]);
    const best = Math.max(...fit);
    const parts = fit.map((x) => Math.exp((x - best) / temperature));
    return add(parts.map((p, j) => p * gains[j])) / add(parts);
  });
}

// Everything that is shown, from the state alone; lists are in the order of the documents.
export function soften({ gains, scores, temperature }) {
  const weights = gains.map((_, i) => weight(i + 1));
  const ideal = dcg([...gains].sort(falling), weights);
  const hard = places(scores);
  const pulls = scores.map((s) => scores.map((t) => sigmoid((t - s) / temperature)));
  const ranks = pulls.map((row, i) => 1 + add(row.filter((_, j) => j !== i)));
  const steep = ranks.map((rank, i) => (gains[i] * steepness(rank)) / ideal);
  const give = (i, j) => (pulls[i][j] * pulls[j][i]) / temperature; // by how much a rank moves with a score
  const slopes = steep.map((x, i) => add(steep.map((y, j) => (i === j ? 0 : give(i, j) * (y - x)))));
  return {
    hard,
    soft: ranks.map((rank) => ({ rank, weight: weight(rank) })),
    slopes,
    nDCG: Math.min(1, add(hard.map((place, i) => gains[i] * place.weight)) / ideal),
    ApproxNDCG: add(ranks.map((rank, i) => gains[i] * weight(rank))) / ideal,
    "NeuralSort-nDCG": dcg(mixtures(scores, gains, temperature), weights) / ideal,
    gradient: Math.hypot(...slopes),
  };
}

const [STEPS, RATE, STRIDE] = [10, 2, 0.1];

// The scores after a few steps along the arrows, none longer than a stride.
export function follow({ gains, scores, temperature }) {
  let now = scores;
  for (let step = 0; step < STEPS; step += 1) {
    const { slopes } = soften({ gains, scores: now, temperature });
    now = now.map((s, i) => s + clamp(RATE * slopes[i], -STRIDE, STRIDE));
  }
  return now;
}

// Heights near those wanted, a gap apart and none below the end: what collides is pushed down, and then back up.
export function spaced(wanted, gap, end) {
  const down = wanted.reduce((all, y) => [...all, Math.max(y, (all.at(-1) ?? -Infinity) + gap)], []);
  return down.reduceRight((all, y) => [Math.min(y, (all[0] ?? end + gap) - gap), ...all], []);
}

// What there is to see, in a sentence.
export function sentenceOf(documents, { hard, soft, slopes, gradient }) {
  if (documents.length === 1) return "One document has one place to be.";
  const ranks = soft.map(({ rank }) => rank);
  const off = Math.max(...ranks.map((rank, i) => Math.abs(rank - (hard[i].from + hard[i].to) / 2)));
  if (gradient < 0.001 && off < 0.01) return "The soft list is the hard one. No arrow is left: a small step changes nothing.";
  if (gradient < 0.02 && Math.max(...ranks) - Math.min(...ranks) < documents.length / 4) return "All soft ranks are nearly the same, and next to nothing is left of the arrows.";
  const strongest = slopes.reduce((best, x, i) => (Math.abs(x) > Math.abs(slopes[best]) ? i : best), 0);
  return `The longest arrow would ${slopes[strongest] > 0 ? "raise" : "lower"} ${documents[strongest].name}, which has grade ${minus(documents[strongest].grade)}.`;
}

// ---- What is drawn ----

const decimal = (x, digits = 3) => minus(x !== 0 && Math.abs(x) < 0.5 * 10 ** -digits ? x.toPrecision(2) : x.toFixed(digits));
const NUMBERS = ["nDCG", "ApproxNDCG", "NeuralSort-nDCG", "gradient"];
const [COLDEST, HOTTEST] = [-2, 1]; // powers of ten
const STEP = 0.05; // of a score, by a key
const [REACH, LONGEST] = [400, 60]; // an arrow's pixels for a slope of 1, and at most
const GAP = 0.64; // of a row, between neighbours of the soft list
const hundredths = (x) => Math.round(x * 100) / 100 + 0; // no −0

// A lane of the score line: the grade, how far the temperature reaches, the arrow and the document.
function newLane(act) {
  const [grade, blur, push] = [make("span", { class: "ns-grade" }), make("i", { class: "ns-blur" }), make("i", { class: "ns-push" })];
  const dot = make("span", { class: "ns-dot", role: "slider", tabindex: 0, ...act });
  const track = make("span", { class: "ns-track" }, blur, push, dot);
  return { grade, blur, push, dot, track, row: make("div", { class: "ns-lane" }, grade, track) };
}

function fillLane({ grade, blur, push, dot }, d, { score, slope, temperature, share, at, ends }) {
  const long = Math.min(LONGEST, REACH * Math.abs(slope));
  const [left, right] = [score - temperature, score + temperature].map((x) => clamp(at(x), 0, 100));
  const way = long < 1 ? "no arrow" : `ApproxNDCG rises as it goes ${slope > 0 ? "up" : "down"}`;
  grade.textContent = minus(d.grade);
  blur.style.cssText = `left: ${left}%; width: ${right - left}%`;
  push.hidden = long < 1;
  push.className = `ns-push ns-${slope > 0 ? "up" : "down"}`;
  push.style.cssText = `--at: ${at(score)}%; --long: ${long}px; --head: ${Math.min(6, long)}px`;
  dot.textContent = d.name;
  dot.title = d.title ?? "";
  dot.style.cssText = `left: ${at(score)}%; --share: ${100 * share}%`;
  dot.classList.toggle("ns-rich", share > 0.6);
  setAria(dot, { label: `${d.name}, grade ${minus(d.grade)}${d.title ? `, ${d.title}` : ""}`, valuemin: ends[0], valuemax: ends[1], valuenow: hundredths(score), valuetext: `score ${minus(hundredths(score))}, ${way}` });
}

const listItem = (d, rank, heavy, top) => make("li", top === undefined ? {} : { style: `top: ${top}%` }, make("span", { class: "ns-rank" }, rank),
  make("span", { class: "ns-called" }, make("b", {}, d.name), " ", make("span", { class: "ns-title" }, d.title ?? "")),
  make("span", { class: "ns-weight", style: `--weight: ${100 * heavy}%` }, decimal(heavy)));

// The hard list, the soft list, and lines from one to the other. Names in the soft list keep a distance, so that they can be read.
function drawLists({ hardList, softList, fan }, documents, scores, { hard, soft }) {
  const order = documents.map((_, i) => i).sort((a, b) => scores[b] - scores[a]);
  const y = (height) => (100 * height) / documents.length;
  const heights = spaced(order.map((i) => soft[i].rank - 0.5), GAP, documents.length - 0.5);
  hardList.replaceChildren(...order.map((i) => listItem(documents[i], hard[i].from === hard[i].to ? String(hard[i].from) : `${hard[i].from}–${hard[i].to}`, hard[i].weight)));
  softList.replaceChildren(...order.map((i, place) => listItem(documents[i], decimal(soft[i].rank, 2), soft[i].weight, y(heights[place]))));
  const lines = (kind, ends) => order.map((i, place) => {
    const [here, there, beside] = [place + 0.5, soft[i].rank - 0.5, heights[place]].map(y);
    const [x1, y1, x2, y2] = ends(here, there, beside);
    return svgLine(x1, y1, x2, y2, { class: kind });
  });
  fan.replaceChildren(...lines("ns-even", (here) => [0, here, 66, here]), ...lines("ns-lead", (_, there, beside) => [66, there, 100, beside]),
    ...lines("ns-fall", (here, there) => [0, here, 66, there]), ...lines("ns-spot", (_, there) => [66, there, 66, there]));
}

function render(host) {
  const { model } = host;
  const documents = model.get("documents");
  const gains = documents.map((d) => d.gain);
  const state = () => ({ gains, scores: model.get("scores"), temperature: model.get("temperature") });
  const first = { scores: model.get("scores"), temperature: model.get("temperature") };
  const set = (changes) => { change(model, changes); say(() => words); };
  let ends = []; // of the score line: they only grow, so that nothing jumps under a hand
  const widen = (scores) => {
    const [low, high] = [Math.min(...scores), Math.max(...scores)];
    if (!ends.length || low < ends[0] || high > ends[1]) ends = [Math.floor(Math.min(low - 0.5, ...ends)), Math.ceil(Math.max(high + 0.5, ...ends))];
  };
  const at = (score) => (100 * (score - ends[0])) / (ends[1] - ends[0]);
  const put = (i, score) => {
    const to = clamp(hundredths(score), ...ends);
    if (model.get("scores")[i] !== to) set({ scores: model.get("scores").with(i, to) });
  };

  const lanes = documents.map((_, i) => newLane({
    onpointerdown: (event) => {
      if (event.button) return;
      const [before, wide] = [model.get("scores"), lanes[i].track.getBoundingClientRect().width];
      const drag = (to) => { if (to.clientX !== event.clientX) put(i, before[i] + ((to.clientX - event.clientX) / wide) * (ends[1] - ends[0])); };
      hold([[lanes[i].dot, "ns-held"]], drag, () => set({ scores: before }));
    },
    onkeydown: (event) => {
      const s = model.get("scores")[i];
      onKey(event, { ArrowRight: s + STEP, ArrowUp: s + STEP, ArrowLeft: s - STEP, ArrowDown: s - STEP, PageUp: s + 10 * STEP, PageDown: s - 10 * STEP, Home: ends[0], End: ends[1] }, (to) => put(i, to));
    },
  }));
  const ticks = make("span", { class: "ns-track ns-ticks" });
  const axis = make("div", { class: "ns-lane ns-axis", "aria-hidden": "true" }, make("span", { class: "ns-grade" }, "grade"), ticks);
  const line = make("div", { class: "ns-line", role: "group", "aria-label": "Scores: left and right arrows move a document" }, ...lanes.map((x) => x.row), axis);
  const [hardList, softList] = [make("ol", { class: "ns-hard", "aria-label": "The hard list" }), make("ol", { class: "ns-soft", "aria-label": "The soft list" })];
  const fan = svg("svg", { class: "ns-fan", viewBox: "0 0 100 100", preserveAspectRatio: "none", "aria-hidden": "true" });
  const heads = (...names) => make("div", { class: "ns-head", "aria-hidden": "true" }, ...names.map((x) => make("span", {}, x)));
  const lists = make("div", { class: "ns-lists", style: `--rows: ${documents.length}` },
    heads("rank", "hard list", "weight"), make("span"), heads("rank", "soft list", "weight"), hardList, fan, softList);
  const heat = slider("temperature", [COLDEST, HOTTEST, 0.01], (x) => set({ temperature: Number((10 ** x).toPrecision(2)) }));
  const uphill = button("follow the arrows", () => set({ scores: follow(state()) }), "Ten small steps, each document the way its arrow points");
  const reset = button("reset", () => set(first), "As it was when the page was opened");
  const numbers = figures(Object.fromEntries(NUMBERS.map((name) => [name, name])), "nx");
  const sentence = make("p", { class: "ns-said" });
  let words = "";
  const { live, say } = speaker(400);
  const root = frame("nx ns", "Scores to drag, and a temperature",
    make("p", { class: "nx-hint" }, "Drag a document along the score line, or reach it with Tab and press ← →. Arrows point the way ApproxNDCG rises; grey bars reach one temperature to each side."),
    make("div", { class: "nx-controls" }, heat.label, make("span", { class: "ns-acts" }, uphill, reset)), line, lists, numbers.row, sentence, live);

  function draw() {
    const { scores, temperature } = state();
    const seen = soften(state());
    widen(scores);
    documents.forEach((d, i) => fillLane(lanes[i], d, { score: scores[i], slope: seen.slopes[i], temperature, share: gains[i] / Math.max(...gains), at, ends }));
    const every = Math.max(1, Math.ceil((ends[1] - ends[0]) / 8));
    const marks = Array.from({ length: Math.floor((ends[1] - ends[0]) / every) + 1 }, (_, i) => ends[0] + i * every);
    ticks.replaceChildren(...marks.map((x) => make("span", { style: `left: ${at(x)}%` }, minus(x))), make("em", {}, "score"));
    drawLists({ hardList, softList, fan }, documents, scores, seen);
    heat.show(Math.log10(temperature), `T = ${temperature < 0.005 ? temperature.toPrecision(2) : Number(temperature.toPrecision(3))}`);
    numbers.show(Object.fromEntries(NUMBERS.map((name) => [name, decimal(seen[name])])));
    sentence.textContent = sentenceOf(documents, seen);
    words = `${["nDCG", "ApproxNDCG"].map((name) => `${name} is ${decimal(seen[name])}`).join(", ")}. ${sentence.textContent}`;
  }
  return begin(host, root, ["scores", "temperature"], draw);
}

export default { render };
