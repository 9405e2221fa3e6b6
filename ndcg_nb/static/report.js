// A report: the lists of a query, and the ladder with all that depends on it. Python has written every number and
// sentence; this chooses, sorts and draws. Only what the reader edits is computed here. Needs host.js.
import { make, number, svg } from "./core.js";
import { render } from "./explore.js";
import { measure } from "./measures.js";
const withSign = (x, digits) => (Number.isNaN(x) ? "0/0" : `${x < 0 ? "−" : "+"}${Math.abs(x).toFixed(digits)}`);
const four = (x) => (Number.isInteger(x) ? String(x) : x.toFixed(4)).replace("-", "−");
/** The largest of 1, 2 and 5 times a power of ten that is not above x. */
const roundStep = (x) => {
  const power = 10 ** Math.floor(Math.log10(x));
  return [5, 2, 1].find((n) => n * power <= x * (1 + 1e-9)) * power;
};
const find = (selector) => document.querySelector(selector);
const data = JSON.parse(find("#nr-data").textContent);

let isPrinting = false;
let view = data.views?.[0]; // all queries, or a slice of them
let chosen = data.pairs?.[0]; // the systems of which lists are shown: two, or one
const pairOf = (some) => data.pairs.findIndex((pair) => pair.length === some.length && some.every((x) => pair.includes(x)));
const current = () => data.pairs[pairOf(chosen)];
const told = () => view.pairs[pairOf(chosen)];

// ---- The lists of a query ----

/** A grade or cutoff chosen in one list holds in the other. */
const follow = (one, other) => {
  one.on("change:documents", () => {
    const grades = new Map(one.get("documents").map((d) => [d.name, d.grade]));
    const differs = (d) => grades.has(d.name) && grades.get(d.name) !== d.grade;
    if (!other.get("documents").some(differs)) return;
    other.set("documents", other.get("documents").map((d) => (differs(d) ? { ...d, grade: grades.get(d.name) } : d)));
  });
  one.on("change:k", () => { if (other.get("k") !== one.get("k")) other.set("k", one.get("k")); });
};

/** Keep the sentence above the lists true: their values, and what the mean over all queries would be. */
const keepTrue = (box, models) => {
  const value = (model) => measure(Object.fromEntries(["documents", "levels", "gains", "discounts", "gain", "discount", "k", "penalty"].map((name) => [name, model.get(name)]))).nDCG;
  const k = models[0].get("k");
  const difference = (values) => (values.length > 1 ? values[1] - values[0] : values[0]);
  const before = models.map(value);
  const say = () => {
    const now = models.map(value);
    const mean = Number(box.dataset.mean) + (difference(now) - difference(before)) / Number(box.dataset.queries);
    const isSame = models[0].get("k") === k;
    const texts = { a: number(now[0]), b: number(now.at(-1)), difference: withSign(difference(now), 3), mean: isSame ? meanText(mean) : "that of another k" };
    for (const span of box.querySelectorAll("[data-is]")) span.textContent = texts[span.dataset.is];
    box.classList.toggle("nr-moved", !isSame || now.some((x, i) => x !== before[i]));
  };
  for (const model of models) for (const name of ["documents", "k"]) model.on(`change:${name}`, say);
};
const meanText = (x) => (chosen.length > 1 ? withSign(x, 4) : Number.isNaN(x) ? "0/0" : x.toFixed(4));

/** The lists of the chosen systems for a query, as the widget takes them. */
const statesOf = (q) => {
  const { k, documents, best, shown } = data.lists[q];
  const lists = current().map((x) => shown[x]);
  const every = [...new Set([...lists.flat(), ...best])];
  const view = every.every((i) => documents[i][2] !== null) ? "ndcg" : "unjudged";
  const one = (i, isShown) => ({ name: documents[i][0], title: documents[i][1], grade: documents[i][2] ?? 0, shown: isShown, ...(documents[i][2] === null ? { unjudged: true } : {}) });
  return lists.map((order) => ({ ...data.forms, k, pair: [], dialects: {}, view,
    documents: [...order.map((i) => one(i, true)), ...every.filter((i) => !order.includes(i)).map((i) => one(i, false))] }));
};

