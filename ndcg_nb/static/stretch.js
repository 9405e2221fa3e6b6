// A scale of grades one can stretch: what is a 2 worth, if a 1 is worth 1? Two systems, two queries, and both means.
import { add, begin, bisect, button, change, figures, frame, make, ndcg, number, scaleTo, setAria, slider, speaker, svg, svgLine, svgText } from "./core.js";

const RULES = { ideal: "list", empty: 0 };
const [LOWEST, HIGHEST] = [1, 6]; // what a 2 can be worth
const CLOSE = 1e-12;

// nDCG of each list, and the mean over the queries, of A and of B.
export function means({ a, b, weights }, worth) {
  const gainsOf = (list) => list.map((grade) => [0, 1, worth][grade]);
  const value = (list) => ndcg(RULES, { gains: gainsOf(list), judged: gainsOf(list), weights }).value;
  const of = (lists) => ({ values: lists.map(value), mean: add(lists.map(value)) / lists.length });
  return { a: of(a), b: of(b) };
}

// The worth at which the two means are equal, if they change places once; else NaN.
export function crossing(given) {
  const lead = (worth) => { const { a, b } = means(given, worth); return a.mean - b.mean; };
  const first = Math.sign(lead(LOWEST));
  if (Math.sign(lead(HIGHEST)) === first) return NaN;
  return bisect((worth) => Math.sign(lead(worth)) === first, LOWEST, HIGHEST, 60);
}

// Who has the higher mean.
export const ahead = ({ a, b }) => (Math.abs(a.mean - b.mean) < CLOSE ? "A and B tie" : `${a.mean > b.mean ? "A" : "B"} has the higher mean, by ${number(Math.abs(a.mean - b.mean))}`);

// ---- The picture ----

const FRAME = { left: 40, right: 26, top: 14, bottom: 156, height: 186 };
const [LEAST, MOST] = [0.7, 1]; // the range of means that is drawn
const NAMED = [[2, "linear"], [3, "exp"]];

function curves(picture, given, worth, width) {
  const x = (at) => FRAME.left + ((width - FRAME.left - FRAME.right) * (at - LOWEST)) / (HIGHEST - LOWEST);
  const y = (mean) => FRAME.bottom - ((FRAME.bottom - FRAME.top) * (mean - LEAST)) / (MOST - LEAST);
  const steps = Array.from({ length: 101 }, (_, i) => LOWEST + ((HIGHEST - LOWEST) * i) / 100);
  const found = steps.map((at) => means(given, at));
  const line = (which) => svg("polyline", { class: `stretch-${which}`, points: steps.map((at, i) => `${x(at)},${y(found[i][which].mean)}`).join(" ") });
  const name = (which) => svgText(x(HIGHEST) + 6, y(found.at(-1)[which].mean) + 4, which.toUpperCase(), { class: `stretch-name-${which}` });
  const now = means(given, worth);
  const dot = (which) => svg("circle", { class: `stretch-${which}`, cx: x(worth), cy: y(now[which].mean), r: 5 });
  const turns = crossing(given);
  const ticks = steps.filter((at) => Number.isInteger(at)).map((at) => svgText(x(at), FRAME.bottom + 16, String(at), { "text-anchor": "middle" }));
  const levels = [0.7, 0.8, 0.9, 1].flatMap((mean) => [svgLine(FRAME.left, y(mean), x(HIGHEST), y(mean), { class: "stretch-grid" }), svgText(FRAME.left - 6, y(mean) + 4, mean.toFixed(1), { "text-anchor": "end" })]);
  const named = NAMED.map(([at, words]) => svgText(x(at), FRAME.bottom + 29, words, { "text-anchor": "middle" }));
  const mark = Number.isNaN(turns) ? [] : [svgLine(x(turns), y(means(given, turns).a.mean) - 9, x(turns), y(means(given, turns).a.mean) + 9, { class: "stretch-turn" }),
    svgText(x(turns), y(means(given, turns).a.mean) - 14, turns.toFixed(3), { "text-anchor": "middle" })];
  scaleTo(picture, width, FRAME.height);
  picture.replaceChildren(...levels, ...ticks, ...named, svgLine(x(worth), FRAME.top, x(worth), FRAME.bottom, { class: "stretch-here" }), line("a"), line("b"), name("a"), name("b"), ...mark, dot("a"), dot("b"));
  setAria(picture, { label: `Mean nDCG against the worth of a 2, from ${LOWEST} to ${HIGHEST}. A falls, B rises a little; they cross at ${turns.toFixed(3)}.` });
}

// ---- The widget ----

function show(host) {
  const { model } = host;
  const given = Object.fromEntries(["a", "b", "weights"].map((name) => [name, model.get(name)]));
  const first = model.get("worth");
  const { live, say } = speaker(300);
  const set = (worth) => {
    change(model, { worth });
    say(() => sentence.textContent);
  };
  const picture = svg("svg", { role: "img" });
  const plot = make("div", { class: "stretch-plot" }, picture);
  const worth = slider("a 2 is worth", [LOWEST, HIGHEST, 0.01], set);
  const cells = given.a.map(() => ({ a: make("td"), b: make("td") }));
  const lists = make("table", { class: "stretch-lists" },
    make("thead", {}, make("tr", {}, ...["query", "grades of A", "nDCG of A", "grades of B", "nDCG of B"].map((words) => make("th", { scope: "col" }, words)))),
    make("tbody", {}, ...cells.map((cell, i) => make("tr", {}, make("th", { scope: "row" }, String(i + 1)), make("td", {}, given.a[i].join(" ")), cell.a, make("td", {}, given.b[i].join(" ")), cell.b))));
  const numbers = figures({ a: "mean of A", b: "mean of B" }, "stretch");
  const sentence = make("p", { class: "stretch-said" });
  const root = frame("nx stretch", "What a grade of 2 is worth, and the means of two systems",
    make("p", { class: "nx-hint" }, "A 1 is worth 1, a 0 nothing. Stretch the scale: what is a 2 worth?"),
    make("div", { class: "stretch-top" }, worth.label, button("reset", () => set(first), "As it was when the page was opened")), plot, lists, numbers.row, sentence, live);

  function draw() {
    const at = model.get("worth");
    const found = means(given, at);
    worth.show(at, at.toFixed(2));
    curves(picture, given, at, plot.clientWidth || 640);
    for (const which of ["a", "b"]) cells.forEach((cell, i) => { cell[which].textContent = number(found[which].values[i]); });
    numbers.show({ a: number(found.a.mean), b: number(found.b.mean) });
    const leads = cells.map((_, i) => (found.a.values[i] > found.b.values[i] ? "A" : "B"));
    sentence.replaceChildren(make("b", {}, `${ahead(found)}.`), ` On query 1 ${leads[0]} is better, on query 2 ${leads[1]}.`);
  }

  return begin(host, root, ["worth"], draw, plot);
}

export default { render: show };
