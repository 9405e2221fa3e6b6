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

/** The sentence above one list or two: their values, and what the mean over all queries would be. */
const tell = (box, models) => {
  const value = (model) => measure(Object.fromEntries(["documents", "levels", "gains", "discounts", "gain", "discount", "k", "penalty"].map((name) => [name, model.get(name)]))).nDCG;
  const own = SHARED.map((name) => models[0].get(name));
  const apart = (values) => (values.length > 1 ? values[1] - values[0] : values[0]);
  const before = models.map(value);
  const { mean, queries } = box.dataset;
  const say = () => {
    const now = models.map(value);
    const moved = Number(mean) + (apart(now) - apart(before)) / Number(queries);
    const one = { a: number(now[0]), mean: Number.isNaN(moved) ? "0/0" : moved.toFixed(4) };
    const here = now.length < 2 ? one : { a: number(now[0]), b: number(now[1]), difference: withSign(apart(now), 3), mean: withSign(moved, 4) };
    const same = SHARED.every((name, i) => models[0].get(name) === own[i]);
    for (const [name, text] of Object.entries(here)) box.querySelector(`[data-is=${name}]`).textContent = name === "mean" && !same ? "that of other settings" : text;
    box.classList.toggle("nr-moved", !same || now.some((x, i) => x !== before[i]));
  };
  for (const model of models) for (const name of ["documents", ...SHARED]) model.on(`change:${name}`, say);
};

const met = new Map();
bring(document.querySelectorAll(".nx-static"), async () => ({ default: { render } }), (host, model) => {
  const box = host.closest(".nr-twins");
  const models = [...(met.get(box) ?? []), model];
  met.set(box, models);
  if (models.length < box.querySelectorAll(".nr-lists > div").length) return;
  if (models.length > 1) {
    follow(models[0], models[1]);
    follow(models[1], models[0]);
  }
  tell(box, models);
});

// Paper cannot be clicked: what opens is open on it, and is as it was afterwards.
addEventListener("beforeprint", () => {
  for (const closed of document.querySelectorAll("details:not([open])")) {
    closed.open = true;
    addEventListener("afterprint", () => { closed.open = false; }, { once: true });
  }
});
