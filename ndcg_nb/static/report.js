// A report. Python has written every number and sentence; this draws them, and draws again what depends on the pair, slice
// or list that a reader chooses. Only what the reader edits is computed here. Needs host.js.
import { make, minus, number, redrawWhenResized, svg, svgLine, svgText, thousands } from "./core.js";
import { render } from "./explore.js";
import { ladderOf } from "./ladder.js";
import { measure } from "./measures.js";
import { axisOf, movedApart, visible, wholeTicks } from "./places.js";

// ---- Words and numbers ----

const fixed = (x, digits) => minus(x.toFixed(digits));
const signed = (x, digits) => (Number.isNaN(x) ? "0/0" : `${x < 0 ? "" : "+"}${fixed(x, digits)}`);
const four = (x) => (x === null ? "–" : minus(Number.isInteger(x) ? x : x.toFixed(4)));
const shorten = (text, most) => (text.length > most ? `${text.slice(0, most / 2)}…${text.slice(1 - most / 2)}` : text);
const inBold = (text) => text.split("\0").map((part, i) => (i % 2 ? make("b", {}, part) : part));
const colourOf = (difference) => (difference > 0 ? "nr-up" : difference < 0 ? "nr-down" : "");

// An id, which is not broken unless it is long, and its title or text.
const inFull = ([id, text]) => (text ? `${id}: ${text}` : id);
const named = ([id, text]) => [make("bdi", { class: id.length < 25 ? "nr-id" : undefined }, id), text ? `: ${text}` : ""];

// ---- What is chosen ----

const find = (selector) => document.querySelector(selector);
const data = JSON.parse(find("#nr-data").textContent, (_, x) => (typeof x === "string" ? visible(x) : x));
const isOfPairs = data.pairs[0].length > 1; // or of one run, the best of those evaluated
const isOfTwo = isOfPairs && data.systems.length === 2;
let view = data.views[0]; // all queries, or a slice of them
let chosen = data.pairs[0]; // the systems of which lists are shown: two, or one
const pairOf = (some) => data.pairs.findIndex((pair) => pair.length === some.length && some.every((x) => pair.includes(x)));
const current = () => data.pairs[pairOf(chosen)];
const facts = () => view.pairs[pairOf(chosen)];

// Draw now, and whenever something else is chosen.
const followers = [];
const follow = (draw) => { followers.push(draw); draw(); };
const redraw = () => { for (const draw of followers) draw(); };
const following = (element, children) => {
  follow(() => element.replaceChildren(...children()));
  return element;
};

// Of the current pair and slice: the queries with the values in each column, and their difference.
const columnsOf = () => (isOfPairs ? current() : data.systems.map((_, i) => i));
const rowsOf = () => view.queries.map((q) => {
  const values = columnsOf().map((x) => data.values[x][q]);
  return isOfPairs ? [q, ...values, values[1] - values[0]] : [q, ...values];
});

// ---- Tables ----

// What is wider than the page scrolls, and then it can be reached by keys.
const scrolled = (element) => {
  const box = make("div", { class: "nr-scroll" }, element);
  redrawWhenResized(box, () => `${box.clientWidth} ${box.clientHeight}`, () => { box.tabIndex = box.scrollWidth > box.clientWidth ? 0 : -1; });
  return box;
};
const tableOf = ({ head, rows, words }) => {
  const side = (i) => (words.includes(i) ? "nr-words" : undefined);
  const heads = head.map((x, i) => make("th", { scope: "col", class: side(i) }, x));
  const cell = (x, i) => make(i ? "td" : "th", { class: side(i), scope: i ? undefined : "row" }, ...(Array.isArray(x) ? named(x) : [x]));
  const body = rows.map((row) => make("tr", {}, ...row.map(cell)));
  return scrolled(make("table", {}, make("thead", {}, make("tr", {}, ...heads)), make("tbody", {}, ...body)));
};

// ---- Figures ----