/** The lists of a query, ready to be edited, below a sentence that stays true. */
const lists = (q) => {
  if (!data.lists?.[q]) return make("p", { class: "nr-aside" }, "The lists of this query are not in this file.");
  const states = statesOf(q);
  const names = current().map((x) => data.systems[x]);
  const values = states.map((state) => measure(state).nDCG);
  const span = (name, text) => make("span", { "data-is": name }, text);
  const [a, b] = [span("a", number(values[0])), span("b", number(values.at(-1)))];
  const mean = span("mean", meanText(told().mean));
  const n = `${view.n.toLocaleString("en")} queries is `;
  const sentence = names.length > 1
    ? [`nDCG@${states[0].k} of these lists: ${names[0]} `, a, `, ${names[1]} `, b, ", ", span("difference", withSign(values[1] - values[0], 3)), `. With them the mean difference over ${n}`, mean, "."]
    : [`nDCG@${states[0].k} of this list: `, a, `. With it the mean over ${n}`, mean, "."];
  const weight = data.weights ? view.weight / data.weights[q] : view.n;
  const box = make("div", { class: "nr-twins", "data-mean": told().mean, "data-queries": weight }, make("p", {}, ...sentence));
  const exact = current().map((x) => data.values[x][q]);
  if (exact.some((x, i) => Math.abs(x - values[i]) > 0.0005))
    box.append(make("p", { class: "nr-aside" }, `${data.measure} itself is ${exact.map((x) => x.toFixed(3)).join(" and ")} here: equal scores share what their ranks are worth, and a list shows one order of them, at most 20 ranks, and none of a tool's own rules.`));
  const models = [];
  const hosts = states.map((state) => make("div", { class: "nx-static", "data-widget": "explore" }, make("script", { type: "application/json" }, JSON.stringify(state))));
  box.append(make("div", { class: "nr-lists" }, ...hosts.map((host, i) => make("div", {}, make("h4", {}, names[i]), host))));
  bring(hosts, async () => ({ default: { render } }), (host, model) => {
    models.push(model);
    if (models.length < hosts.length) return;
    if (models.length > 1) { follow(models[0], models[1]); follow(models[1], models[0]); }
    keepTrue(box, models);
  });
  return box;
};

document.addEventListener("toggle", ({ target }) => {
  if (target.open && !isPrinting && target.dataset.query && !target.querySelector(".nr-twins")) target.append(lists(Number(target.dataset.query)));
}, true);

// ---- The ladder, and all that depends on it ----

