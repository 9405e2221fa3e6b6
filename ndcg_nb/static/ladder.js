// Systems by mean: a rung for each, and brackets around those that the test cannot tell apart. Drawn in a report, and on the
// front page of the site. Python has written every number.
import { make, minus } from "./core.js";
import { axisOf, bracketsOf, marksOf, orderOf } from "./places.js";

const toNextRung = (event) => {
  const next = { ArrowDown: "nextElementSibling", ArrowUp: "previousElementSibling" }[event.key];
  if (!next) return;
  event.preventDefault();
  event.currentTarget.parentElement[next]?.firstElementChild.focus();
};

// A rung: a name, its picture, the mean; brackets stand beside it. It is a button where something can be chosen.
const rungOf = (name, place, choose) => {
  const [range, dot] = ["range", "dot"].map((kind) => make("i", { class: `nr-${kind}` }));
  const [mean, ends] = ["mean", "ends"].map((kind) => make("span", { class: `nr-${kind}` }));
  const marks = make("span", { class: "nr-marks", "aria-hidden": "true" });
  const called = make("span", { class: "nr-called" }, ...(place ? [make("span", { class: "nr-place" }, place)] : []), make("span", { class: "nr-name" }, name));
  const press = choose ? make("button", { type: "button", class: "nr-rung", onclick: choose, onkeydown: toNextRung }) : make("div", { class: "nr-rung" });
  press.append(called, make("span", { class: "nr-track" }, range, dot), mean, ends);
  return { li: make("li", {}, press, marks), press, range, dot, mean, ends, marks };
};

// Rungs that have another place move there, and keep the focus.
const still = matchMedia("(prefers-reduced-motion: reduce)");
const sort = (list, rungs, order) => {
  const before = rungs.map(({ li }) => li.getBoundingClientRect().top);
  const focused = document.activeElement;
  list.append(...order.map((i) => rungs[i].li));
  focused.focus();
  if (still.matches) return;
  for (const [i, { li }] of rungs.entries()) {
    const moved = before[i] && before[i] - li.getBoundingClientRect().top;
    if (moved) li.animate([{ transform: `translateY(${moved}px)` }, { transform: "none" }], { duration: 700, easing: "ease-in-out" });
  }
};

// The ladder, and what draws it for a view (all queries, or a slice) with the systems that are chosen.
export const ladderOf = ({ systems, views, numbered, choose }) => {
  const rungs = systems.map((name, i) => rungOf(name, numbered ? `${i + 1}` : "", choose && (() => choose(i))));
  const [list, ticked] = [make("ol"), make("div", { class: "nr-ticks" })];
  const axis = make("div", { class: "nr-axis", "aria-hidden": "true" }, make("div", { class: "nr-rung" }, ticked));
  const columns = Math.max(...views.map((view) => marksOf(orderOf(view), bracketsOf(view, orderOf(view)))[0].length));
  const draw = (view, chosen) => {
    const order = orderOf(view);
    const { ticks, digits, place } = axisOf(view.rungs.flatMap((x) => x.at));
    const percent = (x) => `${(100 * place(x)).toFixed(2)}%`;
    const marks = marksOf(order, bracketsOf(view, order));
    for (const [i, rung] of rungs.entries()) {
      const { mean, ends = "", at: [middle, low, high] } = view.rungs[i];
      rung.mean.textContent = mean;
      rung.ends.textContent = ends;
      rung.dot.style.left = percent(middle);
      rung.range.hidden = !ends;
      if (ends) Object.assign(rung.range.style, { left: percent(low), right: `${(100 - 100 * place(high)).toFixed(2)}%` });
      rung.marks.replaceChildren(...marks[order.indexOf(i)].map((mark) => make("i", { class: `nr-${mark}` })));
      if (choose) rung.press.setAttribute("aria-pressed", String(chosen.includes(i)));
    }
    if (order.some((i, n) => list.children[n] !== rungs[i].li)) sort(list, rungs, order);
    ticked.replaceChildren(...ticks.map((x) => make("span", { style: `left: ${percent(x)}` }, minus(x.toFixed(digits)))));
  };
  return { columns, drawn: [list, axis], draw };
};
