// Paste your run: judgements and one or two runs as text, the mean that every tool would print, and where the tools disagree.
// Nothing leaves the browser: a worker made of this very module reads the text and computes, so the page never freezes.
import { button, chance, change, clamp, copyAddress, counted, cutoffIn, frame, idealIsTheList, listed, listen, make, minus, number, partOfAddress, speaker, thousands } from "./core.js";
import { gainOf, weightsOf } from "./tools.js";
import { Unreadable, kindOf, textOf, unreadable } from "./tables.js";
import { compareRuns, evaluate, listIn, readProblem } from "./runs.js";
import { measure } from "./measures.js";
import { render } from "./explore.js";

// ---- What is found, in words ----

const nameOf = (k) => (k === null ? "nDCG" : `nDCG@${k}`);
const range = (low, high, digits = 3) => (low.toFixed(digits) === high.toFixed(digits) ? low.toFixed(digits) : `${low.toFixed(digits)} to ${high.toFixed(digits)}`);
const bestKnown = (tools) => tools.find((tool) => ["trec_eval", "lightgbm", "sklearn"].includes(tool.name)) ?? tools[0];
const someTools = (tools) => `${counted(tools.length, "tool")} (${listed(tools.map((x) => x.title), 3)})`;

// What the tools say of two runs: which has the higher mean. That is no verdict on which is better.
function writeTwo([a, b], k, answered) {
  const by = answered.map(({ means }) => means[1] - means[0]);
  const where = (holds) => answered.filter((_, i) => holds(by[i])).map((x) => x.tool);
  const [forA, forB, equal] = [where((x) => x < -1e-12), where((x) => x > 1e-12), where((x) => Math.abs(x) <= 1e-12)];
  const same = equal.length ? [`${someTools(equal)} ${equal.length === 1 ? "prints" : "print"} the same mean for both.`] : [];
  if (forA.length && forB.length) {
    return [`${bestKnown(forA).title} and ${bestKnown(forB).title} disagree about which run has the higher mean ${nameOf(k)}.`,
      `By ${someTools(forA)} it is “${a}”, and by ${someTools(forB)} “${b}”.`, ...same];
  }
  if (!forA.length && !forB.length) return [`All ${answered.length} tools print the same mean ${nameOf(k)} for both runs.`];
  const gaps = by.map(Math.abs).filter((x) => x > 1e-12);
  const higher = `“${forB.length ? b : a}” has the higher mean ${nameOf(k)}`;
  const all = equal.length ? `No tool disagrees: ${higher} for ${counted(gaps.length, "tool")}` : `All ${answered.length} tools agree: ${higher}`;
  return [`${all}, by ${range(Math.min(...gaps), Math.max(...gaps))}.`, ...same];
}

// The sentence that matters, and what else is to be said.
export function verdict(tools, names, says, k) {
  const answered = tools.map((tool, i) => ({ tool, means: says[i].map((x) => x.mean) })).filter(({ means }) => means.every((x) => x !== undefined));
  if (!answered.length) return ["No tool has a number for this."];
  if (names.length > 1) return writeTwo(names, k, answered);
  const means = answered.map((x) => x.means[0]);
  const different = new Set(means.map((x) => x.toFixed(4))).size;
  if (different === 1) return [`All ${answered.length} tools print the same mean ${nameOf(k)}, ${means[0].toFixed(4)}.`];
  return [`${counted(answered.length, "tool")} print ${different} different means of ${nameOf(k)}, from ${range(Math.min(...means), Math.max(...means))}.`];
}

// Why our own difference may be larger or smaller than that of every tool.
const OUTSIDE = "That is outside the range of the tools, because its rules are none of theirs: ties are averaged, and a query without a relevant document is excluded.";

