// A judge with two sliders: what it adds to every grade, and what to those of its own kind; and the order of two systems.
import { begin, change, dcg, frame, make, ndcg, number, slider, speaker } from "./core.js";

const RULES = { ideal: "pool", empty: 0 };

// nDCG of both lists by people and by the judge, and the taste at which the judge's order turns.
export function verdicts({ grades, own, a, b, k, weights }, generosity, taste) {
  const kinds = grades.map((_, i) => (own.includes(i + 1) ? 1 : 0));
  const shown = (gains, order) => order.map((i) => gains[i - 1]);
  const value = (gains) => [a, b].map((order) => ndcg(RULES, { gains: shown(gains, order), judged: gains, weights, cut: k }).value);
  const difference = (gains) => dcg(shown(gains, a), weights, k) - dcg(shown(gains, b), weights, k);
  const [ahead, pull] = [difference(grades), -difference(kinds)];
  const judged = grades.map((g, i) => g + generosity + taste * kinds[i]);
  return { people: value(grades), judge: value(judged), turns: ahead * pull > 0 ? ahead / pull : NaN };
}

// Who is ahead, and by how much.
export const ahead = ([a, b]) => (Math.abs(a - b) < 5e-4 ? "A and B tie" : `${a > b ? "A" : "B"} is ahead by ${number(Math.abs(a - b))}`);

const MOST = 2; // grades that a slider can add
const SLIDERS = { generosity: "generosity, to every document", taste: "taste, for its own kind" };
const JUDGES = { people: "people", judge: "the judge" };

function show(host) {
  const { model } = host;
  const given = Object.fromEntries(["grades", "own", "a", "b", "k", "weights"].map((name) => [name, model.get(name)]));
  const { live, say } = speaker(300);
  const sentence = make("p", { class: "favour-said" });
  const sliders = Object.fromEntries(Object.entries(SLIDERS).map(([name, words]) => [name, slider(words, [0, MOST, 0.01], (x) => {
    change(model, { [name]: x });
    say(() => sentence.textContent);
  })]));
  const bars = Object.fromEntries(Object.entries(JUDGES).map(([who, words]) => [who, ["A", "B"].map((system) => {
    const [part, figure] = [make("span", { class: `favour-part favour-${system}` }), make("span", { class: "nx-figure" })];
    return { part, figure, row: make("div", { class: "favour-row" }, make("span", {}, `${system} by ${words}`), make("span", { class: "favour-bar" }, part), figure) };
  })]));
  const list = (order) => order.slice(0, given.k).map((i) => `${given.grades[i - 1]}${given.own.includes(i) ? "*" : ""}`).join(" ");
  const root = frame("nx favour", "A judge's generosity and taste, and the order of two systems",
    make("p", { class: "nx-hint" }, `Grades by people of the first ${given.k}: A ${list(given.a)}, B ${list(given.b)}. A star marks the judge's own kind.`),
    ...Object.values(sliders).map((x) => x.label), ...Object.values(bars).flat().map((x) => x.row), sentence, live);

  function draw() {
    const now = Object.fromEntries(Object.keys(SLIDERS).map((name) => [name, model.get(name)]));
    const found = verdicts(given, now.generosity, now.taste);
    for (const [name, x] of Object.entries(now)) sliders[name].show(x, x.toFixed(2));
    for (const [who, two] of Object.entries(bars)) {
      two.forEach(({ part, figure }, i) => {
        part.style.width = `${100 * found[who][i]}%`;
        figure.textContent = number(found[who][i]);
      });
    }
    const turned = (found.people[0] - found.people[1]) * (found.judge[0] - found.judge[1]) < 0;
    const rest = found.turns <= MOST ? `The order turns at a taste of ${found.turns.toFixed(2)}, whatever the generosity.` : "No taste turns the order.";
    sentence.replaceChildren("By people ", ahead(found.people), "; by the judge ", make("b", { class: turned ? "favour-turned" : undefined }, ahead(found.judge)), `. ${rest}`);
  }

  return begin(host, root, Object.keys(SLIDERS), draw);
}

export default { render: show };
