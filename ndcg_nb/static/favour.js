// A judge with two sliders: what it adds to every grade, and what to those of its own kind; and the order of two systems.
import { dcg, frame, listen, make, ndcg, number, speaker } from "./core.js";

const RULES = { ideal: "pool", empty: 0 };

/** What each document is worth to the judge. */
export const judgedGains = ({ grades, own }, generosity, taste) => grades.map((g, i) => g + generosity + (own.includes(i + 1) ? taste : 0));

/** nDCG of both lists by people and by the judge, and the taste at which the judge's order turns. */
export function verdicts(given, generosity, taste) {
  const { grades, own, a, b, k, weights } = given;
  const shown = (gains, order) => order.map((i) => gains[i - 1]);
  const value = (gains) => (order) => ndcg(RULES, { gains: shown(gains, order), judged: gains, weights, cut: k }).value;
  const [people, judge] = [grades, judgedGains(given, generosity, taste)].map((gains) => [a, b].map(value(gains)));
  const sum = (gains) => (order) => dcg(shown(gains, order), weights, k);
  const [first, second] = [a, b].map(sum(grades));
  const [liked, likes] = [a, b].map(sum(grades.map((_, i) => (own.includes(i + 1) ? 1 : 0))));
  const [ahead, pull] = [first - second, likes - liked];
  return { people, judge, turns: ahead * pull > 0 ? ahead / pull : NaN };
}

/** Who is ahead, and by how much. */
export const ahead = ([a, b]) => (Math.abs(a - b) < 5e-4 ? "A and B tie" : `${a > b ? "A" : "B"} is ahead by ${number(Math.abs(a - b))}`);

const MOST = 2;
const SLIDERS = { generosity: "generosity, to every document", taste: "taste, for its own kind" };

function show({ model, el }) {
  const given = Object.fromEntries(["grades", "own", "a", "b", "k", "weights"].map((name) => [name, model.get(name)]));
  const figures = {};
  const sliders = Object.entries(SLIDERS).map(([name, label]) => {
    const told = make("span", { class: "favour-value" });
    const input = make("input", { type: "range", min: 0, max: MOST, step: 0.01, "aria-label": label, oninput: () => {
      model.set(name, Number(input.value));
      model.save_changes();
      say(() => said.textContent);
    } });
    figures[name] = { input, told };
    return make("label", { class: "favour-slider" }, make("span", {}, label), input, told);
  });
  const bars = Object.entries({ people: "people", judge: "the judge" }).flatMap(([who, name]) => ["A", "B"].map((system, i) => {
    const [part, told] = [make("span", { class: `favour-part favour-${system}` }), make("span", { class: "nx-figure" })];
    figures[who + i] = { part, told };
    return make("div", { class: "favour-row" }, make("span", {}, `${system} by ${name}`), make("span", { class: "favour-bar" }, part), told);
  }));
  const said = make("p", { class: "favour-said" });
  const { live, say, silence } = speaker(300);
  const list = (order) => order.slice(0, given.k).map((i) => `${given.grades[i - 1]}${given.own.includes(i) ? "*" : ""}`).join(" ");
  const root = frame("nx favour", "A judge's generosity and taste, and the order of two systems",
    make("p", { class: "nx-hint" }, `Grades by people of the first ${given.k}: A ${list(given.a)}, B ${list(given.b)}. A star marks the judge's own kind.`),
    ...sliders, ...bars, said, live);
  el.append(root);

  function draw() {
    const [generosity, taste] = [model.get("generosity"), model.get("taste")];
    const found = verdicts(given, generosity, taste);
    for (const [name, x] of Object.entries({ generosity, taste })) {
      figures[name].input.value = x;
      figures[name].told.textContent = x.toFixed(2);
    }
    for (const who of ["people", "judge"]) {
      found[who].forEach((value, i) => {
        figures[who + i].part.style.width = `${100 * value}%`;
        figures[who + i].told.textContent = number(value);
      });
    }
    const turned = (found.people[0] - found.people[1]) * (found.judge[0] - found.judge[1]) < 0;
    const rest = found.turns <= MOST ? `The order turns at a taste of ${found.turns.toFixed(2)}, whatever the generosity.` : "No taste turns the order.";
    said.replaceChildren("By people ", ahead(found.people), "; by the judge ", make("b", { class: turned ? "favour-turned" : undefined }, ahead(found.judge)), `. ${rest}`);
  }

  draw();
  const deaf = listen(model, { "change:generosity": draw, "change:taste": draw });
  return () => {
    deaf();
    silence();
  };
}

export default { render: show };
