// Whose number is it? Grades and a number that was told, and every tool's own number beside it.
// Python sends the conventions, tools.js computes each tool's nDCG from them, and this file says what sets the tools apart.
// The list can be moved, too: every tool has a dot on one axis, and the dots follow.
// It is a plain ES module in the form anywidget hosts, and needs nothing but a model with get, set, on and save_changes.
import { clamp, frame, hold, listed, listen, make, minus, ndcg, redrawWhenResized, speaker } from "./core.js";
import { answer, nth, termsOf } from "./tools.js";

// ---- What is typed ----

const ROOM = 2000; // results a page can be asked about at every keystroke
const NUMBER = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;
const INFINITE = /^[+-]?inf(inity)?$/i;
const UNKNOWN = /^(\?+|null|none|na|nan|n\/a|-)$/i;
const fail = (text) => { throw new TypeError(text); };
const words = (text) => text.split(/[\s,;|[\]()"']+/).filter(Boolean);
const quoted = /"[^"]*"|'[^']*'/g;

/** The text of one list without the brackets around it; lists side by side, or within a list, are refused. */
function inside(text, name) {
  let plain = text.trim();
  while (/^([[(].*[\])]|\{.*\})$/s.test(plain)) plain = plain.slice(1, -1).trim();
  return /[[\](){}]/.test(plain.replace(quoted, "")) ? fail(`these are several lists: give the ${name}s of one list at a time`) : plain;
}

const isWord = (cell) => !NUMBER.test(cell.replaceAll("−", "-")) && !UNKNOWN.test(cell) && !INFINITE.test(cell) && /\p{L}/u.test(cell);
const bare = (cell) => cell.trim().replace(/^(["'])(.*)\1$/, "$2");
const PAIR = /\s*("[^"]*"|'[^']*'|[^\s,:"'][^,:]*)\s*:\s*("[^"]*"|'[^']*'|[^\s,:"']+)\s*(?:,|$)/gy;
const distinct = (list) => new Set(list).size === list.length;

/** The values of an object in the order written, which JSON.parse would not keep; null for other text. */
function valuesOf(text) {
  if (!/^\{.*\}$/s.test(text)) return null;
  const body = text.slice(1, -1).trim();
  const pairs = [...body.matchAll(PAIR)];
  const whole = pairs.reduce((sum, [all]) => sum + all.length, 0) === body.length;
  if (!whole || !distinct(pairs.map(([, key]) => key))) fail("this object is not one grade for each document: give the grades alone");
  return pairs.map(([, , value]) => bare(value));
}

/** A table whose columns but the last are words, with a row for each document; null for other lines. */
function tableOf(lines) {
  const between = [/\t/, /[,;]/, /\s+/].find((x) => lines.every((line) => x.test(line.trim())));
  if (!between || lines.length < (between.source === "\\t" ? 1 : 2)) return null;
  const rows = lines.map((line) => line.split(between).map(bare));
  const even = rows.every((row) => row.length === rows[0].length && row.slice(0, -1).every(isWord));
  return even && distinct(rows.map((row) => row[0])) ? { rows, between } : null;
}

/** The words that are grades: of a list, an object, a column under its name, or the last column of a table. */
function gradeWords(text, name) {
  const plain = inside(text, name);
  const values = valuesOf(text.trim());
  if (values) return values;
  const lines = plain.split(/\r?\n/).filter((line) => line.trim());
  const headed = lines.length > 1 && !/\d/.test(lines[0]);
  const below = lines.slice(headed ? 1 : 0);
  const table = tableOf(below);
  const titles = headed ? (table ? lines[0].split(table.between).map(bare) : words(lines[0])) : [];
  const named = titles.every(isWord) && (table ? titles.length === table.rows[0].length : below.every((line) => words(line).length === 1));
  if (headed && !named) return words(plain);
  return table ? table.rows.map((row) => row.at(-1)) : below.flatMap(words);
}

/** The numbers in a text, however they are set apart: a line, a column, a list of JSON. */
export function readNumbers(text, name, endless = false) {
  const found = endless ? words(inside(text, name)) : gradeWords(text, name);
  if (found.length > ROOM) fail(`${found.length} ${name}s are too many for a page: ask which(…) in Python`);
  return found.map((word, i) => {
    const plain = word.replaceAll("−", "-");
    if (endless && INFINITE.test(plain)) return plain.startsWith("-") ? -Infinity : Infinity;
    if (!endless && UNKNOWN.test(plain)) fail(`“${word}” is no grade (${nth(i)} ${name}): nobody was asked about unjudged results, so give one or leave it out`);
    if (!NUMBER.test(plain)) fail(`“${word}” is not a number (${nth(i)} ${name}): give one, or leave it out`);
    const value = Number(plain);
    if (!Number.isFinite(value)) fail(`“${word}” is too large (${nth(i)} ${name}): give a smaller number`);
    if (endless && /^[+-]?\d+$/.test(plain) && Math.abs(value) > Number.MAX_SAFE_INTEGER) fail(`“${word}” is above 2^53, where neighbours tie (${nth(i)} ${name}): rescale`);
    return value;
  });
}

/** The number told, and how far off is still the same: half a unit of its last digit. */
export function readTold(text) {
  const per = text.trim().endsWith("%") ? 2 : 0;
  const plain = text.trim().replace(/\s*%$/, "").replace(/^(\d*),(\d+)$/, "$1.$2");
  if (!plain) return null;
  const found = plain.match(/^\+?(\d+(?:\.(\d*))?|\.(\d+))(?:e([+-]?\d+))?$/i);
  if (!found) fail(`“${text.trim()}” is not a number of 0 or more: give what you were told, e.g. 0.949`);
  const last = Number(found[4] ?? 0) - (found[2] ?? found[3] ?? "").length - per;
  const value = Number(`${plain}e-${per}`.replace(/e([+-]?\d+)e-(\d)$/i, (_, a, b) => `e${a - b}`));
  const plainly = value.toFixed(Math.max(0, Math.min(100, -last))); // as Python reads it
  return { value, allowed: 0.5 * 10 ** Math.min(-1, last), digits: Math.min(12, Math.max(3, -last)), text: text.trim(), plainly, rough: -last < 3 };
}

function readCutoff(text) {
  if (!text.trim()) return null;
  if (!/^\s*0*[1-9]\d*\s*$/.test(text)) fail(`“${text.trim()}” is not a cutoff: give a whole number from 1, or nothing for each tool's own`);
  return Math.min(Number(text), Number.MAX_SAFE_INTEGER);
}

function readIds(text) {
  const ids = words(text);
  const again = ids.find((x, i) => ids.indexOf(x) < i);
  return again ? fail(`“${again}” stands there twice: no document may be returned twice`) : ids;
}

const NOTHING = "Type the grades";
const READ = {
  told: readTold,
  k: readCutoff,
  rel: (text) => {
    const rel = readNumbers(text, "grade");
    return rel.length ? rel : fail(NOTHING);
  },
  missed: (text) => readNumbers(text, "grade"),
  scores: (text) => (text.trim() ? readNumbers(text, "score", true) : null),
  ids: (text) => (text.trim() ? readIds(text) : null),
  family: (text) => text || null,
};

/** What the fields say, or what is wrong with each. */
export function read(texts) {
  const [question, wrong] = [{}, {}];
  for (const [field, reader] of Object.entries(READ)) {
    try {
      question[field] = reader(texts[field] ?? "");
    } catch (error) {
      if (!(error instanceof TypeError)) throw error;
      wrong[field] = error.message;
    }
  }
  for (const [field, name] of [["scores", "score"], ["ids", "id"]]) {
    const [given, wanted] = [question[field]?.length, question.rel?.length];
    if (given !== undefined && wanted !== undefined && given !== wanted) wrong[field] = `${counted(given, name)} for ${counted(wanted, "grade")}: give one for each`;
  }
  return { question, wrong };
}

// ---- Who says so, and why ----

// Settings from the least telling to the most: those that can be taken back without effect are, in this order.
const SETTINGS = ["default_k", "missing", "empty", "minus_inf", "precision", "ties", "decimals", "ideal", "discount", "gain"];
const NOUNS = {
  gain: "the gain", discount: "the discount", ideal: "the ideal", ties: "ties", precision: "the bits of a score", minus_inf: "scores of −inf",
  empty: "what 0/0 is", missing: "queries without results", default_k: "the cutoff when none is given", decimals: "rounding",
};
const TELLING = [...SETTINGS].reverse();
const CLOSE = 1e-9;
const differing = (one, other) => SETTINGS.filter((x) => one.says[x] !== other.says[x]);

/** What tools have in common that give the same number for this list, and for every other order of it. */
function settings(tool, { scores, k }) {
  const ranking = scores ? [tool.ties, tool.precision, tool.minus_inf] : [];
  return JSON.stringify([tool.gain, tool.discount, tool.ideal, tool.empty, tool.missing, k ?? tool.default_k, tool.decimals, ...ranking]);
}

/** The numbers of one question; tools, and mixtures of tools, that this list cannot tell apart are asked once. */
function asker(question) {
  const known = new Map();
  return (tool) => {
    const key = settings(tool, question);
    if (!known.has(key)) known.set(key, answer(tool, question));
    return known.get(key);
  };
}

/** The settings of `other` that are enough to turn the number of `one` into its own, on this list. */
export function reasons(one, other, question, ask = asker(question)) {
  const { value } = ask(other);
  const taken = (settings) => ask({ ...one, ...Object.fromEntries(settings.map((x) => [x, other[x]])) }).value;
  let needed = differing(one, other);
  for (const setting of needed) {
    const fewer = needed.filter((x) => x !== setting);
    if (Math.abs(taken(fewer) - value) <= CLOSE) needed = fewer;
  }
  return needed.reverse();
}

const least = (list, of) => list.reduce((a, b) => (of(b) < of(a) ? b : a));
const simplest = (list) => least(list, (x) => 1000 * x.length + x.map((y) => y.words).join("").length); // few, then short

/** What makes a group of tools differ from another, told as simply as it can be. */
const between = (some, others, question, ask) => simplest(others.map((other) => {
  const one = least(some, (tool) => differing(tool, other).length);
  return reasons(one, other, question, ask).map((setting) => ({ setting, words: other.says[setting] }));
}));

/** Every tool's number, those that are equal together; which of them were told; and what sets them apart. */
export function lineUp(tools, question) {
  const { told, k } = question;
  const ask = asker(question);
  const answers = tools.map((tool) => ({ tool, ...ask(tool) }));
  const groups = [];
  for (const { tool, value } of answers.filter((a) => a.value !== undefined).sort((a, b) => b.value - a.value)) {
    const agrees = told !== null && Math.abs(value - told.value) <= Math.max(told.allowed, tool.accuracy) + 1e-12;
    const same = groups.find((g) => Math.abs(g.value - value) <= CLOSE && g.agrees === agrees);
    if (same) same.tools.push(tool);
    else groups.push({ value, agrees, tools: [tool], because: [] });
  }
  const refused = [];
  for (const { tool, why } of answers.filter((a) => a.refused)) {
    const same = refused.find((r) => r.why === why);
    if (same) same.tools.push(tool);
    else refused.push({ why, tools: [tool] });
  }
  for (const { tools: they } of groups) they.sort((a, b) => tools.indexOf(a) - tools.indexOf(b)); // not by the last bit of their numbers
  const agree = groups.filter((g) => g.agrees);
  const near = told === null || !groups.length ? null : least(agree.length ? agree : groups, (g) => Math.abs(g.value - told.value));
  const matters = new Set();
  for (const group of groups.filter((g) => near && g !== near && !g.agrees && Math.abs(g.value - near.value) > CLOSE)) {
    const why = between(near.tools, group.tools, question, ask);
    group.because = why.map((x) => x.words);
    for (const { setting } of why) matters.add(setting);
  }
  const alike = agree.flatMap((g) => g.tools);
  const says = (setting) => new Set(alike.map((tool) => tool.says[setting]));
  return {
    groups, refused, near, agree, alike,
    shared: TELLING.filter((x) => matters.has(x) && says(x).size === 1).map((x) => alike[0].says[x]),
    differ: TELLING.filter((x) => says(x).size > 1 && (x !== "default_k" || k === null)),
  };
}

// ---- Every order of the list ----

export const MOST_ORDERS = 5040; // those of seven results, which a page can try while a hand waits

/** How many orders a list has; equal grades are not told apart. */
export function countOrders(grades) {
  const seen = new Map();
  return grades.reduce((orders, grade, i) => {
    seen.set(grade, (seen.get(grade) ?? 0) + 1);
    return (orders * (i + 1)) / seen.get(grade);
  }, 1);
}

function* everyOrder(grades) {
  if (!grades.length) yield [];
  for (const first of new Set(grades)) {
    const at = grades.indexOf(first);
    for (const rest of everyOrder(grades.toSpliced(at, 1))) yield [first, ...rest];
  }
}

/** What each tool says of any order of this list; tools that always say the same are asked once, and those that refuse not at all. */
function tellers(tools, question) {
  const different = [...new Map(tools.map((tool) => [settings(tool, question), tool])).values()];
  return different.filter((tool) => answer(tool, question).value !== undefined).map((tool) => {
    const { gains, ...rest } = termsOf(tool, question); // only their order changes
    const worth = new Map(question.rel.map((grade, i) => [grade, gains[i]]));
    return (rel) => ndcg(tool, { ...rest, gains: rel.map((grade) => worth.get(grade)) }).value;
  });
}

/** The order of the list in which the lowest and the highest number are furthest apart: its own, unless another is wider. */
export function widest(tools, question) {
  const asked = tellers(tools, question);
  const apart = (rel) => {
    const values = asked.map((tell) => tell(rel));
    return Math.max(...values) - Math.min(...values);
  };
  let best = { rel: question.rel, spread: apart(question.rel) };
  for (const rel of everyOrder(question.rel)) {
    const spread = apart(rel);
    if (spread > best.spread + CLOSE) best = { rel, spread };
  }
  return best;
}

/** What the tools say of the worst order and of the best: an axis that holds these, holds every order. */
export function reach(tools, question) {
  return tellers(tools, question).flatMap((tell) => [rising, falling].map((order) => tell([...question.rel].sort(order))));
}

/** How many tools give how many numbers, and from where to where. */
export function summary(groups) {
  const values = groups.map((g) => g.value).filter((x, i, all) => !i || all[i - 1] - x > CLOSE);
  const tools = add(groups.map((g) => g.tools.length));
  const range = values.length > 1 ? `${digits(values.at(-1))} to ${digits(values[0])}` : values.map((x) => digits(x)).join("");
  return `${counted(tools, "tool")}, ${counted(values.length, "number")}${range && `, ${range}`}`;
}

// ---- In sentences ----

const names = (tools, most) => listed(tools.map((t) => t.title), most);
const counted = (n, noun) => `${n} ${noun}${n === 1 ? "" : "s"}`;
export const agreeing = (why, they) => (they.length === 1 ? why : why.replace(/^\w+/, (verb) => ({ has: "have", is: "are" })[verb] ?? verb.replace(/s$/, "")));
const digits = (value, n = 3) => value.toFixed(n);

/** The same in sentences. */
export function tell(tools, question, { groups, near, agree, alike, shared, differ }) {
  const { told, family } = question;
  const none = family ? "No tool of this family" : "No tool";
  if (!groups.length) return [`${none} gives a number for this.`];
  if (told === null) {
    const [high, low] = [groups[0].value, groups.at(-1).value];
    return [groups.length > 1 ? `The tools give ${groups.length} different numbers, from ${digits(low)} to ${digits(high)}.`
      : `All that answer give ${digits(high)}.`, "Type the number you were told."];
  }
  const n = told.digits;
  if (!agree.length) {
    const off = near.value - told.value;
    if (told.value > 1) return [`${none} gives ${told.text}: nDCG is at most 1.`, `If it is a percentage, write ${told.text}%.`];
    return [`${none} gives ${told.text} for this list.`,
      `The nearest ${near.tools.length > 1 ? "are" : "is"} ${names(near.tools, 4)} with ${digits(near.value, n)}, ${Number(Math.abs(off).toPrecision(2))} ${off < 0 ? "below" : "above"}.`];
  }
  const [all, some] = [tools.length, alike.length];
  const but = tools.filter((tool) => !alike.includes(tool));
  const [gives, give] = told.rough ? ["rounds to", "round to"] : ["gives", "give"];
  const count = some === all ? `All ${all} tools ${give}` : some === 1 ? `Of ${all} tools, only ${names(alike)} ${gives}` : `${some} of ${all} tools ${give}`;
  const who = some === all || some === 1 ? "" : but.length < 4 ? `, all but ${names(but)}` : `: ${names(alike, 8)}`;
  const lines = [`${count} ${told.text}${who}.`];
  const values = new Set(agree.map((g) => Math.round(g.value / CLOSE)));
  if (values.size > 1) return [...lines, `Their numbers differ${told.rough ? "" : ", and all round to it"}: more digits would tell them apart.`];
  if (some === all) return [...lines, "On this list, no setting makes a difference."];
  const others = groups.filter((g) => !g.agrees && g.because.length);
  if (shared.length) lines.push(`What sets ${some === 1 ? "it" : "them"} apart from the others: ${shared.join("; ")}.`);
  else if (others.length && others.length < 3) lines.push(...others.map((g) => `With ${names(g.tools, 4)}, ${g.because.join("; ")}.`));
  if (alike.length > 1 && differ.length) lines.push(`Among themselves they differ in ${listed(differ.map((x) => NOUNS[x]))}, which this list cannot show.`);
  return lines;
}

// ---- The form ----

const FIELDS = {
  told: { label: "The nDCG you were told", example: "0.949" },
  k: { label: "Cutoff k", example: "none" },
  rel: { label: "Grades, in the order shown", example: "3 2 3 0 1 2", wide: true },
  missed: { label: "Judged, but not shown", example: "none", wide: true },
  scores: { label: "Scores, one for each grade", example: "grades are in order", wide: true },
  ids: { label: "Ids, where scores are equal", example: "none", wide: true },
  family: { label: "Which tools" },
};
const LINK = "whose=";
const MOST_CHIPS = 40; // a longer list is moved in its field
const PILE = 8; // dots that are one above the other without touching
const STEPS = [0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5]; // between ticks
let made = 0; // forms on this page, so that each has ids of its own

const spelled = (x) => (x === null || x === undefined ? "" : Array.isArray(x) ? x.map(minus).join(" ").replaceAll("Infinity", "inf") : String(x));
const asTexts = (question) => ({ ...Object.fromEntries(Object.keys(FIELDS).map((x) => [x, spelled(question[x])])), told: question.value });
const asSent = (x) => (Array.isArray(x) ? x.map((y) => (Number.isFinite(y) || typeof y === "string" ? y : String(y))) : x); // JSON knows no infinity
const same = (one, other) => ["value", ...Object.keys(FIELDS)].every((x) => JSON.stringify(one[x] ?? null) === JSON.stringify(other[x] ?? null));

const inLine = (field, text) => (field === "rel" || field === "missed" ? readNumbers(text, "grade").join(" ") : text.trim());

/** The question as a part of an address, and back. */
export const linked = (texts) => LINK + Object.keys(FIELDS).filter((field) => texts[field]?.trim())
  .map((field) => (field === "told" ? "" : `${field}=`) + encodeURIComponent(inLine(field, texts[field]).replace(/[\s,]+/g, ",")).replaceAll("%2C", ",")).join(";");
export function unlinked(hash) {
  const part = hash.replace(/^#/, "").split("&").find((x) => x.startsWith(LINK));
  if (part === undefined) return null;
  const texts = Object.fromEntries(Object.keys(FIELDS).map((x) => [x, ""]));
  for (const piece of part.slice(LINK.length).split(";")) {
    const [, field, text] = piece.match(/^(?:(\w+)=)?(.*)$/);
    try {
      if ((field ?? "told") in texts) texts[field ?? "told"] = decodeURIComponent(text).replaceAll(",", field ? " " : ",");
    } catch { /* what cannot be read stays empty */ }
  }
  return texts;
}

function render({ model, el }) {
  const alone = !model.send; // on a page with nothing behind it
  const every = model.get("tools");
  const families = ["", ...new Set(every.map((tool) => tool.family))];
  const prefix = `nw-${made += 1}`;
  let question = model.get("question");
  const first = asTexts(question);

  const inputs = {};
  const notes = {};
  const newField = (field) => {
    const { label, example, wide } = FIELDS[field];
    const id = `${prefix}-${field}`;
    inputs[field] = field === "family" ? make("select", { id, "aria-describedby": `${id}-note`, oninput: () => changed() },
      ...families.map((x) => make("option", { value: x }, x || "all of them"))) : make(wide ? "textarea" : "input", {
      id, placeholder: example, rows: wide ? 1 : undefined, spellcheck: "false", autocomplete: "off", autocapitalize: "off",
      inputmode: field === "told" ? "decimal" : field === "k" ? "numeric" : undefined, "aria-describedby": `${id}-note`, oninput: () => changed(),
    });
    notes[field] = make("span", { class: "nw-note", id: `${id}-note` });
    return make("div", { class: `nw-field nw-${field}` }, make("label", { for: id }, label), inputs[field], notes[field]);
  };
  const more = make("details", { class: "nw-more" }, make("summary", {}, "The grades are in no order? Give scores"),
    make("p", {}, "Then the list is ranked by score, the highest first, and each tool settles ties in its own way. −inf is a result that was not retrieved."),
    newField("scores"), newField("ids"));
  const said = make("p", { class: "nw-said" });
  const chipList = make("ol", { class: "nw-chips", "aria-label": "The list. The arrow keys, Home and End move a result." });
  const sum = make("p", { class: "nw-sum" });
  const toldMark = make("i", { class: "nw-mark" });
  const ticks = make("div", { class: "nw-ticks" });
  const axis = make("div", { class: "nw-axis", "aria-hidden": "true" }, toldMark, ticks); // the list below says the same in words
  const list = make("ol", { class: "nw-list", "aria-label": "The tools by their number, the highest first" });
  const refusals = make("div", { class: "nw-refusals" });
  const { live, say: sayOnce, silence } = speaker(600, "nw-live");
  const say = (lines) => sayOnce(() => lines.join(" "));
  const link = make("button", { type: "button", onclick: () => copy() }, "Copy a link to this question");
  const reset = make("button", { type: "button", onclick: () => { fill(first); changed(); } }, "Reset");
  const form = make("div", { class: "nw-form" }, newField("told"), newField("k"), newField("family"), newField("rel"), newField("missed"), more);
  const disagree = make("button", { type: "button", onclick: () => spread() }, "Widest disagreement");
  const limit = make("span", { class: "nw-limit" }, `too many to try: over ${MOST_ORDERS.toLocaleString("en")} orders`);
  const drag = make("span", { class: "nw-drag" }, "Drag a result");
  const moves = make("div", { class: "nw-moves" }, drag, chipList, disagree, reset, limit);
  const root = frame("nx nw", "Whose number is it?", form, moves, sum, axis, said, list, refusals,
    ...(alone ? [make("div", { class: "nw-acts" }, link)] : []), live);
  el.append(root);

  const chosen = ({ family }) => every.filter((tool) => !family || tool.family === family);
  const texts = () => Object.fromEntries(Object.entries(inputs).map(([field, input]) => [field, input.value]));
  function fill(wanted) {
    for (const [field, input] of Object.entries(inputs)) input.value = wanted[field] ?? "";
    if (wanted.scores || wanted.ids) more.open = true;
  }

  // A row is a group of tools with one number. It keeps its element, open or closed, while it keeps its first tool.
  const rows = new Map();
  function newRow() {
    const row = { value: make("b"), tools: make("span", { class: "nw-tools" }), because: make("span", { class: "nw-because" }), about: make("dl") };
    row.item = make("li", {}, make("details", {}, make("summary", { class: "nw-row" }, row.value, make("span", {}, row.tools, row.because)), row.about));
    return row;
  }
  const about = (they) => { // what they all do, once; then each with its own
    const common = TELLING.filter((x) => they.every((tool) => tool.says[x] === they[0].says[x]));
    const own = (tool) => TELLING.filter((x) => !common.includes(x)).map((x) => tool.says[x]);
    const all = make("dd", {}, `${common.map((x) => they[0].says[x]).join("; ")}.`);
    return [...(they.length > 1 ? [make("dt", {}, "All of these"), all] : []), ...they.flatMap((tool) => [
      make("dt", {}, `${tool.tool} (${tool.version}) `, make("code", {}, `like="${tool.name}"`)),
      ...(they.length > 1 ? [] : [all]),
      make("dd", {}, ...(own(tool).length ? [`${own(tool).join("; ")}. `] : []), make("em", {}, `Mind: ${tool.trap}.`)),
    ])];
  };

  function draw(asked, wrong) {
    const bad = Object.keys(wrong).length > 0;
    for (const [field, note] of Object.entries(notes)) {
      note.textContent = wrong[field] ?? (field === "scores" ? hint(asked) : "");
      if (wrong[field]) inputs[field].setAttribute("aria-invalid", "true"); else inputs[field].removeAttribute("aria-invalid");
      if (FIELDS[field].wide) inputs[field].rows = Math.min(6, inputs[field].value.split("\n").length);
    }
    form.querySelector(`label[for=${prefix}-rel]`).textContent = inputs.scores.value.trim() ? "Grades, in any order" : FIELDS.rel.label;
    for (const part of [sum, axis, list, refusals]) part.hidden = bad;
    drawChips(asked, wrong);
    link.disabled = bad;
    if (bad) {
      const rest = Object.values(wrong).filter((x) => x !== NOTHING);
      said.textContent = rest.length ? "Once every field can be read, the tools are asked." : "Once there are grades, the tools are asked.";
      return Object.values(wrong);
    }
    const tools = chosen(asked);
    const lined = lineUp(tools, asked);
    const lines = tell(tools, asked, lined);
    said.replaceChildren(make("strong", {}, lines[0]), ` ${lines.slice(1).join(" ")}`);
    sum.textContent = summary(lined.groups);
    drawAxis = () => placeDots(lined.groups, asked.told, asked.scores ? [] : reach(tools, asked));
    drawAxis();
    drawRows(lined, asked.told);
    refusals.replaceChildren(...(lined.refused.length ? [make("p", {}, "No number from")] : []),
      make("ul", {}, ...lined.refused.map(({ why, tools: they }) => make("li", {}, make("b", {}, names(they)), `: ${agreeing(why, they)}`))));
    return [...lines, ...(lined.refused.length ? [`No number from ${counted(lined.refused.flatMap((r) => r.tools).length, "tool")}`] : [])];
  }

  function hint({ scores }) {
    const ranks = scores?.length > 2 && scores.every((s, i) => s === i + 1);
    return ranks ? "These look like ranks, and the highest score is ranked first: if they are ranks, put a minus before each." : "";
  }

  function drawRows({ groups, near }, told) {
    const keep = new Set(groups.map((g) => `${g.tools[0].name} ${g.agrees}`));
    for (const [key, row] of rows) if (!keep.has(key)) { row.item.remove(); rows.delete(key); }
    groups.forEach((group, i) => {
      const key = `${group.tools[0].name} ${group.agrees}`;
      if (!rows.has(key)) rows.set(key, newRow());
      const row = rows.get(key);
      if (list.children[i] !== row.item) list.insertBefore(row.item, list.children[i] ?? null);
      row.item.className = group.agrees ? "nw-agrees" : group === near ? "nw-near" : "";
      row.value.textContent = digits(group.value, told?.digits);
      row.tools.textContent = group.tools.map((t) => t.title).join(", ");
      row.because.textContent = group.because.length ? `but ${group.because.join("; ")}` : "";
      row.about.replaceChildren(...about(group.tools));
    });
  }

  // The axis: a dot for each tool, those with one number on a pile, and a name at each pile where there is room.
  const dots = new Map(every.map((tool) => [tool.name, axis.appendChild(make("i", { class: "nw-dot", title: tool.title }))]));
  const labels = new Map();
  let drawAxis = () => {};
  function placeDots(groups, told, others) {
    const within = told && told.value <= 1.5 ? [told.value] : []; // a percentage would leave all the tools on one spot
    const all = [...groups.map((g) => g.value), ...within, ...others];
    const [low, high] = [Math.min(...all), Math.max(...all)];
    const room = Math.max(high - low, 0.01);
    const x = (v) => 50 + (94 * (v - (low + high) / 2)) / room; // in % of the width
    for (const dot of dots.values()) dot.hidden = true;
    for (const { value, agrees, tools } of groups) {
      tools.forEach((tool, i) => {
        const dot = dots.get(tool.name);
        dot.hidden = false;
        dot.className = `nw-dot${agrees ? " nw-lit" : ""}`;
        dot.style.left = `${x(value)}%`;
        dot.style.setProperty("--up", tools.length > PILE ? (i * (PILE - 1)) / (tools.length - 1) : i); // a high pile is pressed together
      });
    }
    toldMark.hidden = !within.length;
    toldMark.style.left = `${x(within[0] ?? low)}%`;
    toldMark.style.width = `${(2 * 94 * (told?.allowed ?? 0)) / room}%`;
    const step = STEPS.find((by) => room / by <= 6) ?? 1;
    const first = Math.ceil(low / step - CLOSE);
    ticks.replaceChildren(...Array.from({ length: Math.floor(high / step + CLOSE) - first + 1 }, (_, i) =>
      make("span", { style: `left: ${x((first + i) * step)}%` }, String(Number(((first + i) * step).toFixed(3))))));
    const wanted = [...within.map((value) => ({ key: "told", text: told.text, value, agrees: true })), ...groups.map(({ value, agrees, tools }) =>
      ({ key: tools[0].name, text: tools.length > 1 ? `${tools[0].title} +${tools.length - 1}` : tools[0].title, value, agrees, size: tools.length }))];
    placeLabels(wanted.sort((a, b) => b.agrees - a.agrees || (b.size ?? Infinity) - (a.size ?? Infinity)), x);
  }
  function placeLabels(wanted, x) {
    const whole = axis.clientWidth;
    if (!whole) return; // it is not on the page yet
    const lanes = [[], []]; // above the dots, and below
    const placed = new Set();
    for (const { key, text, value, agrees } of wanted) {
      const label = labels.get(key) ?? axis.appendChild(make("span", { style: `--at: ${x(value)}` }));
      labels.set(key, label);
      label.textContent = text;
      label.className = `nw-label${agrees ? " nw-lit" : ""}`;
      const [wide, middle] = [label.offsetWidth, (x(value) / 100) * whole];
      const left = clamp(middle - wide / 2, 0, Math.max(0, whole - wide));
      const lane = lanes.findIndex((taken) => taken.every(([from, to]) => left > to + 8 || left + wide < from - 8));
      if (lane < 0) continue;
      lanes[lane].push([left, left + wide]);
      label.classList.add(lane ? "nw-below" : "nw-above");
      label.style.setProperty("--at", whole > wide ? (100 * left) / (whole - wide) : 0); // in % of the room it has
      label.style.setProperty("--to", `${middle - left}px`);
      placed.add(key);
    }
    for (const [key, label] of labels) if (!placed.has(key)) { label.remove(); labels.delete(key); } // the list below names them
  }

  // The list as chips. A chip is a place: grades go from place to place while no element moves, so that focus and pointers stay.
  const chips = [];
  const still = matchMedia("(prefers-reduced-motion: reduce)");
  const newChip = (i) => make("li", {
    class: "nw-chip", tabindex: 0, onpointerdown: (event) => take(event, i), onkeydown: (event) => {
      const to = { ArrowLeft: i - 1, ArrowUp: i - 1, ArrowRight: i + 1, ArrowDown: i + 1, Home: 0, End: Infinity }[event.key];
      if (to === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      move(i, to);
    },
  });
  let shown = []; // the grades on the chips
  function drawChips({ rel, scores }, wrong) {
    shown = wrong.rel || wrong.scores || scores || rel.length > MOST_CHIPS ? [] : rel; // scores have an order of their own
    while (chips.length < shown.length) chipList.append(chips[chips.push(newChip(chips.length)) - 1]);
    chips.forEach((chip, i) => { chip.hidden = i >= shown.length; });
    shown.forEach((grade, i) => {
      chips[i].textContent = minus(grade);
      chips[i].setAttribute("aria-label", `Rank ${i + 1}: grade ${minus(grade)}`);
    });
    const orders = countOrders(shown);
    for (const part of [drag, chipList, disagree]) part.hidden = shown.length < 2;
    limit.hidden = orders <= MOST_ORDERS;
    disagree.disabled = !limit.hidden || Object.keys(wrong).length > 0;
    disagree.title = `Try every order of these grades (${limit.hidden ? orders.toLocaleString("en") : "at most"}) for the one in which the lowest and the highest number are furthest apart`;
  }
  /** Bring the results into another order, given by the ranks they have now. Each is seen to slide, but for the one held. */
  function arrange(order, what, held) {
    const before = chips.map((chip) => [chip.offsetLeft, chip.offsetTop]);
    inputs.rel.value = spelled(order.map((i) => shown[i]));
    changed(what);
    order.forEach((from, i) => {
      const [dx, dy] = [before[from][0] - chips[i].offsetLeft, before[from][1] - chips[i].offsetTop];
      for (const animation of chips[i].getAnimations()) animation.cancel();
      if (still.matches || i === held || !(dx || dy)) return;
      chips[i].animate([{ transform: `translate(${dx}px, ${dy}px)` }, { transform: "none" }], { duration: 160, easing: "ease-out" });
    });
  }
  function move(from, to) {
    const at = clamp(to, 0, shown.length - 1);
    if (at === from) return at;
    arrange([...shown.keys()].toSpliced(from, 1).toSpliced(at, 0, from), `Grade ${minus(shown[from])} at rank ${at + 1}`, at);
    chips[at].focus({ preventScroll: true });
    return at;
  }
  let letGo = () => {};
  function take(event, from) {
    if (event.button) return;
    let at = from;
    const go = (to) => {
      at = move(at, to);
      chips.forEach((chip, i) => chip.classList.toggle("nw-held", i === at));
    };
    letGo();
    letGo = hold([[root, "nw-dragging"]], ({ clientX, clientY }) => go(nearest(clientX, clientY)), () => go(from));
    go(from);
  }
  function nearest(x, y) { // of the places, wherever chips seem to be while they slide
    const box = chipList.getBoundingClientRect();
    const far = ({ offsetLeft, offsetWidth, offsetTop, offsetHeight }) => Math.hypot(box.left + offsetLeft + offsetWidth / 2 - x, box.top + offsetTop + offsetHeight / 2 - y);
    return chips.indexOf(least(chips.slice(0, shown.length), far));
  }
  function spread() {
    const { question: asked } = read(texts());
    const free = [...shown.keys()];
    const order = widest(chosen(asked), asked).rel.map((grade) => free.splice(free.findIndex((i) => shown[i] === grade), 1)[0]);
    arrange(order, "The order with the widest disagreement");
  }

  function changed(what) {
    const { question: asked, wrong } = read(texts());
    const lines = draw(asked, wrong);
    say(what ? [`${what}: ${sum.textContent}.`, ...lines] : lines);
    if (Object.keys(wrong).length) return;
    const { told, ...rest } = asked;
    question = { value: told?.plainly ?? "", ...Object.fromEntries(Object.entries(rest).map(([x, y]) => [x, asSent(y)])) };
    model.set("question", question);
    model.save_changes();
  }
  function fromModel() {
    if (same(model.get("question"), question)) return; // our own words come back: leave them as they were typed
    question = model.get("question");
    fill(asTexts(question));
    const { question: asked, wrong } = read(texts());
    say(draw(asked, wrong));
  }

  // The question in the address, beside whatever else is there.
  function copy() {
    const others = location.hash.slice(1).split("&").filter((x) => x && !x.startsWith(LINK));
    history.replaceState(null, "", `#${[...others, linked(texts())].join("&")}`);
    const done = () => { link.textContent = "Copied: it is in the address bar too"; say([link.textContent]); };
    const not = () => { link.textContent = "It is in the address bar"; say([link.textContent]); };
    (navigator.clipboard?.writeText(location.href) ?? Promise.reject()).then(done, not);
    setTimeout(() => { link.textContent = "Copy a link to this question"; }, 4000);
  }
  const fromLink = () => {
    const wanted = alone ? unlinked(location.hash) : null;
    if (!wanted) return;
    fill(wanted);
    changed();
    setTimeout(() => root.scrollIntoView({ block: "start" }));
  };

  fill(first);
  draw(read(first).question, read(first).wrong);
  fromLink();
  const unwatched = redrawWhenResized(axis, () => axis.clientWidth, () => drawAxis());
  const deaf = listen(model, { "change:question": fromModel });
  if (alone) addEventListener("hashchange", fromLink);
  return () => {
    deaf();
    unwatched();
    letGo();
    removeEventListener("hashchange", fromLink);
    silence();
  };
}

export default { render };
