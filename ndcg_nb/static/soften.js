// Scores one can drag, the list they make, and the soft list that a temperature makes of it.
// Python sends documents with their gains; this file computes ranks, soft ranks, the measures and their slopes.
// It is a plain ES module in the form anywidget hosts, and needs nothing but a model with get, set, on and save_changes.
import { add, clamp, dcg, falling, frame, listen, make, minus, speaker, svg } from "./core.js";

// ---- What a temperature makes of scores ----

const weight = (rank) => 1 / Math.log2(1 + rank);
const steepness = (rank) => -(weight(rank) ** 2) / (Math.LN2 * (1 + rank)); // the derivative of weight
const sigmoid = (x) => 1 / (1 + Math.exp(-x));

/** The ranks a result stands on, one unless it is tied, and what it weighs there on average. */
function places(scores) {
  return scores.map((s) => {
    const from = scores.filter((t) => t > s).length + 1;
    const to = from + scores.filter((t) => t === s).length - 1;
    const ranks = Array.from({ length: to - from + 1 }, (_, i) => from + i);
    return { from, to, weight: add(ranks.map(weight)) / ranks.length };
  });
}

/** For each rank, what stands there in NeuralSort: a mixture of the gains. */
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

/** Everything that is shown, from the state alone; what is listed is in the order of the documents. */
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

/** The scores after a few steps along the arrows, none longer than a stride. */
export function follow({ gains, scores, temperature }) {
  let now = scores;
  for (let step = 0; step < STEPS; step += 1) {
    const { slopes } = soften({ gains, scores: now, temperature });
    now = now.map((s, i) => s + clamp(RATE * slopes[i], -STRIDE, STRIDE));
  }
  return now;
}

/** Heights as near as can be to those wanted, in their order and a gap apart: neighbours that collide share their mean. */
export function spaced(wanted, gap) {
  const blocks = [];
  wanted.forEach((y, i) => {
    let block = { sum: y - i * gap, size: 1 };
    while (blocks.length && blocks.at(-1).sum / blocks.at(-1).size > block.sum / block.size) {
      const { sum, size } = blocks.pop();
      block = { sum: sum + block.sum, size: size + block.size };
    }
    blocks.push(block);
  });
  return blocks.flatMap(({ sum, size }) => Array(size).fill(sum / size)).map((y, i) => y + i * gap);
}

/** What there is to see, in a sentence. */
export function tell({ documents }, { hard, soft, slopes, gradient }) {
  const off = Math.max(...soft.map(({ rank }, i) => Math.abs(rank - (hard[i].from + hard[i].to) / 2)));
  if (documents.length === 1) return "One document has one place to be.";
  if (gradient < 0.001 && off < 0.01) {
    return "The soft list is the hard one. No arrow is left: a small step changes nothing.";
  }
  const strongest = slopes.reduce((best, x, i) => (Math.abs(x) > Math.abs(slopes[best]) ? i : best), 0);
  const { name, grade } = documents[strongest];
  const advice = `${slopes[strongest] > 0 ? "raise" : "lower"} ${name}, which has grade ${minus(grade)}`;
  const ranks = soft.map(({ rank }) => rank);
  if (gradient < 0.02 && Math.max(...ranks) - Math.min(...ranks) < documents.length / 4) {
    return "All soft ranks are nearly the same, and next to nothing is left of the arrows.";
  }
  return `The longest arrow would ${advice}.`;
}

// ---- What is drawn ----

const decimal = (x, digits = 3) => minus(x !== 0 && Math.abs(x) < 0.5 * 10 ** -digits ? x.toPrecision(2) : x.toFixed(digits));
const TOLD = ["nDCG", "ApproxNDCG", "NeuralSort-nDCG", "gradient"];
const HINTS = { nDCG: "of the hard list, ties averaged", ApproxNDCG: "gains weighed at their soft ranks", "NeuralSort-nDCG": "gains blurred at every rank", gradient: "how long the arrows are, taken together" };
const [COLDEST, HOTTEST] = [-2, 1]; // powers of ten
const STEP = 0.05; // of a score, by a key
const [REACH, LONGEST] = [400, 60]; // an arrow's pixels for a slope of 1, and at most
const GAP = 0.64; // of a row, between neighbours of the soft list
const hundredths = (x) => Math.round(x * 100) / 100 + 0; // no −0