// Whether the difference may be chance, by our own nDCG: the higher mean less the lower. `gaps` are the differences b − a by tool.
export function writeTest([a, b], k, test, gaps = []) {
  if (!test) return b ? ["These are too few queries for an interval and a test."] : [];
  const { p, queries } = test;
  const isLower = test.mean < 0;
  const [mean, low, high] = isLower ? [-test.mean, -test.high, -test.low] : [test.mean, test.low, test.high];
  const pair = isLower ? `${a} − ${b}` : `${b} − ${a}`;
  const by = `By our own ${nameOf(k)}, ${pair} is ${mean.toFixed(4)} over ${counted(queries, "query")}`;
  const isOutside = gaps.length > 0 && (test.mean < Math.min(...gaps) - 0.00005 || test.mean > Math.max(...gaps) + 0.00005);
  const why = isOutside ? [OUTSIDE] : [];
  if (Number.isNaN(p)) return [`${by}, the same on each.`, ...why];
  return [`${by}, 95% interval ${minus(low.toFixed(4))} to ${minus(high.toFixed(4))}, p ${p < 0.0005 ? "< 0.001" : `= ${chance(p)}`} (paired t-test): ${p < 0.05 ? "unlikely to be chance alone" : "this may be chance"}.`, ...why];
}

// What each tool has for b − a, of those that have both means.
export const gapsOf = (says) => says.filter((two) => two.length > 1 && two.every((x) => x.mean !== undefined)).map(([a, b]) => b.mean - a.mean);

// Tools that have the same values, together; the highest mean first.
export function grouped(tools, says) {
  const groups = [];
  const alike = (a, b) => a.values.every((x, j) => Object.is(x, b.values[j]) || Math.abs(x - b.values[j]) < 1e-9);
  tools.forEach((tool, i) => {
    if (says[i].some((x) => x.why)) return;
    const same = groups.find((one) => one.says.every((x, r) => alike(x, says[i][r])));
    const one = same ?? { tools: [], says: says[i], titles: [] };
    if (!same) groups.push(one);
    one.tools.push(tool);
    const prints = says[i].map((x) => x.mean.toFixed(tool.rounding ?? 4));
    one.titles.push((tool.rounding ?? 4) === 4 ? tool.title : `${tool.title} (prints ${prints.join(" and ")})`);
  });
  return groups.sort((a, b) => b.says[0].mean - a.says[0].mean);
}

// Tools that have no number for a run, by the reason.
export function refusals(tools, says) {
  const refused = tools.map((tool, i) => ({ title: tool.title, why: says[i].find((x) => x.why)?.why })).filter((x) => x.why);
  return [...new Set(refused.map((x) => x.why))].map((why) => ({ why, they: refused.filter((x) => x.why === why).map((x) => x.title) }));
}

// What a cell of a strip shows: the value, or the difference of two runs.
const shadeOf = (says, q) => (says.length > 1 ? says[1].values[q] - says[0].values[q] : says[0].values[q]);

// The queries, those about which the tools disagree most first; with two runs, about the difference.
export function byDisagreement(groups, count) {
  const spread = Array.from({ length: count }, (_, q) => {
    const all = groups.map(({ says }) => shadeOf(says, q)).filter((x) => !Number.isNaN(x));
    return all.length ? Math.max(...all) - Math.min(...all) : -1;
  });
  return spread.map((_, q) => q).sort((a, b) => spread[b] - spread[a] || a - b);
}

// What there is to say of judgements and runs beside their numbers.
export function notesOf({ judged, runs }) {
  const empty = [...judged.values()].filter((documents) => ![...documents.values()].some((x) => x.grade > 0)).length;
  const notes = [`${counted(judged.size, "judged query")}${empty ? `, ${thousands(empty)} without a relevant document` : ""}.`];
  for (const { name, results, ranks, inVain } of runs) {
    const missing = [...judged.keys()].filter((q) => !results.has(q) && !inVain.has(q));
    const extra = [...results.keys()].filter((q) => !judged.has(q));
    if (missing.length) notes.push(`${counted(missing.length, "judged query")} ${missing.length === 1 ? "is" : "are"} missing from ${name}: ${listed(missing, 5)}.`);
    if (extra.length) notes.push(`${counted(extra.length, "query")} of ${name} ${extra.length === 1 ? "has" : "have"} no judgements (ignored).`);
    if (ranks) notes.push(`The scores of ${name} are 1, 2, 3, … from the top down: if these are ranks, call the column “rank”. The highest score is ranked first.`);
  }
  return notes;
}

// ---- The list of one query, which can be moved ----

const MOST = 20; // results that are shown
const FORM = { positive: "linear", "positive-exp": "exp" };

