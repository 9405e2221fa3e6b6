// The two lists of a query. A judgement is of the document, so a grade given in one list holds in the other, and so do
// gain, discount and cutoff; and the sentence above the lists stays true. Stands behind host.js.
import { number } from "./core.js";
import { measure, render } from "./explore.js";
const SHARED = ["gain", "discount", "k"];
const withSign = (x, digits) => (Number.isNaN(x) ? "0/0" : `${x < 0 ? "−" : "+"}${Math.abs(x).toFixed(digits)}`);

/** What is judged or chosen in one list holds in the other. */
const follow = (one, other) => {
  one.on("change:documents", () => {
    const grades = new Map(one.get("documents").map((d) => [d.name, d.grade]));
    const apart = (d) => grades.has(d.name) && grades.get(d.name) !== d.grade;
    if (!other.get("documents").some(apart)) return;
    other.set("documents", other.get("documents").map((d) => (apart(d) ? { ...d, grade: grades.get(d.name) } : d)));
  });
  for (const name of SHARED) one.on(`change:${name}`, () => { if (other.get(name) !== one.get(name)) other.set(name, one.get(name)); });
};

/** The sentence above two lists: their values, and what the mean over all queries would be. */
const tell = (box, models) => {
  const value = (model) => measure(Object.fromEntries(["documents", "levels", "gains", "discounts", "gain", "discount", "k", "penalty"].map((name) => [name, model.get(name)]))).nDCG;
  const own = SHARED.map((name) => models[0].get(name));
  const [before, after] = models.map(value);
  const { mean, queries } = box.dataset;
  const say = () => {
    const [a, b] = models.map(value);
    const here = { a: number(a), b: number(b), difference: withSign(b - a, 3), mean: withSign(Number(mean) + (b - a - (after - before)) / Number(queries), 4) };
    const same = SHARED.every((name, i) => models[0].get(name) === own[i]);
    for (const [name, text] of Object.entries(here)) box.querySelector(`[data-is=${name}]`).textContent = name === "mean" && !same ? "that of other settings" : text;
    box.classList.toggle("nr-moved", !same || a !== before || b !== after);
  };
  for (const model of models) for (const name of ["documents", ...SHARED]) model.on(`change:${name}`, say);
};

const met = new Map();
bring(document.querySelectorAll(".nx-static"), async () => ({ default: { render } }), (host, model) => {
  const box = host.closest(".nr-twins");
  const models = [...(met.get(box) ?? []), model];
  met.set(box, models);
  if (models.length < 2) return;
  follow(models[0], models[1]);
  follow(models[1], models[0]);
  tell(box, models);
});

// Paper cannot be clicked: what opens is open on it, and is as it was afterwards.
addEventListener("beforeprint", () => {
  for (const closed of document.querySelectorAll("details:not([open])")) {
    closed.open = true;
    addEventListener("afterprint", () => { closed.open = false; }, { once: true });
  }
});