const walk = () => {
  const [list, described, axis, panel, figure] = [".nr-ladder ol", ".nr-told", ".nr-axis", ".nr-pair", ".nr-bars"].map(find);
  const [head, stories, queries, select] = [".nr-head", ".nr-stories", ".nr-queries", ".nr-switch select"].map(find);
  const rungs = [...list.children].sort((a, b) => a.dataset.rung - b.dataset.rung);
  const still = matchMedia("(prefers-reduced-motion: reduce)");
  const own = figure.firstElementChild; // drawn by Python, for the pair of two systems
  let sort = { by: 3, down: 1 };

  /** Of the current pair and view: each query with both values and their difference. */
  const rows = () => {
    const [a, b] = current().map((x) => data.values[x]);
    return view.queries.map((q) => [q, a[q], b[q], b[q] - a[q]]);
  };

  const drawStories = () => {
    if (!stories) return;
    head.textContent = told().head;
    const [a, b] = current().map((x) => data.values[x]);
    stories.replaceChildren(...told().decided.map((q) => {
      const colour = b[q] > a[q] ? "nr-up" : "nr-down";
      const element = make("details", { "data-query": q }, make("summary", {}, make("h3", {}, data.queries[q]), make("span", { class: `nr-by ${colour}` }, withSign(b[q] - a[q], 3))));
      element.insertAdjacentHTML("beforeend", data.documents?.[`${pairOf(chosen)} ${q}`] ?? ""); // made and escaped by Python
      return element;
    }));
  };

  const drawBars = () => {
    const every = rows().map((row) => row[3]).sort((x, y) => x - y);
    const most = Math.max(...every.map(Math.abs), 1e-9);
    const [wide, tall, left] = [480, 200, 44];
    const middle = tall / 2;
    const high = (x) => middle - (x / most) * (middle - 10);
    const each = (wide - left) / every.length;
    const path = (some, from) => some.map((x, i) => `M${left + (from + i) * each} ${middle}V${high(x)}h${each}V${middle}z`).join("");
    const step = roundStep(most / 2.2);
    const ticks = [-2, -1, 0, 1, 2].map((i) => i * step).filter((x) => Math.abs(x) <= most * 1.05);
    const digits = Math.max(0, Math.ceil(-Math.log10(step) - 1e-9));
    const drawTick = (x) => [
      svg("path", { class: "nr-tick", d: `M${left - 4} ${high(x)}H${wide}` }),
      svg("text", { x: left - 8, y: high(x) + 4, "text-anchor": "end" }, x ? withSign(x, digits) : "0"),
    ];
    const down = every.filter((x) => x < 0);
    const [a, b] = current();
    const words = `${data.systems[b]} − ${data.systems[a]}, one bar for each query`;
    const drawing = svg("svg", { viewBox: `0 0 ${wide} ${tall}`, role: "img", "aria-label": words },
      ...ticks.flatMap(drawTick), svg("path", { class: "nr-down", d: path(down, 0) }), svg("path", { class: "nr-up", d: path(every.slice(down.length), down.length) }),
      svg("path", { class: "nr-zero", d: `M${left} ${middle}H${wide}` }));
    const some = every.length < view.n ? `: the ${every.length.toLocaleString("en")} that differ most` : "";
    const caption = make("figcaption", {}, `${words}${some}, from ${withSign(every[0], 4)} to ${withSign(every.at(-1), 4)}`);
    const isOwn = data.systems.length === 2 && view === data.views[0];
    figure.replaceChildren(isOwn ? own : make("figure", {}, drawing, caption));
  };

  // -- the table --

  const filter = make("input", { type: "search", placeholder: "Filter queries", "aria-label": "Filter queries", oninput: () => drawTable() });
  const count = make("span", { class: "nr-aside", role: "status" });
  const table = make("table");
  const MOST = 1000;

  const open = (row, button, q) => {
    const isOpen = button.getAttribute("aria-expanded") === "true";
    button.setAttribute("aria-expanded", String(!isOpen));
    if (isOpen) row.nextElementSibling.remove();
    else row.after(make("tr", {}, make("td", { colspan: 4, class: "nr-opened" }, lists(q))));
  };

  const drawRow = ([q, x, y, difference]) => {
    const row = make("tr");
    const name = data.lists?.[q] ? make("button", { type: "button", "aria-expanded": "false", onclick: (event) => open(row, event.currentTarget, q) }, data.queries[q]) : data.queries[q];
    row.append(make("th", { class: "nr-words", scope: "row" }, name), make("td", {}, four(x)), make("td", {}, four(y)),
      make("td", { class: difference > 0 ? "nr-up" : difference < 0 ? "nr-down" : "" }, withSign(difference, 4)));
    return row;
  };

  const drawTable = () => {
    const wanted = filter.value.trim().toLowerCase();
    const found = rows().filter(([q]) => data.queries[q].toLowerCase().includes(wanted));
    const compare = sort.by === 0 ? (x, y) => data.queries[x[0]].localeCompare(data.queries[y[0]], "en", { numeric: true }) : (x, y) => x[sort.by] - y[sort.by];
    found.sort((x, y) => sort.down * compare(x, y) || x[0] - y[0]);
    const heads = ["query", ...current().map((x) => data.systems[x]), "difference"].map((name, i) => {
      const by = () => { sort = { by: i, down: sort.by === i ? -sort.down : i === 0 ? 1 : -1 }; drawTable(); table.querySelectorAll("thead button")[i].focus(); };
      const mark = sort.by === i ? (sort.down > 0 ? " ↑" : " ↓") : "";
      return make("th", { scope: "col", class: i ? "" : "nr-words", "aria-sort": mark ? (sort.down > 0 ? "ascending" : "descending") : "none" }, make("button", { type: "button", onclick: by }, name, make("span", { "aria-hidden": "true" }, mark)));
    });
    table.replaceChildren(make("thead", {}, make("tr", {}, ...heads)), make("tbody", {}, ...found.slice(0, MOST).map(drawRow)));
    const say = (x) => x.toLocaleString("en");
    count.textContent = found.length > MOST ? `the first ${say(MOST)} of ${say(found.length)} queries` : `${say(found.length)} of ${say(view.n)} queries`;
  };
  queries.replaceChildren(make("summary", {}, data.lists ? "Sort, filter, and open their lists" : "Sort and filter"), make("p", { class: "nr-filter" }, filter, " ", count), make("div", { class: "nr-scroll" }, table));
  const fill = () => { if (!table.firstChild) drawTable(); };
  queries.addEventListener("toggle", () => { if (queries.open) fill(); });
  addEventListener("beforeprint", fill); // paper does not wait for a toggle

  const drawPair = () => {
    panel.innerHTML = told().told; // made and escaped by Python
    drawBars();
    drawStories();
    table.replaceChildren();
    if (queries.open) drawTable();
  };

  // -- rungs --

  const drawLadder = () => {
    const before = rungs.map((li) => li.getBoundingClientRect().top);
    const focused = document.activeElement;
    for (const [i, li] of rungs.entries()) {
      const { mean, ends = "", at, from, to, marks } = view.rungs[i];
      const [track, marked] = [".nr-track", ".nr-marks"].map((x) => li.querySelector(x));
      li.querySelector(".nr-mean").textContent = mean;
      li.querySelector(".nr-ends").textContent = ends;
      track.querySelector(".nr-dot").style.left = `${at}%`;
      track.querySelector(".nr-range")?.remove();
      if (ends) track.prepend(make("i", { class: "nr-range", style: `left: ${from}%; right: ${100 - to}%` }));
      marked.replaceChildren(...[...marks].map((mark) => make("i", { class: `nr-${mark}` })));
    }
    list.append(...view.order.map((i) => rungs[i]));
    focused.focus();
    axis.replaceChildren(...view.axis.map(([text, at]) => make("span", { style: `left: ${at}%` }, text)));
    described.textContent = view.told;
    if (still.matches) return;
    for (const [i, li] of rungs.entries()) {
      const moved = before[i] - li.getBoundingClientRect().top;
      if (moved) li.animate([{ transform: `translateY(${moved}px)` }, { transform: "none" }], { duration: 700, easing: "ease-in-out" });
    }
  };

  const choose = (i) => {
    const next = data.baseline === null ? [chosen.filter((x) => x !== i).at(-1), i] : [data.baseline, i];
    if (pairOf(next) < 0) return; // the baseline with itself
    const isSame = pairOf(next) === pairOf(chosen);
    chosen = next;
    for (const [j, li] of rungs.entries()) li.firstElementChild.setAttribute("aria-pressed", String(chosen.includes(j)));
    if (!isSame) drawPair();
  };

  for (const [i, li] of rungs.entries()) {
    const button = li.firstElementChild;
    button.disabled = rungs.length < 3;
    button.addEventListener("click", () => choose(i));
    button.addEventListener("keydown", (event) => {
      const step = { ArrowDown: "nextElementSibling", ArrowUp: "previousElementSibling" }[event.key];
      if (!step) return;
      event.preventDefault();
      li[step]?.firstElementChild.focus();
    });
  }
  select?.addEventListener("change", () => {
    view = data.views[Number(select.value)];
    drawLadder();
    drawPair();
  });
  if (data.systems.length > 2) drawBars();
};
if (find(".nr-ladder")) walk();

// Paper cannot be clicked: what opens is open on it, and is as it was afterwards. Lists to edit are of no use there.
addEventListener("beforeprint", () => {
  isPrinting = true;
  for (const closed of document.querySelectorAll("details:not([open])")) {
    closed.open = true;
    addEventListener("afterprint", () => { closed.open = false; }, { once: true });
  }
});
addEventListener("afterprint", () => { setTimeout(() => { isPrinting = false; }); });