// What `explore` needs to show a query's list as a tool ranks and weighs it.
export function livingList({ shown, missed }, tool, k) {
  const wanted = k ?? tool.default_k ?? Infinity;
  const [cut, top, short] = [Math.min(wanted, MOST), shown.slice(0, MOST), wanted > MOST && shown.length > MOST];
  const worth = (x) => gainOf(tool.gain, x.grade);
  const rest = [...shown.slice(top.length), ...missed].filter((x) => worth(x) > 0).sort((a, b) => worth(b) - worth(a));
  const aside = idealIsTheList(tool) ? [] : rest.slice(0, cut);
  const documents = [...top, ...aside].map(({ id, grade, judged }, i) => ({ name: `D${i + 1}`, title: judged ? id : `${id} (unjudged)`, grade, shown: i < top.length }));
  const highest = Math.max(3, ...documents.map((d) => d.grade));
  const offered = highest <= 10 ? Array.from({ length: Math.floor(highest) + 1 }, (_, i) => i) : [0];
  const levels = [...new Set([...documents.map((d) => d.grade), ...offered])].sort((a, b) => a - b);
  const gain = FORM[tool.gain.form] ?? tool.gain.form;
  const discount = tool.discount.length > 1 ? `${tool.discount[0]} ${Number(tool.discount[1].toFixed(3))}` : tool.discount[0];
  return {
    documents, levels, gain, discount, k: wanted === Infinity && !short ? null : cut, short, view: "losses", penalty: 1, pair: [], dialects: {},
    choices: { gain: [gain], discount: [discount] },
    gains: { [gain]: levels.map((grade) => gainOf(tool.gain, grade)) },
    discounts: { [discount]: weightsOf(tool, 2 * MOST + 20) },
  };
}

const plainModel = (state) => { // as a page without a kernel has it
  const listeners = {};
  return {
    get: (name) => state[name],
    set: (name, value) => { state[name] = value; for (const listener of listeners[`change:${name}`] ?? []) listener(); },
    on: (event, listener) => (listeners[event] ??= []).push(listener),
    off: (event, listener) => { listeners[event] = listeners[event].filter((x) => x !== listener); },
    save_changes() {},
  };
};

// ---- The worker ----

// What a worker does: it keeps what it has read, and answers.
function work() {
  let problem = null;
  return ({ texts, tools, ours, k, list }, reply) => {
    try {
      if (texts) problem = readProblem(texts);
      if (list) reply({ list: listIn(problem, list.run, list.query, list.tool), of: list });
      else {
        const found = evaluate(problem, tools, k);
        reply({ found: { ...found, k, names: problem.runs.map((x) => x.name), negatives: problem.negatives, notes: notesOf(problem), test: compareRuns(problem, ours, k) } });
      }
    } catch (error) {
      if (!(error instanceof Unreadable)) throw error;
      problem = null;
      reply({ why: error.message });
    }
  };
}
if (typeof WorkerGlobalScope !== "undefined" && globalThis instanceof WorkerGlobalScope) {
  const answer = work();
  globalThis.onmessage = ({ data }) => answer(data, (reply) => postMessage(reply));
}

// The text of this module, of which workers are made: asked for at once, since its address may not last.
const ownText = typeof document === "undefined" ? Promise.reject() : fetch(import.meta.url).then((answer) => answer.arrayBuffer());
ownText.catch(() => {}); // then the page itself works

// The module as an address that a worker can be made of: pages that are files may not use that of a Blob.
const address = async () => `data:text/javascript;base64,${inBase64(new Uint8Array(await ownText))}`;
function inBase64(bytes) {
  let letters = "";
  for (let i = 0; i < bytes.length; i += 2 ** 12) letters += String.fromCharCode(...bytes.subarray(i, i + 2 ** 12));
  return btoa(letters);
}

// A worker to ask, which is replaced when it is stopped; where there can be none, the page itself works.
function newHelper(reply) {
  let [worker, source, last] = [null, null, null];
  const workHere = () => {
    const answer = work();
    worker = Promise.resolve({ postMessage: (asked) => setTimeout(() => answer(asked, reply)), terminate() {} });
    worker.then((it) => last && it.postMessage(last));
  };
  const begin = async () => {
    const made = new Worker(await (source ??= address()), { type: "module" });
    made.onmessage = ({ data }) => reply(data);
    made.onerror = workHere;
    return made;
  };
  return {
    ask(asked) {
      last = asked;
      worker ??= begin();
      worker.then((it) => it.postMessage(asked), workHere);
    },
    stop() {
      worker?.then((it) => it.terminate(), () => {});
      worker = null;
    },
  };
}