function render({ model, el }) {
  const state = () => {
    const documents = model.get("documents");
    return { documents, gains: documents.map((d) => d.gain), scores: model.get("scores"), temperature: model.get("temperature") };
  };
  const set = (name, value) => {
    model.set(name, value);
    model.save_changes();
  };
  let first = { scores: model.get("scores"), temperature: model.get("temperature") };
  let ends = []; // of the score line: they stay where they are while something is dragged
  const widen = () => {
    const all = model.get("scores");
    const [low, high] = [Math.floor(Math.min(...all) - 0.5), Math.ceil(Math.max(...all) + 0.5)];
    ends = ends.length ? [Math.min(ends[0], low), Math.max(ends[1], high)] : [low, high];
  };
  const within = () => { // scores from Python may lie outside
    const all = model.get("scores");
    if (!ends.length || Math.min(...all) < ends[0] || Math.max(...all) > ends[1]) widen();
  };
  const at = (score) => (100 * (score - ends[0])) / (ends[1] - ends[0]);
  const put = (i, score) => {
    const scores = [...model.get("scores")];
    const to = clamp(hundredths(score), ...ends);
    if (scores[i] === to) return;
    scores[i] = to;
    set("scores", scores);
    say();
  };

  // Dragging, by mouse, pen or finger. Escape puts back what is held.
  let held = null;
  const start = (event, i) => {
    if (event.button || held) return;
    held = { i, from: event.clientX, scores: model.get("scores"), wide: lanes[i].track.getBoundingClientRect().width, pointer: event.pointerId };
    lanes[i].dot.setPointerCapture(event.pointerId);
    lanes[i].dot.classList.add("ns-held");
  };
  const drag = (event) => {
    if (event.pointerId !== held?.pointer) return;
    const by = ((event.clientX - held.from) / held.wide) * (ends[1] - ends[0]);
    if (by) put(held.i, held.scores[held.i] + by);
  };
  const drop = () => {
    if (!held) return;
    lanes[held.i].dot.classList.remove("ns-held");
    held = null;
  };
  const KEYS = { ArrowRight: STEP, ArrowUp: STEP, ArrowLeft: -STEP, ArrowDown: -STEP, PageUp: 10 * STEP, PageDown: -10 * STEP };
  const press = (event, i) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const score = model.get("scores")[i];
    const to = event.key in KEYS ? score + KEYS[event.key] : { Home: ends[0], End: ends[1] }[event.key];
    if (event.key === "Escape" && held) {
      set("scores", held.scores);
      drop();
    } else if (to !== undefined) put(i, to);
    else return;
    event.preventDefault();
  };

  const newLane = (i) => {
    const lane = {
      grade: make("span", { class: "ns-grade" }),
      blur: make("i", { class: "ns-blur" }),
      push: make("i", { class: "ns-push" }),
      dot: make("span", { class: "ns-dot", role: "slider", tabindex: 0 }),
    };
    lane.track = make("span", { class: "ns-track" }, lane.blur, lane.push, lane.dot);
    lane.row = make("div", { class: "ns-lane" }, lane.grade, lane.track);
    lane.dot.addEventListener("pointerdown", (event) => start(event, i));
    lane.dot.addEventListener("pointermove", drag);
    for (const end of ["pointerup", "pointercancel", "lostpointercapture"]) lane.dot.addEventListener(end, drop);
    lane.dot.addEventListener("keydown", (event) => press(event, i));
    return lane;
  };
  const newRow = () => {
    const row = { rank: make("span", { class: "ns-rank" }), name: make("b"), title: make("span", { class: "ns-title" }), weight: make("span", { class: "ns-weight" }) };
    row.item = make("li", {}, row.rank, make("span", { class: "ns-called" }, row.name, " ", row.title), row.weight);
    return row;
  };
  const lanes = [];
  const hardRows = [];
  const softRows = [];
  const ticks = make("span", { class: "ns-track ns-ticks" });
  const line = make("div", { class: "ns-line", role: "group", "aria-label": "Scores: left and right arrows move a document" });
  const axis = make("div", { class: "ns-lane ns-axis", "aria-hidden": "true" }, make("span", { class: "ns-grade" }, "grade"), ticks);
  const hardList = make("ol", { class: "ns-hard", "aria-label": "The hard list" });
  const softList = make("ol", { class: "ns-soft", "aria-label": "The soft list" });
  const fan = svg("svg", { class: "ns-fan", viewBox: "0 0 100 100", preserveAspectRatio: "none", "aria-hidden": "true" });
  const heads = (...words) => make("div", { class: "ns-head", "aria-hidden": "true" }, ...words.map((x) => make("span", {}, x)));
  const lists = make("div", { class: "ns-lists" },
    heads("rank", "hard list", "weight"), make("span"), heads("rank", "soft list", "weight"), hardList, fan, softList);
  const heat = make("input", { type: "range", min: COLDEST, max: HOTTEST, step: 0.01, "aria-label": "Temperature", oninput: () => {
    set("temperature", Number((10 ** heat.value).toPrecision(2)));
    say();
  } });
  const heatText = make("span", { class: "nx-k" });
  const uphill = make("button", { type: "button", title: "Ten small steps, each document the way its arrow points", onclick: () => {
    set("scores", follow(state()));
    say();
  } }, "follow the arrows");
  const reset = make("button", { type: "button", title: "As it was when the page was opened", onclick: () => {
    model.set("temperature", first.temperature);
    set("scores", first.scores);
    say();
  } }, "reset");
  const boxes = Object.fromEntries(TOLD.map((name) => [name, make("span", { class: "nx-figure" })]));
  const numbers = make("div", { class: "nx-numbers" }, ...TOLD.map((name) =>
    make("div", { class: `nx-${name}`, title: HINTS[name] }, make("span", { class: "nx-term" }, name), boxes[name])));
  const said = make("p", { class: "ns-said" });
  let words = "";
  const { live, say: sayOnce, silence } = speaker(400);
  const say = () => sayOnce(() => words);
  const root = frame("nx ns", "Scores to drag, and a temperature",
    make("p", { class: "nx-hint" }, "Drag a document along the score line, or reach it with Tab and press ← →. Arrows point the way ApproxNDCG rises; grey bars reach one temperature to each side."),
    make("div", { class: "nx-controls" }, make("label", {}, "temperature", heat, heatText), make("span", { class: "ns-acts" }, uphill, reset)), line, lists, numbers, said, live);
  el.append(root);

  function drawLine({ documents, scores, temperature, gains }, { slopes }) {
    while (lanes.length < documents.length) line.append(lanes[lanes.push(newLane(lanes.length)) - 1].row);
    lanes.forEach(({ row }, i) => { row.hidden = i >= documents.length; });
    line.append(axis);
    const most = Math.max(...gains);
    documents.forEach((d, i) => {
      const { grade, blur, push, dot } = lanes[i];
      const long = Math.min(LONGEST, REACH * Math.abs(slopes[i]));
      grade.textContent = minus(d.grade);
      const [left, right] = [scores[i] - temperature, scores[i] + temperature].map((x) => clamp(at(x), 0, 100));
      blur.style.cssText = `left: ${left}%; width: ${right - left}%`;
      push.hidden = long < 1;
      push.className = `ns-push ns-${slopes[i] > 0 ? "up" : "down"}`;
      push.style.cssText = `--at: ${at(scores[i])}%; --long: ${long}px; --head: ${Math.min(6, long)}px`;
      dot.textContent = d.name;
      dot.style.cssText = `left: ${at(scores[i])}%; --share: ${(100 * gains[i]) / most}%`;
      dot.classList.toggle("ns-rich", gains[i] > most * 0.6);
      dot.title = d.title ?? "";
      const way = long < 1 ? "no arrow" : `ApproxNDCG rises as it goes ${slopes[i] > 0 ? "up" : "down"}`;
      const told = { label: `${d.name}, grade ${minus(d.grade)}${d.title ? `, ${d.title}` : ""}`, valuemin: ends[0], valuemax: ends[1], valuenow: hundredths(scores[i]), valuetext: `score ${minus(hundredths(scores[i]))}, ${way}` };
      for (const [name, value] of Object.entries(told)) dot.setAttribute(`aria-${name}`, value);
    });
    const every = Math.max(1, Math.ceil((ends[1] - ends[0]) / 8));
    const marks = Array.from({ length: Math.floor((ends[1] - ends[0]) / every) + 1 }, (_, i) => ends[0] + i * every);
    ticks.replaceChildren(...marks.map((x) => make("span", { style: `left: ${at(x)}%` }, minus(x))), make("em", {}, "score"));
  }

  function drawLists({ documents, scores }, { hard, soft }) {
    const n = documents.length;
    const order = documents.map((_, i) => i).sort((a, b) => scores[b] - scores[a]);
    lists.style.setProperty("--rows", n);
    for (const [rows, list] of [[hardRows, hardList], [softRows, softList]]) {
      while (rows.length < n) list.append(rows[rows.push(newRow()) - 1].item);
      rows.forEach(({ item }, place) => { item.hidden = place >= n; });
    }
    const heights = spaced(order.map((i) => soft[i].rank - 0.5), GAP);
    const y = (height) => (100 * height) / n;
    const marks = [];
    order.forEach((i, place) => {
      const { from, to } = hard[i];
      const fill = (row, rank, heavy) => {
        row.rank.textContent = rank;
        row.name.textContent = documents[i].name;
        row.title.textContent = documents[i].title ?? "";
        row.weight.textContent = decimal(heavy);
        row.weight.style.setProperty("--weight", `${100 * heavy}%`);
      };
      fill(hardRows[place], from === to ? String(from) : `${from}–${to}`, hard[i].weight);
      fill(softRows[place], decimal(soft[i].rank, 2), soft[i].weight);
      softRows[place].item.style.top = `${y(heights[place])}%`;
      const [here, there, beside] = [place + 0.5, soft[i].rank - 0.5, heights[place]].map(y);
      marks.push(svg("line", { class: "ns-even", x1: 0, x2: 66, y1: here, y2: here }),
        svg("line", { class: "ns-fall", x1: 0, x2: 66, y1: here, y2: there }),
        svg("line", { class: "ns-lead", x1: 66, x2: 100, y1: there, y2: beside }),
        svg("line", { class: "ns-spot", x1: 66, x2: 66, y1: there, y2: there }));
    });
    fan.replaceChildren(...["ns-even", "ns-lead", "ns-fall", "ns-spot"].flatMap((kind) => marks.filter((m) => m.getAttribute("class") === kind)));
  }

  function draw() {
    within();
    const now = state();
    if (now.scores.length !== now.documents.length) return; // there is more to come
    const seen = soften(now);
    drawLine(now, seen);
    drawLists(now, seen);
    heat.value = Math.log10(now.temperature);
    heatText.textContent = `T = ${now.temperature < 0.005 ? now.temperature.toPrecision(2) : Number(now.temperature.toPrecision(3))}`;
    heat.setAttribute("aria-valuetext", heatText.textContent);
    for (const name of TOLD) boxes[name].textContent = decimal(seen[name]);
    said.textContent = tell(now, seen);
    words = `${TOLD.slice(0, 2).map((name) => `${name} is ${decimal(seen[name])}`).join(", ")}. ${said.textContent}`;
  }
  const afresh = () => {
    first = { scores: model.get("scores"), temperature: model.get("temperature") };
    ends = [];
    draw();
  };
  draw();
  const deaf = listen(model, { "change:scores": draw, "change:temperature": draw, "change:documents": afresh });
  return () => {
    deaf();
    silence();
  };
}

export default { render };
