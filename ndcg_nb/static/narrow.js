// A list with missing grades to press, and the interval of its nDCG. The intervals of all states come from Python.
import { begin, button, change, clamp, frame, make, number, setAria, speaker } from "./core.js";

const keyOf = (given) => given.map((x) => x ?? "?").join(",");
const widthOf = ([low, high]) => high - low;

// By how much the interval falls at least, for each document that has no grade yet; null for the others.
export function worths(table, grades, given) {
  const now = widthOf(table[keyOf(given)]);
  const after = (i) => grades.map((grade) => widthOf(table[keyOf(given.with(i, grade))]));
  return given.map((x, i) => (x === null ? Math.max(0, now - Math.max(...after(i))) : null));
}

// What is known now, in a sentence.
export function sentence([low, high], start) {
  if (high - low < 5e-7) return `nDCG is ${number(low)}: nothing is open.`;
  const fell = widthOf(start) - (high - low);
  const more = fell > 5e-7 ? `, ${number(fell)} less than at the start` : "";
  return `nDCG is between ${number(low)} and ${number(high)}: width ${number(high - low)}${more}.`;
}

function show(host) {
  const { model } = host;
  const [rel, others, names, k, grades, table] = ["rel", "others", "names", "k", "grades", "table"].map((name) => model.get(name));
  const documents = [...rel, ...others];
  const holes = documents.flatMap((grade, i) => (grade === null ? [i] : []));
  const start = table[keyOf(holes.map(() => null))];
  const { live, say } = speaker(300);
  const said = make("p", { class: "narrow-said" });
  const set = (hole, grade) => {
    const given = model.get("given");
    change(model, { given: given.with(hole, given[hole] === grade ? null : grade) });
    say(() => said.textContent);
  };
  const called = (i) => (names.length ? names[i] : `D${i + 1}`);
  const rows = documents.map((grade, i) => {
    const hole = holes.indexOf(i);
    const title = make("span", { class: "narrow-title" }, make("b", {}, `D${i + 1}`), names.length ? ` ${names[i]}` : "");
    const place = make("span", { class: "nx-rank" }, i < rel.length ? i + 1 : "–");
    const [bar, figure] = [make("i", {}), make("span", { class: "narrow-worth" })];
    const press = hole < 0 ? [] : grades.map((g) => button(String(g), () => set(hole, g)));
    press.forEach((each, n) => setAria(each, { label: `Grade ${grades[n]} for ${called(i)}` }));
    const graded = make("span", { class: "narrow-grade", role: "group", "aria-label": `Grade of ${called(i)}` }, ...(hole < 0 ? [String(grade)] : press));
    const cut = i >= rel.length || i >= k ? " narrow-out" : "";
    const row = make("li", { class: `narrow-row${cut}${hole < 0 ? "" : " narrow-hole"}` }, place, title, graded, make("span", { class: "narrow-bar" }, bar), figure);
    return { row, hole, press, bar, figure };
  });
  const [band, ghost] = [make("i", { class: "narrow-band" }), make("i", { class: "narrow-ghost" })];
  const axis = make("div", { class: "narrow-axis", role: "img" }, ghost, band);
  const ticks = make("div", { class: "narrow-ticks", "aria-hidden": "true" }, ...["0", "0.25", "0.5", "0.75", "1"].map((x) => make("span", {}, x)));
  const reset = button("reset", () => change(model, { given: holes.map(() => null) }), "Take back all grades");
  const root = frame("nx narrow", "A list with missing grades, and the interval of its nDCG",
    make("div", { class: "narrow-top" }, make("p", { class: "nx-hint" }, `Press a grade; press it again to take it back. The cutoff is ${k}. Bars: what a grade is worth, whatever it is.`), reset),
    make("ol", { class: "narrow-list" }, ...rows.map((x) => x.row)), axis, ticks, said, live);

  const put = (element, [low, high]) => {
    element.style.left = `${100 * clamp(low, 0, 1)}%`;
    element.style.width = `max(3px, ${100 * (clamp(high, 0, 1) - clamp(low, 0, 1))}%)`;
  };
  function draw() {
    const given = model.get("given");
    const ends = table[keyOf(given)];
    const found = worths(table, grades, given);
    for (const { hole, press, bar, figure } of rows.filter((x) => x.hole >= 0)) {
      press.forEach((each, i) => setAria(each, { pressed: given[hole] === grades[i] }));
      bar.style.width = `${(100 * (found[hole] ?? 0)) / (widthOf(start) || 1)}%`;
      figure.textContent = found[hole] === null ? "" : number(found[hole]);
    }
    put(ghost, start);
    put(band, ends);
    said.textContent = sentence(ends, start);
    setAria(axis, { label: said.textContent });
  }
  return begin(host, root, ["given"], draw);
}

export default { render: show };