// ---- A state that can be kept ----

const LINK = "paste=";
const FITS = 8000; // characters of a link that mail, chats and browsers let through
const MOST_BYTES = 2 ** 29; // about as much as a text can have in a browser

// The bytes that come out of a stream; what unpacks to more than a page can hold is refused.
export async function piped(bytes, stream, most = MOST_BYTES) {
  const [reader, parts] = [new Blob([bytes]).stream().pipeThrough(stream).getReader(), []];
  let size = 0;
  for (let { done, value } = await reader.read(); !done; { done, value } = await reader.read()) {
    size += value.length;
    parts.push(value);
    if (size > most) unreadable("it unpacks to more than 500 MB: use evaluate(…) in Python");
  }
  return new Uint8Array(await new Blob(parts).arrayBuffer());
}

// What was pasted, as a part of an address, and back.
export async function linked(state) {
  const packed = await piped(new TextEncoder().encode(JSON.stringify(state)), new CompressionStream("deflate-raw"));
  return LINK + inBase64(packed).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}
export async function unlinked(hash) {
  try {
    const letters = atob(partOfAddress(hash, LINK).replaceAll("-", "+").replaceAll("_", "/"));
    return stateIn(new TextDecoder().decode(await piped(Uint8Array.from(letters, (c) => c.charCodeAt(0)), new DecompressionStream("deflate-raw"))));
  } catch {
    return null;
  }
}
// The state in a text that was kept; null in any other.
export function stateIn(text) {
  if (!/^\s*\{\s*"paste"\s*:/.test(text.slice(0, 100))) return null;
  const { paste: { qrels, runs, k, noNegatives } } = JSON.parse(text);
  return { paste: { qrels: String(qrels), runs: runs.map((run) => run.map(String)).slice(0, 2), k: k === null ? null : Number(k), noNegatives: Boolean(noNegatives) } };
}

// ---- The boxes ----

const BOXES = {
  qrels: { label: "Judgements (qrels)", example: "q1 0 doc7 3\nor a table with a header, or JSON; or one table that has scores, too" },
  a: { label: "Run", example: "q1 Q0 doc7 1 12.5 name\nor a table with a header, or JSON" },
  b: { label: "Second run, if there is one", example: "none" },
};
const LARGE = 2 ** 18; // characters above which a box shows only how many there are
const isSame = (one, other) => JSON.stringify(one) === JSON.stringify(other);
const isGeneric = (name) => /^(qrels|run [AB12])$/.test(name); // a run that has no name of its own is called by the tag of its lines
let forms = 0; // forms on this page, so that each has ids of its own

// What the boxes hold. A text that is long is held beside its box, which shows how long it is.
function newBoxes(onInput, onPaste) {
  const [held, texts, notes] = [{}, {}, {}];
  const prefix = `np-${forms += 1}`;
  const put = (field, name, text) => {
    held[field] = { name, text, large: text.length > LARGE };
    texts[field].value = held[field].large ? `${isGeneric(name) ? "pasted" : name}: ${thousands(text.length)} characters, not shown.\nEmpty this box to remove it.` : text;
  };
  const generic = { qrels: "qrels", a: "run A", b: "run B" };
  const newBox = (field) => {
    const id = `${prefix}-${field}`;
    texts[field] = make("textarea", {
      id, rows: 4, spellcheck: "false", autocomplete: "off", wrap: "off", placeholder: BOXES[field].example, "aria-describedby": `${id}-note`,
      oninput: () => {
        held[field] = { name: generic[field], text: texts[field].value, large: false };
        onInput();
      },
      onpaste: (event) => {
        const text = event.clipboardData.getData("text");
        if (!onPaste() && text.length <= LARGE) return; // a browser takes its time with a long text
        event.preventDefault();
        put(field, generic[field], text);
        onInput();
      },
    });
    notes[field] = make("span", { class: "np-note", id: `${id}-note` });
    return make("div", { class: `np-box np-${field}` }, make("label", { for: id }, BOXES[field].label), texts[field], notes[field]);
  };
  const row = make("div", { class: "np-boxes" }, ...Object.keys(BOXES).map(newBox));
  const isFilled = (field) => Boolean(held[field]?.text.trim());
  return {
    row, put, isFilled, generic,
    isLarge: () => Object.values(held).some((x) => x.large),
    runs: () => ["a", "b"].filter(isFilled).map((field) => [held[field].name, held[field].text]),
    qrels: () => [held.qrels?.name ?? "qrels", held.qrels?.text ?? ""],
    clear: () => { for (const field of Object.keys(BOXES)) put(field, generic[field], ""); },
    note: (why = "") => { // below the box that it is about, if it is about one
      const field = Object.keys(texts).find((x) => isFilled(x) && why.startsWith(`${held[x].name}`) && /^[, :]/.test(why.slice(held[x].name.length)));
      for (const x of Object.keys(texts)) {
        notes[x].textContent = x === field ? why : "";
        texts[x].toggleAttribute("aria-invalid", x === field);
      }
      return Boolean(field);
    },
  };
}

// ---- The table of means ----

// A strip with a cell for each query, which tells what is below the hand and what was clicked.
function newStrip({ says }, order, describe, choose) {
  const canvas = make("canvas", { height: 1, width: order.length, "aria-hidden": "true" });
  const brush = canvas.getContext("2d");
  const picture = brush.createImageData(order.length, 1);
  const isPair = says.length > 1;
  order.forEach((q, x) => {
    const value = shadeOf(says, q);
    const colour = isPair && value < 0 ? [209, 96, 10] : [31, 111, 235];
    const strength = Number.isNaN(value) ? 0 : isPair ? 40 + 215 * Math.min(1, Math.abs(value) * 2) : 30 + 225 * clamp(value, 0, 1);
    picture.data.set(value === 0 && isPair ? [128, 128, 128, 50] : [...colour, strength], 4 * x);
  });
  brush.putImageData(picture, 0, 0);
  const at = (event) => order[clamp(Math.floor((event.offsetX / canvas.clientWidth) * order.length), 0, order.length - 1)];
  canvas.addEventListener("click", (event) => choose(at(event)));
  canvas.addEventListener("pointermove", (event) => { canvas.title = describe(at(event)); });
  return make("div", { class: "np-strip", style: `--cell: ${100 / order.length}%` }, canvas, make("i", { hidden: "" }));
}

// A row for each group of tools that print the same means.
function newTable({ names, queries }, groups, order, choose) {
  const rows = groups.map((one, i) => {
    const means = one.says.map((x) => make("td", {}, x.mean.toFixed(4)));
    const [a, b] = one.says;
    if (b && a.mean !== b.mean) means[Number(b.mean > a.mean)].className = "np-higher";
    const fewest = Math.min(...one.says.map((x) => x.queries));
    const over = fewest < queries.length ? ` over ${one.says.map((x) => thousands(x.queries)).join(" and ")} of ${counted(queries.length, "query")}` : "";
    const above = Math.max(...one.says.map((x) => x.mean)) > 1 ? `. Above 1: ${one.tools[0].trap}` : "";
    const describe = (q) => `${queries[q]}: ${one.says.map((x) => number(x.values[q]).replace("0/0", "left out")).join(" and ")}`;
    return make("tr", {}, ...means, make("td", { class: "np-tools" }, one.titles.join(", "), make("span", { class: "np-aside" }, over, above),
      newStrip(one, order, describe, (q) => choose({ query: q, group: i }))));
  });
  const heads = [...names.map((x) => make("th", { scope: "col", title: x }, x)), make("th", { scope: "col" }, "tools that print this")];
  const mark = ({ query, group }) => rows.forEach((row, i) => {
    const cell = row.querySelector(".np-strip i");
    cell.hidden = false;
    cell.style.left = `${(100 * order.indexOf(query)) / order.length}%`;
    row.classList.toggle("np-chosen", i === group);
  });
  return { table: make("table", { class: "np-table" }, make("thead", {}, make("tr", {}, ...heads)), make("tbody", {}, ...rows)), mark };
}

// ---- One query ----

const pick = (label, name, options, value, act) => {
  const select = make("select", { "aria-label": name, onchange: () => act(Number(select.value)) }, ...options.map(([key, text]) => make("option", { value: key }, text)));
  select.value = value;
  return make("label", {}, `${label} `, select);
};
const inNaturalOrder = new Intl.Collator("en", { numeric: true });
const MOST_OPTIONS = 2000;

// The chosen query: its numbers, and a place for its list.
function drawQuery(detail, { names, queries }, groups, chosen, choose) {
  const { query, group, run } = chosen;
  const { tools: [tool], says } = groups[group];
  const order = queries.map((_, q) => q).sort((a, b) => inNaturalOrder.compare(queries[a], queries[b])).slice(0, MOST_OPTIONS);
  const values = groups.map((one) => one.says[run].values[query]).filter((x) => !Number.isNaN(x));
  const spread = values.length ? `In ${names[run]}, the tools say ${range(Math.min(...values), Math.max(...values))}; ` : "";
  const value = says[run].values[query];
  const focused = detail.contains(document.activeElement) ? document.activeElement.getAttribute("aria-label") : null;
  detail.replaceChildren(
    make("div", { class: "np-picks" }, pick("Query", "Query", (order.includes(query) ? order : [query, ...order]).map((q) => [q, queries[q]]), query, (q) => choose({ query: q })),
      pick("as", "Ranked by", groups.map((one, i) => [i, one.tools.map((x) => x.title).join(", ")]), group, (i) => choose({ group: i })),
      ...(names.length > 1 ? [pick("in", "Run shown", names.map((x, i) => [i, x]), run, (i) => choose({ run: i }))] : [])),
    make("p", {}, `${spread}${tool.title} says ${Number.isNaN(value) ? "nothing, and leaves the query out" : number(value)}.`), make("div", { class: "np-living" }));
  if (focused) detail.querySelector(`[aria-label="${focused}"]`)?.focus(); // keys go on where they were
}

function drawList(place, lists, tool, k, value, name) {
  if (!lists.shown.length) { place.replaceChildren(make("p", {}, `${name} has no results for this query.`)); return; }
  const [state, inner] = [livingList(lists, tool, k), make("div")];
  render({ model: plainModel(state), el: inner });
  const drawn = measure(state).nDCG;
  const remarks = [
    state.short && `The first ${MOST} results are shown.`,
    Math.abs(drawn - value) > 5e-4 && !state.short && "The list compares with the best order and takes ties in the order shown; the tool does not.",
    Number.isNaN(drawn) && "Nothing in the ideal is relevant, so the list alone would be 0/0.",
  ];
  place.replaceChildren(...remarks.filter(Boolean).map((text) => make("p", {}, text)), inner);
}

// ---- All of it ----

function show({ model, el }) {
  const isStatic = !model.send;
  const [tools, ours, known] = ["tools", "ours", "roles"].map((name) => model.get(name));
  const ofModel = () => ({ qrels: model.get("qrels"), runs: model.get("runs"), k: model.get("k") });
  const example = ofModel();
  let [found, groups, table, chosen, sent, noNegatives] = [null, [], null, null, null, false];

  const boxes = newBoxes(() => later(300), () => isExample() && startAfresh());
  const cutoff = make("input", { class: "np-k", inputmode: "numeric", size: 4, placeholder: "none", "aria-label": "Cut every list at k", oninput: () => later(300) });
  const file = make("input", { type: "file", multiple: "", hidden: "", "aria-label": "Files", onchange: () => { openFiles([...file.files]); file.value = ""; } });
  const keep = button("", () => keepIt());
  const acts = make("div", { class: "np-acts" }, button("Open files", () => file.click()), button("Clear", () => { startAfresh(); run(); }),
    button("Example", () => restore(example)), make("label", {}, "Cut every list at k ", cutoff), keep, file);
  const busy = make("div", { class: "np-busy", hidden: "" }, "Reading and computing …", make("progress", { "aria-label": "Progress" }), button("Cancel", () => { abort(); refuse("Cancelled."); }));
  const [sentence, notes, legend] = ["np-said", "np-notes", "np-legend"].map((kind) => make("p", { class: kind }));
  const [means, refused, detail] = [make("div"), make("ul", { class: "np-refused" }), make("div", { class: "np-detail" })];
  const results = make("div", { class: "np-results" }, legend, means, refused, detail);
  const { live, say } = speaker(600);
  const root = frame("nx np", "Paste your run", make("p", { class: "np-hint" }, "Paste your files, or drop them here. Nothing leaves your browser."),
    boxes.row, acts, busy, sentence, notes, results, live);
  el.append(root);

  const asked = () => cutoffIn(cutoff.value);
  const current = () => ({ qrels: boxes.qrels()[1], runs: boxes.runs(), k: asked() ?? null });
  const isExample = () => isSame({ ...current(), k: null }, { ...example, k: null });
  function startAfresh() {
    boxes.clear();
    cutoff.value = 10;
    noNegatives = false;
    return true;
  }
  function restore({ qrels, runs, k, noNegatives: floor }) {
    boxes.put("qrels", "qrels", qrels);
    ["a", "b"].forEach((field, i) => boxes.put(field, runs[i]?.[0] ?? boxes.generic[field], runs[i]?.[1] ?? ""));
    cutoff.value = k ?? "";
    noNegatives = Boolean(floor);
    run();
  }

  // Files go where they belong; the example makes room for them.
  const fieldFor = (kind) => (kind === "joined" || (kind === "grade" && !boxes.isFilled("qrels")) ? "qrels" : ["a", "b"].find((field) => !boxes.isFilled(field)));
  async function openFile(one) {
    let bytes = new Uint8Array(await one.arrayBuffer());
    if (bytes[0] === 31 && bytes[1] === 139) bytes = await piped(bytes, new DecompressionStream("gzip"));
    const text = textOf(bytes, one.name);
    const kept = stateIn(text);
    if (kept) { restore(kept.paste); return; }
    const to = fieldFor(kindOf(text, known)) ?? unreadable(`there is room for judgements and two runs: empty a box for ${one.name}`);
    boxes.put(to, one.name, text);
  }
  async function openFiles(files) {
    if (files.length && isExample()) startAfresh();
    for (const one of files) {
      try {
        await openFile(one);
      } catch (error) {
        refuse(error.message.startsWith(one.name) ? error.message : `${one.name} cannot be read: ${error.message}`);
        return;
      }
    }
    if (files.length) run();
  }
  const dragsFiles = (event) => [...event.dataTransfer.types].includes("Files");
  const drops = {
    dragover: (event) => { if (dragsFiles(event)) { event.preventDefault(); root.classList.add("np-over"); } },
    dragleave: () => root.classList.remove("np-over"),
    drop: (event) => {
      root.classList.remove("np-over");
      if (!dragsFiles(event)) return;
      event.preventDefault();
      openFiles([...event.dataTransfer.files]);
    },
  };
  for (const [name, act] of Object.entries(drops)) root.addEventListener(name, act);

  // Asking the worker.
  const { ask, stop } = newHelper(hear);
  let [waiting, patience, working] = [0, 0, false];
  const later = (wait) => {
    clearTimeout(waiting);
    waiting = setTimeout(run, wait);
  };
  const settle = () => { working = false; clearTimeout(patience); busy.hidden = true; };
  const abort = () => { stop(); sent = null; settle(); };
  function run() {
    clearTimeout(waiting);
    boxes.note();
    if (working) abort();
    const [k, state] = [asked(), current()];
    [keep.hidden, keep.textContent] = [!state.qrels && !state.runs.length, "Keep this: copy a link, or download it"];
    if (k === undefined) { refuse("k is not a cutoff: give a whole number from 1, or nothing for each tool's own"); return; }
    if (!boxes.isFilled("qrels")) { refuse(state.runs.length ? "Now the judgements: without them no result has a grade." : "Paste judgements and a run, or one table with both."); return; }
    const texts = { qrels: boxes.qrels(), runs: state.runs.map(([name, text]) => [isGeneric(name) ? "" : name, text]), known, noNegatives };
    working = true;
    patience = setTimeout(() => { busy.hidden = false; sentence.textContent = ""; }, 300);
    ask({ texts: sent && isSame(sent, texts) ? null : texts, tools, ours, k });
    sent = texts;
    if (!boxes.isLarge()) tellModel(state); // a kernel need not hold what is large
  }
  function hear(reply) {
    if (reply.list) { hearList(reply.list, reply.of); return; }
    settle();
    if (reply.why === undefined) draw(reply.found);
    else {
      sent = null;
      refuse(reply.why);
    }
  }
  function refuse(why) {
    settle();
    found = null;
    results.hidden = true;
    notes.textContent = "";
    sentence.textContent = boxes.note(why) ? "" : why;
    say(() => why);
  }

  function draw(reply) {
    found = reply;
    const { names, says, k } = found;
    groups = grouped(tools, says);
    const order = byDisagreement(groups, found.queries.length);
    const lines = [...verdict(tools, names, says, k), ...writeTest(names, k, found.test, gapsOf(says))];
    results.hidden = false;
    sentence.replaceChildren(make("strong", {}, lines[0]), ` ${lines.slice(1).join(" ")}`);
    notes.replaceChildren(found.notes.join(" "), ...offerFloor());
    table = newTable(found, groups, order, (wanted) => choose(wanted, true));
    means.replaceChildren(...(groups.length ? [table.table] : []));
    const colours = names.length > 1 ? `Blue: ${names[1]} has the higher value. Orange: ${names[0]}.` : "The darker, the higher.";
    legend.textContent = groups.length ? `Each strip has a cell for each query, those about which the tools disagree most on the left. ${colours} An empty cell is left out of the mean. Click one to see its list.` : "";
    refused.replaceChildren(...refusals(tools, says).map(({ why, they }) => make("li", {}, make("b", {}, listed(they)), `: no number; ${they.length === 1 ? "it" : "each"} ${why}.`)));
    say(() => [...lines, ...found.notes].join(" "));
    const first = groups.findIndex((one) => one.tools.some((tool) => tool.name === "trec_eval"));
    if (groups.length) choose({ query: order[0], group: Math.max(0, first), run: names.length - 1 });
    else detail.replaceChildren();
  }
  // Many tools have no number for a grade below 0.
  function offerFloor() {
    const turn = () => { noNegatives = !noNegatives; run(); };
    return found.negatives ? [` ${counted(found.negatives, "grade")} below 0${noNegatives ? ", counted as 0" : ""}. `, button(noNegatives ? "Use as given" : "Count as 0", turn)] : [];
  }
  function choose(wanted, byHand = false) {
    chosen = { ...chosen, ...wanted };
    table.mark(chosen);
    drawQuery(detail, found, groups, chosen, (more) => choose(more));
    ask({ list: { run: chosen.run, query: found.queries[chosen.query], tool: groups[chosen.group].tools[0] } });
    if (byHand) detail.scrollIntoView({ block: "start" });
  }
  function hearList(lists, { run: r, query, tool }) {
    if (found?.queries[chosen.query] !== query || chosen.run !== r || groups[chosen.group].tools[0].name !== tool.name) return; // another was chosen meanwhile
    drawList(detail.querySelector(".np-living"), lists, tool, found.k, groups[chosen.group].says[r].values[chosen.query], found.names[r]);
  }

  // Keeping it: in a link if it is short enough, or else in a file.
  async function keepIt() {
    const state = { paste: { ...current(), ...(noNegatives ? { noNegatives } : {}) } };
    const link = isStatic && !boxes.isLarge() ? await linked(state) : "";
    const show = (text) => { keep.textContent = text; say(() => text); };
    if (link && location.href.replace(/#.*/, "").length + link.length < FITS) { show(await copyAddress(LINK, link)); return; }
    const url = URL.createObjectURL(new Blob([JSON.stringify(state)], { type: "application/json" }));
    make("a", { href: url, download: "paste.json" }).click();
    setTimeout(() => URL.revokeObjectURL(url), 1000);
    show("Downloaded paste.json: drop it on this page to open it again");
  }

  let telling = false; // what comes back meanwhile is what we sent
  function tellModel(state) {
    telling = true;
    change(model, state);
    telling = false;
  }
  const fromModel = () => { if (!telling && !isSame(ofModel(), current())) restore(ofModel()); };
  const fromLink = async () => {
    const state = isStatic ? await unlinked(location.hash) : null;
    if (state) restore(state.paste);
    return Boolean(state);
  };
  fromLink().then((isLinked) => isLinked || restore(example));
  const deaf = listen(model, { "change:qrels": fromModel, "change:runs": fromModel, "change:k": fromModel });
  if (isStatic) addEventListener("hashchange", fromLink);
  return () => {
    deaf();
    stop();
    clearTimeout(waiting);
    removeEventListener("hashchange", fromLink);
  };
}

export default { render: show };