// A figure as wide as there is room for, drawn again when that changes or when something else is chosen; paper has its own width.
const ON_PAPER = 340;
const figureOf = (draw) => {
  const box = make("figure");
  const again = () => box.replaceChildren(...draw(Math.max(260, box.clientWidth || 480)));
  follow(again);
  redrawWhenResized(box, () => box.clientWidth, again);
  addEventListener("beforeprint", () => box.replaceChildren(...draw(ON_PAPER)));
  addEventListener("afterprint", again);
  return box;
};
const pictureOf = (width, height, label, ...children) =>
  svg("svg", { viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": label }, ...children.flat());

// An axis at the left: lines across at its ticks, and where a number is.
const leftAxis = (numbers, [left, right, top, bottom], write) => {
  const { ticks, digits, place } = axisOf(numbers);
  const y = (x) => Number((bottom - place(x) * (bottom - top)).toFixed(1));
  const line = (x) => svgLine(left, y(x), right, y(x), { class: "nr-tick" });
  const text = (x) => svgText(left - 6, y(x) + 4, write(x, digits), { "text-anchor": "end" });
  return { y, drawn: ticks.flatMap((x) => [line(x), text(x)]) };
};

// Which lines have a colour: of many systems the chosen two, 0 and 1, or else the last line, 1; all others are 2.
const rankOf = (line, lines) => {
  if (!isOfPairs || isOfTwo) return line === lines.at(-1) ? 1 : 2;
  const place = current().indexOf(data.runs.indexOf(line.name));
  return place < 0 ? 2 : place;
};

const chart = ({ title, across, up, lines, span, is_stairs: isStairs, level }) => figureOf((width) => {
  const rank = new Map(lines.map((line) => [line, rankOf(line, lines)]));
  const drawn = [...lines].sort((a, b) => [1, 2, 0][rank.get(a)] - [1, 2, 0][rank.get(b)]); // grey, ink, blue
  const hasBand = (line) => line.low.length && !line.low.includes(null) && (lines.length < 4 || rank.get(line) === 1);
  const isNamed = (line) => lines.length < 13 || rank.get(line) < 2;
  const room = Math.min(width * 0.42, 14 + 7.2 * Math.max(...lines.filter(isNamed).map((line) => line.label.length)));
  const [left, right, top, bottom] = [38, width - room, 26, 200];
  const x = (at) => Number((left + ((Math.max(at, span[0]) - span[0]) / (span[1] - span[0] || 1)) * (right - left)).toFixed(1));
  const seen = lines.flatMap((line) => [...line.y, ...(hasBand(line) ? [...line.low, ...line.high] : [])]).filter((value) => value !== null);
  const { y, drawn: axis } = leftAxis(isStairs ? [0, ...seen] : seen, [left, right, top, bottom], fixed);
  const stairs = (xs, ys) => ys.map((each, i) => `${i ? "V" : `M${x(xs[0])} `}${y(each)}H${x(xs[i + 1])}`).join("");
  const path = (xs, ys) => (isStairs ? stairs(xs, ys) : ys.map((each, i) => `${i ? "L" : "M"}${x(xs[i])} ${y(each)}`).join(""));
  const around = (line) => `${path(line.x, line.low)}L${path(line.x.toReversed(), line.high.toReversed()).slice(1)}Z`;
  const band = (line) => svg("path", { class: `nr-band nr-${rank.get(line)}`, d: around(line) });
  const ends = drawn.filter(isNamed);
  const names = movedApart(ends.map((line) => y(line.y.at(-1))), 14, bottom);
  return [
    pictureOf(width, 236, title, svgText(0, 12, up), axis, wholeTicks(span).map((at) => svgText(x(at), bottom + 16, at, { "text-anchor": "middle" })),
      svgText(right, bottom + 32, across, { "text-anchor": "end" }), drawn.filter(hasBand).map(band),
      drawn.map((line) => svg("path", { class: `nr-line nr-${rank.get(line)}`, d: path(line.x, line.y) })),
      level ? [svgLine(left, y(level[1]), right, y(level[1]), { class: "nr-level" }), svgText(right, y(level[1]) - 4, level[0], { "text-anchor": "end" })] : [],
      ends.map((line, i) => svgText(right + 6, names[i] + 4, shorten(line.label, Math.floor((room - 8) / 7)), { class: `nr-${rank.get(line)}` }))),
    make("figcaption", {}, title),
  ];
});

// A small picture for each system, a dot for each query: how much was judged, and the value.
const dots = ({ title, across, up, lines, span }) => {
  const [left, right, top, bottom] = [22, 150, 22, 100];
  const x = (share) => (left + 4 + ((share - span[0]) / (1 - span[0])) * (right - left - 10)).toFixed(1);
  const y = (value) => (bottom - 4 - value * (bottom - top - 8)).toFixed(1);
  const percent = (share) => `${Math.round(100 * share)}%`;
  const panel = (line) => pictureOf(156, 120, `${line.label} judged`, svgText(0, 12, shorten(line.label, 23)), svgLine(left, top, left, bottom, { class: "nr-tick" }),
    svgLine(left, bottom, right, bottom, { class: "nr-tick" }), svgText(left - 5, top + 8, 1, { "text-anchor": "end" }), svgText(left - 5, bottom, 0, { "text-anchor": "end" }),
    svgText(left, bottom + 16, percent(span[0])), svgText(right, bottom + 16, "100%", { "text-anchor": "end" }),
    line.x.map((share, i) => svg("circle", { cx: x(share), cy: y(line.y[i]), r: 2.5 })));
  if (lines.every((line) => line.x.every((share) => share === 1))) return make("figure", {}, make("figcaption", {}, title)); // all at the right edge
  return make("figure", {}, make("div", { class: "nr-panels" }, ...lines.map(panel)), make("figcaption", {}, title, make("span", { class: "nr-axes" }, `: ${up} against ${across}`)));
};

// The difference in each query, the highest first, their mean and its interval.
const bars = () => figureOf((width) => {
  const { called: [a, b], wins, share, mean, ends } = facts();
  const every = rowsOf().map(([q, , , difference]) => [data.queries[q][0], difference]).sort((x, y) => y[1] - x[1]);
  const heights = every.map((x) => x[1]);
  const known = ends.filter((x) => x !== null);
  const [left, right, top, bottom] = [44, width - 104, 22, 190];
  const { y, drawn: axis } = leftAxis([0, ...heights, ...known], [left, right, top, bottom], (x, digits) => (x ? signed(x, digits) : "0"));
  const each = (right - left) / (every.length || 1);
  const thick = every.length > 150 ? each : 0.8 * each;
  const shape = (isMeant) => heights.map((x, i) => (isMeant(x) ? `M${(left + i * each).toFixed(2)} ${y(0)}V${y(x)}h${thick.toFixed(2)}V${y(0)}z` : "")).join("");
  const words = [`mean ${signed(mean, 3)}`, ...(known.length > 1 ? [`${share} interval`, known.map((x) => signed(x, 3)).join(", ")] : [])];
  const beside = Math.max(top + 8, Math.min(bottom - 30, y(mean) - 12));
  const told = ([id, difference]) => `${shorten(id, 24)} ${signed(difference, 3)}`;
  const label = `${b} − ${a}, one bar for each query`;
  const some = every.length < view.n ? `: the ${thousands(every.length)} that differ most` : "";
  return [
    pictureOf(width, 212, label, axis, known.length > 1 ? svg("rect", { class: "nr-ci", x: left, width: right - left, y: y(known[1]), height: Math.max(1, y(known[0]) - y(known[1])) }) : [],
      svg("path", { class: "nr-up", d: shape((x) => x > 0) }), svg("path", { class: "nr-down", d: shape((x) => x < 0) }),
      svgLine(left, y(0), right, y(0), { class: "nr-zero" }), svgLine(left, y(mean), right, y(mean), { class: "nr-at" }),
      heights[0] > 0 ? svgText(left, y(heights[0]) - 4, told(every[0])) : [],
      heights.at(-1) < 0 ? svgText(right, y(heights.at(-1)) + 14, told(every.at(-1)), { "text-anchor": "end" }) : [],
      words.map((text, i) => svgText(right + 8, beside + 15 * i, text))),
    make("figcaption", {}, `${wins}. ${label}${some}, from ${signed(heights.at(-1), 4)} to ${signed(heights[0], 4)}`),
  ];
});

// ---- The lists of a query ----

// A grade or cutoff chosen in one list holds in the other.
const copyChanges = (one, other) => {
  one.on("change:documents", () => {
    const grades = new Map(one.get("documents").map((d) => [d.name, d.grade]));
    const differs = (d) => grades.has(d.name) && grades.get(d.name) !== d.grade;
    if (!other.get("documents").some(differs)) return;
    other.set("documents", other.get("documents").map((d) => (differs(d) ? { ...d, grade: grades.get(d.name) } : d)));
  });
  one.on("change:k", () => { if (other.get("k") !== one.get("k")) other.set("k", one.get("k")); });
};

// Keep the sentence above the lists true: their values, and what the mean over all queries would be.
const meanText = (x) => (isOfPairs ? signed(x, 4) : Number.isNaN(x) ? "0/0" : x.toFixed(4));
const keepTrue = (box, models) => {
  const names = ["documents", "levels", "gains", "discounts", "gain", "discount", "k", "penalty"];
  const value = (model) => measure(Object.fromEntries(names.map((name) => [name, model.get(name)]))).nDCG;
  const k = models[0].get("k");
  const difference = (values) => (values.length > 1 ? values[1] - values[0] : values[0]);
  const before = models.map(value);
  const say = () => {
    const now = models.map(value);
    const mean = Number(box.dataset.mean) + (difference(now) - difference(before)) / Number(box.dataset.queries);
    const isSame = models[0].get("k") === k;
    const texts = { a: number(now[0]), b: number(now.at(-1)), difference: signed(difference(now), 3), mean: isSame ? meanText(mean) : "that of another k" };
    for (const span of box.querySelectorAll("[data-is]")) span.textContent = texts[span.dataset.is];
    box.classList.toggle("nr-moved", !isSame || now.some((x, i) => x !== before[i]));
  };
  for (const model of models) for (const name of ["documents", "k"]) model.on(`change:${name}`, say);
};

// The lists of the chosen systems for a query, as the widget takes them.
const statesOf = (q) => {
  const { k, documents, best, shown } = data.lists[q];
  const lists = current().map((x) => shown[x]);
  const every = [...new Set([...lists.flat(), ...best])];
  const kind = every.every((i) => documents[i][2] !== null) ? "ndcg" : "unjudged";
  const one = (i, isShown) => ({ name: documents[i][0], title: documents[i][1], grade: documents[i][2] ?? 0, shown: isShown, ...(documents[i][2] === null ? { unjudged: true } : {}) });
  return lists.map((order) => ({ ...data.forms, k, pair: [], dialects: {}, view: kind,
    documents: [...order.map((i) => one(i, true)), ...every.filter((i) => !order.includes(i)).map((i) => one(i, false))] }));
};

// The list of one run as a table, and below it the relevant documents that it misses.
const listOf = (q) => {
  const { documents, best, shown } = data.lists[q];
  const list = shown[current()[0]];
  const gradeText = (grade) => (grade === null ? "not judged" : minus(Math.round(grade * 1000) / 1000));
  const row = (i, rank) => [documents[i].slice(0, 2), rank, gradeText(documents[i][2])];
  const missed = best.filter((i) => !list.includes(i));
  return tableOf({ head: ["document", "rank", "grade"], rows: [...list.map((i, n) => row(i, n + 1)), ...missed.map((i) => row(i, "–"))], words: [0] });
};

// The lists of a query, ready to be edited, below a sentence that stays true.
const lists = (q) => {
  if (!data.lists?.[q]) return make("p", { class: "nr-aside" }, "The lists of this query are not in this file.");
  const states = statesOf(q);
  const names = facts().called;
  const values = states.map((state) => measure(state).nDCG);
  const span = (name, text) => make("span", { "data-is": name }, text);
  const [a, b] = [span("a", number(values[0])), span("b", number(values.at(-1)))];
  const mean = span("mean", meanText(facts().mean));
  const n = `${thousands(view.n)} queries is `;
  const sentence = isOfPairs
    ? [`nDCG@${states[0].k} of these lists: ${names[0]} `, a, `, ${names[1]} `, b, ", ", span("difference", signed(values[1] - values[0], 3)),
      `. With them the mean difference over ${n}`, mean, "."]
    : [`nDCG@${states[0].k} of this list: `, a, `. With it the mean over ${n}`, mean, "."];
  const weight = data.weights ? view.weight / data.weights[q] : view.n;
  const box = make("div", { class: "nr-twins", "data-mean": facts().mean, "data-queries": weight }, make("p", {}, ...sentence));
  const exact = current().map((x) => data.values[x][q]);
  if (exact.some((x, i) => Math.abs(x - values[i]) > 0.0005))
    box.append(make("p", { class: "nr-aside" }, `${data.measure} itself is ${exact.map((x) => x.toFixed(3)).join(" and ")} here: equal scores share what their `,
      "ranks are worth, and a list shows one order of them, at most 20 ranks, and none of a tool's own rules."));
  const models = [];
  const hosts = states.map((state) => make("div", { class: "nx-static", "data-widget": "explore" }, make("script", { type: "application/json" }, JSON.stringify(state))));
  box.append(make("div", { class: "nr-lists" }, ...hosts.map((host, i) => make("div", {}, make("h4", {}, names[i]), host))));
  bring(hosts, async () => ({ default: { render } }), (name, widget, { model }) => {
    models.push(model);
    if (models.length < hosts.length) return;
    if (models.length > 1) { copyChanges(models[0], models[1]); copyChanges(models[1], models[0]); }
    keepTrue(box, models);
  });
  return box;
};

// The queries that decided a pair, or the worst of a run.
const HOW = "Open a query to edit its lists: drag a result, change a grade, move k. The sentence above them stays true.";
const storyOf = (q) => {
  const values = current().map((x) => data.values[x][q]);
  const by = isOfPairs ? [colourOf(values[1] - values[0]), signed(values[1] - values[0], 3)] : ["nr-down", fixed(values[0], Number.isInteger(values[0]) ? 0 : 3)];
  const summary = make("summary", {}, make("h3", {}, ...named(data.queries[q])), make("span", { class: `nr-by ${by[0]}` }, by[1]));
  const body = isOfPairs ? data.documents[`${pairOf(chosen)} ${q}`]?.flatMap(draw) ?? [] : data.lists ? [listOf(q)] : [];
  return make("details", { "data-query": q }, summary, ...body);
};
const stories = () => [
  following(make("p", { class: "nr-head" }), () => [facts().head]),
  make("p", { class: "nr-aside nr-how" }, HOW),
  following(make("div", { class: `nr-stories ${isOfPairs ? "" : "nr-worst"}` }), () => facts().decided.map(storyOf)),
];

// ---- The ladder ----

const choose = (i) => {
  const next = data.baseline === null ? [chosen.filter((x) => x !== i).at(-1), i] : [data.baseline, i];
  if (pairOf(next) < 0) return; // the baseline with itself
  chosen = next;
  redraw();
};

const ladder = () => {
  const isChoice = data.systems.length > 2;
  const { columns, drawn, draw: drawRungs } = ladderOf({ systems: data.systems, views: data.views, numbered: data.is_long && !isOfTwo, choose: isChoice && choose });
  const told = make("span", { class: "nr-told", role: "status" });
  const options = data.views.map((x, i) => make("option", { value: i }, x.label));
  const select = make("select", { onchange: () => { view = data.views[Number(select.value)]; redraw(); } }, ...options);
  follow(() => {
    drawRungs(view, chosen);
    told.textContent = view.told;
  });
  const switched = data.views.length > 1 ? [make("label", { class: "nr-switch" }, "Means over ", select)] : [];
  const below = make("p", { class: "nr-aside" }, make("span", { class: "nr-how" }, isChoice ? "Choose two rungs to compare them. " : ""), told);
  return make("section", { class: "nr-ladder", style: `--brackets: ${columns}`, "aria-label": `Systems by mean ${data.measure}` }, ...switched, ...drawn, below);
};

const pair = () => following(make("div", { class: "nr-pair" }), () => {
  const { asks, verdict, answer, told } = facts();
  const kind = verdict.replace(" ", "-");
  return [make(isOfTwo ? "h1" : "h2", {}, asks), make("p", { class: `nr-answer nr-${kind}` }, make("b", {}, answer)), make("p", {}, told)];
});

// ---- Every query ----

const MOST = 1000; // rows of the table
const queries = () => {
  let sort;
  const filter = make("input", { type: "search", placeholder: "Filter queries", "aria-label": "Filter queries", oninput: () => drawTable() });
  const count = make("span", { class: "nr-aside", role: "status" });
  const table = make("table");
  const box = make("details", { class: "nr-queries" }, make("summary", {}, data.lists ? "Sort, filter, and open their lists" : "Sort and filter"), make("p", { class: "nr-filter" }, filter, " ", count), scrolled(table));

  const open = (row, button, q) => {
    const isOpen = button.getAttribute("aria-expanded") === "true";
    button.setAttribute("aria-expanded", String(!isOpen));
    if (isOpen) row.nextElementSibling.remove();
    else row.after(make("tr", {}, make("td", { colspan: row.children.length, class: "nr-opened" }, lists(q))));
  };
  const drawRow = ([q, ...values]) => {
    const row = make("tr");
    const name = named(data.queries[q]);
    const head = data.lists?.[q] ? [make("button", { type: "button", "aria-expanded": "false", onclick: (event) => open(row, event.currentTarget, q) }, ...name)] : name;
    const by = isOfPairs ? [values.pop()] : [];
    row.append(make("th", { class: "nr-words", scope: "row" }, ...head), ...values.map((x) => make("td", {}, four(x))), ...by.map((x) => make("td", { class: colourOf(x) }, signed(x, 4))));
    return row;
  };
  // Where there is no value, a query is the last whichever way they are sorted.
  const compare = (x, y) => {
    if (sort.by === 0) return sort.down * inFull(data.queries[x[0]]).localeCompare(inFull(data.queries[y[0]]), "en", { numeric: true });
    const [a, b] = [x[sort.by], y[sort.by]];
    return a === null || b === null ? (a === null) - (b === null) : sort.down * (a - b);
  };
  const drawTable = () => {
    const names = ["query", ...(isOfPairs ? [...facts().called, "difference"] : data.systems)];
    sort ??= { by: names.length - 1, down: 1 };
    const wanted = filter.value.trim().toLowerCase();
    const found = rowsOf().filter(([q]) => inFull(data.queries[q]).toLowerCase().includes(wanted));
    found.sort((x, y) => compare(x, y) || x[0] - y[0]);
    const heads = names.map((name, i) => {
      const by = () => {
        sort = { by: i, down: sort.by === i ? -sort.down : i === 0 ? 1 : -1 };
        drawTable();
        table.querySelectorAll("thead button")[i].focus();
      };
      const [mark, way] = sort.by !== i ? ["", "none"] : sort.down > 0 ? [" ↑", "ascending"] : [" ↓", "descending"];
      const press = make("button", { type: "button", onclick: by }, name, make("span", { "aria-hidden": "true" }, mark));
      return make("th", { scope: "col", class: i ? undefined : "nr-words", "aria-sort": way }, press);
    });
    table.replaceChildren(make("thead", {}, make("tr", {}, ...heads)), make("tbody", {}, ...found.slice(0, MOST).map(drawRow)));
    const total = isOfPairs ? view.n : view.queries.length;
    count.textContent = found.length > MOST ? `the first ${thousands(MOST)} of ${thousands(found.length)} queries` : `${thousands(found.length)} of ${thousands(total)} queries`;
  };
  const fill = () => { if (!table.firstChild) drawTable(); };
  box.addEventListener("toggle", () => { if (box.open) fill(); });
  addEventListener("beforeprint", fill); // paper does not wait for a toggle
  follow(() => { table.replaceChildren(); if (box.open) drawTable(); });
  return box;
};

// ---- The page ----

const DRAW = {
  head: ([title, told]) => make("header", {}, make("p", { class: "nr-title" }, title), make("p", { class: "nr-kicker" }, told)),
  title: (text) => make("h1", {}, text),
  answer: (text) => make("p", { class: "nr-answer" }, ...inBold(text)),
  value: ([mean, of]) => make("p", { class: "nr-answer" }, make("b", {}, mean), ` ${of}`),
  words: (text) => make("p", {}, text),
  aside: (text) => make("p", { class: "nr-aside" }, text),
  list: (texts) => make("ul", {}, ...texts.map((text) => make("li", {}, text))),
  code: (text) => make("pre", {}, text),
  columns: (columns) => make("div", { class: "nr-hero" }, ...columns.map((parts) => make("div", {}, ...parts.flatMap(draw)))),
  figures: (parts) => make("div", { class: "nr-figures" }, ...parts.flatMap(draw)),
  details: ([title, ...parts]) => make("details", {}, make("summary", {}, title), ...parts.flatMap(draw)),
  table: tableOf,
  chart,
  dots,
  bars: () => make("div", { class: "nr-bars" }, bars()),
  ladder,
  pair,
  stories,
  queries,
};
function draw([kind, what]) { return DRAW[kind](what); }
find("main").append(...data.top.flatMap(draw), ...data.sections.flatMap(([title, parts]) => [make("h2", {}, title), ...parts.flatMap(draw)]));

// Paper cannot be clicked: what opens is open on it, and is as it was afterwards. Lists to edit are of no use there.
let isPrinting = false;
document.addEventListener("toggle", ({ target }) => {
  if (target.open && !isPrinting && target.dataset.query && !target.querySelector(".nr-twins")) target.append(lists(Number(target.dataset.query)));
}, true);
addEventListener("beforeprint", () => {
  isPrinting = true;
  for (const closed of document.querySelectorAll("details:not([open])")) {
    closed.open = true;
    addEventListener("afterprint", () => { closed.open = false; }, { once: true });
  }
});
addEventListener("afterprint", () => { setTimeout(() => { isPrinting = false; }); });
