// A report: the ladder and what is below it, redrawn for another pair or another view; and the lists of a query, where a
// grade given in one list holds in the other. Every number was worked out before: this chooses, sorts and draws. Only what
// the reader moves is computed here. Stands behind host.js.
import { make, number, svg } from "./core.js";
import { measure, render } from "./explore.js";
const SHARED = ["gain", "discount", "k"];
const withSign = (x, digits) => (Number.isNaN(x) ? "0/0" : `${x < 0 ? "−" : "+"}${Math.abs(x).toFixed(digits)}`);
const four = (x) => (Number.isInteger(x) ? String(x) : x.toFixed(4)).replace("-", "−");

// ---- The lists of a query ----

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

/** Lists within an element, brought to life. */
const enliven = (element) => {
  const met = new Map();
  return bring(element.querySelectorAll(".nx-static"), async () => ({ default: { render } }), (host, model) => {
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
};
enliven(document);

// ---- The ladder, and all that depends on it ----

const walk = (data) => {
  const find = (selector) => document.querySelector(selector);
  const [list, told, axis, panel, figure] = [".nr-ladder ol", ".nr-told", ".nr-axis", ".nr-pair", ".nr-bars"].map(find);
  const [head, stories, queries, select] = [".nr-head", ".nr-stories", ".nr-queries", ".nr-switch select"].map(find);
  const rungs = [...list.children].sort((a, b) => a.dataset.rung - b.dataset.rung);
  const still = matchMedia("(prefers-reduced-motion: reduce)");
  const own = figure.firstElementChild; // drawn with care, for the pair of two systems
  let chosen = [data.pairs[0].a, data.pairs[0].b];
  let shown = data.views[0]; // by the select
  let compared = shown; // the last view that has pairs: other tools have means alone
  let sort = { by: 3, down: 1 };

  const pairOf = ([x, y]) => data.pairs.findIndex(({ a, b }) => (a === x && b === y) || (a === y && b === x));
  const current = () => data.pairs[pairOf(chosen)];
  const wordsOf = () => compared.pairs[pairOf(chosen)];

  /** Of the current pair and view: each query with both values and their difference. */
  const rows = () => {
    const { a, b, by, at } = current();
    const within = compared.queries && new Set(compared.queries);
    return by.map((difference, i) => { const q = at ? at[i] : i; return [q, data.values[a][q], data.values[b][q], difference]; })
      .filter(([q]) => !within || within.has(q));
  };

  // -- lists --

  const hasLists = (q) => { const { a, b } = current(); return Boolean(data.lists?.[q]?.shown[a] && data.lists[q].shown[b]); };

  const statesOf = (q) => {
    const { a, b } = current();
    const { k, documents, best, shown: orders } = data.lists[q];
    const lists = [orders[a], orders[b]];
    const every = [...new Set([...lists.flat(), ...best])];
    const view = every.every((i) => documents[i][2] !== null) ? "ndcg" : "unjudged";
    const one = (i, isShown) => ({ name: documents[i][0], title: documents[i][1], grade: documents[i][2] ?? 0, shown: isShown, ...(documents[i][2] === null ? { unjudged: true } : {}) });
    return lists.map((order) => ({ ...data.forms, k, pair: [], dialects: {}, view,
      documents: [...order.map((i) => one(i, true)), ...every.filter((i) => !order.includes(i)).map((i) => one(i, false))] }));
  };

  const twins = (q) => {
    const { a, b } = current();
    const states = statesOf(q);
    const values = states.map((state) => measure(state).nDCG);
    const numbers = { is_a: number(values[0]), is_b: number(values[1]), is_difference: withSign(values[1] - values[0], 3), is_mean: withSign(wordsOf().mean, 4) };
    const names = { k: states[0].k, a: data.systems[a], b: data.systems[b], n: compared.n.toLocaleString("en") };
    const sentence = data.words.twins.split(/\{(\w+)\}/).map((x, i) => (i % 2 === 0 ? x : x in numbers ? make("span", { "data-is": x.slice(3) }, numbers[x]) : String(names[x])));
    const within = compared.queries ?? data.queries.keys();
    const weight = data.weights ? [...within].reduce((sum, i) => sum + data.weights[i], 0) / data.weights[q] : compared.n;
    const box = make("div", { class: "nr-twins", "data-mean": wordsOf().mean, "data-queries": weight }, make("p", {}, ...sentence));
    const exact = [a, b].map((x) => data.values[x][q]);
    const isOther = exact.some((x, i) => Math.abs(x - values[i]) > 0.00055); // what is shown is rounded
    if (isOther) box.append(make("p", { class: "nr-aside" }, data.words.apart.replace("{own}", exact.map((x) => x.toFixed(3)).join(" and "))));
    box.append(make("div", { class: "nr-lists" }, ...states.map((state, i) => make("div", {}, make("h4", {}, [names.a, names.b][i]),
      make("div", { class: "nx-static", "data-widget": "explore" }, make("script", { type: "application/json" }, JSON.stringify(state)))))));
    return box;
  };

  const lists = (q) => (hasLists(q) ? twins(q) : make("p", { class: "nr-aside" }, "The lists of this query are not in this file."));

  // -- the parts that follow the pair --

  const drawStories = () => {
    if (!stories) return;
    head.textContent = wordsOf().head;
    const by = new Map(rows().map((row) => [row[0], row[3]]));
    const i = pairOf(chosen);
    stories.replaceChildren(...wordsOf().decided.map((q, n) => {
      const colour = by.get(q) > 0 ? "nr-up" : "nr-down";
      const summary = make("summary", {}, make("h3", {}, data.queries[q]), make("span", { class: `nr-by ${colour}` }, by.has(q) ? withSign(by.get(q), 3) : ""));
      const element = make("details", n === 0 ? { open: "" } : {}, summary);
      element.insertAdjacentHTML("beforeend", data.documents?.[`${i} ${q}`] ?? ""); // made and escaped by the program
      element.append(lists(q));
      return element;
    }));
    enliven(stories);
  };

  const drawBars = () => {
    const every = rows().map((row) => row[3]).sort((x, y) => x - y);
    const most = Math.max(...every.map(Math.abs), 1e-9);
    const [wide, tall] = [480, 200];
    const path = (some, from) => some.map((x, i) => `M${((from + i) * wide) / every.length} ${tall / 2}v${(-x / most) * (tall / 2 - 20)}h${wide / every.length}V${tall / 2}z`).join("");
    const down = every.filter((x) => x < 0);
    const { a, b } = current();
    const words = `${data.systems[b]} − ${data.systems[a]}, one bar for each query`;
    const drawing = svg("svg", { viewBox: `0 0 ${wide} ${tall}`, role: "img", "aria-label": words },
      svg("path", { class: "nr-down", d: path(down, 0) }), svg("path", { class: "nr-up", d: path(every.slice(down.length), down.length) }),
      svg("path", { class: "nr-zero", d: `M0 ${tall / 2}H${wide}` }),
      svg("text", { x: 0, y: tall - 4 }, withSign(every[0], 4)), svg("text", { x: wide, y: 14, "text-anchor": "end" }, withSign(every.at(-1), 4)));
    const caption = make("figcaption", {}, every.length < compared.n ? `${words}: the ${every.length.toLocaleString("en")} that differ most` : words);
    const isOwn = data.systems.length === 2 && compared === data.views[0];
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
    if (isOpen) { row.nextElementSibling.remove(); return; }
    const cell = make("td", { colspan: 4, class: "nr-opened" }, lists(q));
    row.after(make("tr", {}, cell));
    enliven(cell);
  };

  const drawRow = ([q, x, y, difference]) => {
    const row = make("tr");
    const name = hasLists(q) ? make("button", { type: "button", "aria-expanded": "false", onclick: (event) => open(row, event.currentTarget, q) }, data.queries[q]) : data.queries[q];
    row.append(make("th", { class: "nr-words", scope: "row" }, name), make("td", {}, four(x)), make("td", {}, four(y)),
      make("td", { class: difference > 0 ? "nr-up" : difference < 0 ? "nr-down" : "" }, withSign(difference, 4)));
    return row;
  };

  const drawTable = () => {
    const { a, b } = current();
    const wanted = filter.value.trim().toLowerCase();
    const every = rows();
    const found = every.filter(([q]) => data.queries[q].toLowerCase().includes(wanted));
    const compare = sort.by === 0 ? (x, y) => data.queries[x[0]].localeCompare(data.queries[y[0]], "en", { numeric: true }) : (x, y) => x[sort.by] - y[sort.by];
    found.sort((x, y) => sort.down * compare(x, y) || x[0] - y[0]);
    const heads = ["query", data.systems[a], data.systems[b], "difference"].map((name, i) => {
      const by = () => { sort = { by: i, down: sort.by === i ? -sort.down : i === 0 ? 1 : -1 }; drawTable(); table.querySelectorAll("thead button")[i].focus(); };
      const mark = sort.by === i ? (sort.down > 0 ? " ↑" : " ↓") : "";
      return make("th", { scope: "col", class: i ? "" : "nr-words", "aria-sort": mark ? (sort.down > 0 ? "ascending" : "descending") : "none" }, make("button", { type: "button", onclick: by }, name, make("span", { "aria-hidden": "true" }, mark)));
    });
    table.replaceChildren(make("thead", {}, make("tr", {}, ...heads)), make("tbody", {}, ...found.slice(0, MOST).map(drawRow)));
    const say = (x) => x.toLocaleString("en");
    count.textContent = found.length > MOST ? `the first ${say(MOST)} of ${say(found.length)} queries` : `${say(found.length)} of ${say(compared.n)} queries`;
  };
  queries.replaceChildren(make("summary", {}, data.lists ? "Sort, filter, and open their lists" : "Sort and filter"), make("p", { class: "nr-filter" }, filter, " ", count), make("div", { class: "nr-scroll" }, table));
  queries.addEventListener("toggle", () => { if (queries.open && !table.firstChild) drawTable(); });

  const drawPair = () => {
    panel.innerHTML = wordsOf().told; // made and escaped by the program
    drawBars();
    drawStories();
    table.replaceChildren();
    if (queries.open) drawTable();
  };

  // -- rungs --

  const drawChoice = () => { for (const [i, li] of rungs.entries()) li.firstElementChild.setAttribute("aria-pressed", String(chosen.includes(i))); };

  const drawLadder = () => {
    const before = rungs.map((li) => li.getBoundingClientRect().top);
    const focused = document.activeElement;
    for (const [i, li] of rungs.entries()) {
      const { mean, ends = "", at, from, to, marks } = shown.rungs[i];
      const [track, marked] = [".nr-track", ".nr-marks"].map((x) => li.querySelector(x));
      li.querySelector(".nr-mean").textContent = mean;
      li.querySelector(".nr-ends").textContent = ends;
      track.querySelector(".nr-dot").style.left = `${at}%`;
      track.querySelector(".nr-range")?.remove();
      if (ends) track.prepend(make("i", { class: "nr-range", style: `left: ${from}%; right: ${100 - to}%` }));
      marked.replaceChildren(...[...marks].map((mark) => make("i", { class: `nr-${mark}` })));
    }
    list.append(...shown.order.map((i) => rungs[i]));
    focused.focus();
    axis.replaceChildren(...shown.axis.map((x) => make("span", {}, x)));
    told.textContent = shown.told;
    if (still.matches) return;
    for (const [i, li] of rungs.entries()) {
      const moved = before[i] - li.getBoundingClientRect().top;
      if (moved) li.animate([{ transform: `translateY(${moved}px)` }, { transform: "none" }], { duration: 700, easing: "ease-in-out" });
    }
  };

  const choose = (i) => {
    const rest = chosen.filter((x) => x !== i);
    const next = data.baseline === null ? [rest.at(-1), i] : [data.baseline, i];
    if (pairOf(next) < 0) return; // the baseline with itself
    const isSame = pairOf(next) === pairOf(chosen);
    chosen = next;
    drawChoice();
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
    shown = data.views[Number(select.value)];
    drawLadder();
    const next = shown.pairs.length ? shown : data.views[0];
    if (next === compared) return;
    compared = next;
    drawPair();
  });
  if (data.systems.length > 2) drawBars();
};

const given = document.getElementById("nr-data");
if (given) walk(JSON.parse(given.textContent));

// Paper cannot be clicked: what opens is open on it, and is as it was afterwards.
addEventListener("beforeprint", () => {
  for (const closed of document.querySelectorAll("details:not([open])")) {
    closed.open = true;
    addEventListener("afterprint", () => { closed.open = false; }, { once: true });
  }
});
