// Whose number is it? Grades and a reported number, and every tool's own number beside it.
// Python sends the settings of the tools, tools.js computes each tool's nDCG from them, and this file says what sets the tools apart.
// The list can be moved, too: every tool has a dot on one axis, and the dots follow.
import { add, button, clamp, counted, cutoffIn, frame, hint, hold, listed, listen, make, minus, must, onKey, redrawWhenResized, setAria, sharing, speaker, thousands } from "./core.js";
import { MOST_ORDERS, hasFewOrders, reach, widest } from "./orders.js";
import { CLOSE, TELLING, answer, asker, differing, formOf, keysOfDots, nth, reasons } from "./tools.js";

// ---- What is typed ----

const ROOM = 2000; // results a page can be asked about at every keystroke
const NUMBER = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;
const INFINITE = /^[+-]?inf(inity)?$/i;
const UNKNOWN = /^(\?+|null|none|na|nan|n\/a|-)$/i;
const fail = (text) => { throw new TypeError(text); };
const words = (text) => text.split(/[\s,;|[\]()"']+/).filter(Boolean);
// The text of one list without the brackets around it; lists side by side, or within a list, are refused.
function oneList(text, name) {
  let inner = text.trim();
  while (/^[[(].*[\])]$/s.test(inner)) inner = inner.slice(1, -1).trim();
  return /[[\](){}]/.test(inner) ? fail(`these are several lists: give the ${name}s of one list at a time`) : inner;
}

// The numbers in a text, however they are separated: a line, a column, a list of JSON. Scores may be infinite.
export function readNumbers(text, name, isScore = false) {
  const found = words(oneList(text, name));
  if (found.length > ROOM) fail(`${found.length} ${name}s are too many for a page: ask which(…) in Python`);
  return found.map((word, i) => {
    const plain = word.replaceAll("−", "-");
    if (isScore && INFINITE.test(plain)) return plain.startsWith("-") ? -Infinity : Infinity;
    if (!isScore && UNKNOWN.test(plain)) fail(`“${word}” is no grade (${nth(i)} ${name}): judge this result, or leave it out`);
    if (!NUMBER.test(plain)) fail(`“${word}” is not a number (${nth(i)} ${name}): give the ${name}s alone`);
    const value = Number(plain);
    if (!Number.isFinite(value)) fail(`“${word}” is too large (${nth(i)} ${name}): give a smaller number`);
    return value;
  });
}

// The reported number, and how far off is still the same: half a unit of its last digit.
export function readReported(text) {
  const percent = text.trim().endsWith("%") ? 2 : 0;
  const plain = text.trim().replace(/\s*%$/, "").replace(/^(\d*),(\d+)$/, "$1.$2");
  const found = plain.match(/^\+?(\d+(?:\.(\d*))?|\.(\d+))(?:e([+-]?\d+))?$/i);
  if (!found) fail(`“${text.trim()}” is not a number of 0 or more: give the reported value, e.g. 0.949`);
  const exponent = Number(found[4] ?? 0);
  const last = exponent - (found[2] ?? found[3] ?? "").length - percent; // the place of its last digit
  const value = Number(`${found[1]}e${exponent - percent}`);
  const asPython = value.toFixed(clamp(-last, 0, 100));
  return { value, allowed: 0.5 * 10 ** Math.min(-1, last), digits: clamp(-last, 3, 12), text: text.trim(), asPython, rough: -last < 3 };
}

const readCutoff = (text) => cutoffIn(text) ?? fail(`“${text.trim()}” is not a cutoff: give a whole number from 1, or nothing for each tool's own`);

function readIds(text) {
  const ids = words(text);
  const again = ids.find((x, i) => ids.indexOf(x) < i);
  return again ? fail(`“${again}” is there twice: give each result its own id`) : ids;
}

// How each field is read, and what an empty one means.
const READ = {
  value: [readReported, null],
  k: [readCutoff, null],
  rel: [(text) => readNumbers(text, "grade"), undefined],
  missed: [(text) => readNumbers(text, "grade"), []],
  scores: [(text) => readNumbers(text, "score", true), null],
  ids: [readIds, null],
};

// What the fields say, or what is wrong with each.
export function read(texts) {
  const [question, wrong] = [{}, {}];
  for (const [field, [reader, empty]] of Object.entries(READ)) {
    const text = texts[field] ?? "";
    try {
      question[field] = text.trim() ? reader(text) : empty;
    } catch (error) {
      if (!(error instanceof TypeError)) throw error;
      wrong[field] = error.message;
    }
  }
  if (question.rel === undefined) wrong.rel ??= "Type the grades";
  for (const [field, name] of [["scores", "score"], ["ids", "id"]]) {
    const [given, wanted] = [question[field]?.length, question.rel?.length];
    if (given !== undefined && wanted !== undefined && given !== wanted) wrong[field] = `${counted(given, name)} for ${counted(wanted, "grade")}: give one for each`;
  }
  return { question, wrong };
}

// ---- Which tools agree, and why ----

const NOUNS = {
  gain: "the gain", discount: "the discount", ideal: "the ideal", ties: "ties", precision: "the bits of a score", minus_inf: "scores of −inf",
  empty: "what 0/0 is", missing: "queries without results", default_k: "the cutoff when none is given", decimals: "rounding",
};
const least = (list, of) => list.reduce((a, b) => (of(b) < of(a) ? b : a));
const simplest = (list) => least(list, (x) => 1000 * x.length + x.map((y) => y.words).join("").length); // few, then short

// What makes a group of tools differ from another, as simply as it can be put.
const between = (some, others, question, ask) => simplest(others.map((other) => {
  const one = least(some, (tool) => differing(tool, other).length);
  return reasons(one, other, question, ask).map((setting) => ({ setting, words: other.says[setting] }));
}));

// Put an item where `isSame` holds, or at the end.
function group(groups, isSame, item, fresh) {
  const same = groups.find(isSame);
  if (same) same.tools.push(item);
  else groups.push({ ...fresh, tools: [item] });
}

// Every tool's number, those that are equal together; which of them give the reported one; and what sets them apart.
export function lineUp(tools, question) {
  const { value: reported, k } = question;
  const ask = asker(question);
  const [groups, refused] = [[], []];
  const answers = tools.map((tool) => ({ tool, ...ask(tool) }));
  for (const { tool, why } of answers.filter((x) => x.why)) group(refused, (r) => r.why === why, tool, { why });
  for (const { tool, value } of answers.filter((x) => !x.why).sort((a, b) => b.value - a.value)) {
    const agrees = reported !== null && Math.abs(value - reported.value) <= Math.max(reported.allowed, tool.accuracy) + 1e-12;
    group(groups, (g) => Math.abs(g.value - value) <= CLOSE && g.agrees === agrees, tool, { value, agrees, because: [] });
  }
  for (const { tools: they } of groups) they.sort((a, b) => tools.indexOf(a) - tools.indexOf(b)); // not by the last bit of their numbers
  const agree = groups.filter((g) => g.agrees);
  const near = reported === null || !groups.length ? null : least(agree.length ? agree : groups, (g) => Math.abs(g.value - reported.value));
  const matters = new Set();
  for (const other of groups.filter((g) => near && g !== near && !g.agrees && Math.abs(g.value - near.value) > CLOSE)) {
    const why = between(near.tools, other.tools, question, ask);
    other.because = why.map((x) => x.words);
    for (const { setting } of why) matters.add(setting);
  }
  const alike = agree.flatMap((g) => g.tools);
  const phrases = (setting) => new Set(alike.map((tool) => tool.says[setting]));
  return {
    groups, refused, near, agree, alike,
    shared: TELLING.filter((x) => matters.has(x) && phrases(x).size === 1).map((x) => alike[0].says[x]),
    differ: TELLING.filter((x) => phrases(x).size > 1 && (x !== "default_k" || k === null)),
  };
}

// ---- In sentences ----

const names = (tools, most) => listed(tools.map((t) => t.title), most);
export const agreeing = (why, they) => (they.length === 1 ? why : why.replace(/^\w+/, (verb) => ({ has: "have", is: "are" })[verb] ?? verb.replace(/s$/, "")));
const digits = (value, n = 3) => value.toFixed(n);

// How many conventions give how many numbers, and from where to where.
export function summary(groups) {
  const values = groups.map((g) => g.value).filter((x, i, all) => !i || all[i - 1] - x > CLOSE);
  const range = values.length > 1 ? `${digits(values.at(-1))} to ${digits(values[0])}` : values.map((x) => digits(x)).join("");
  return `${counted(add(groups.map((g) => g.tools.length)), "convention")}, ${counted(values.length, "number")}${range && `, ${range}`}`;
}

// What no tool gives, and which come nearest.
function writeNearest(reported, near) {
  const off = near.value - reported.value;
  if (reported.value > 1) return [`No tool gives ${reported.text}: nDCG is at most 1.`, `If it is a percentage, write ${reported.text}%.`];
  return [`No tool gives ${reported.text} for this list.`,
    `The nearest ${near.tools.length > 1 ? "are" : "is"} ${names(near.tools, 4)} with ${digits(near.value, reported.digits)}, ${Number(Math.abs(off).toPrecision(2))} ${off < 0 ? "below" : "above"}.`];
}

// The answer in sentences.
export function write(tools, question, { groups, near, agree, alike, shared, differ }) {
  const { value: reported } = question;
  if (!groups.length) return ["No tool gives a number for this."];
  if (reported === null) {
    const first = groups.length > 1 ? `The tools give ${groups.length} different numbers, from ${digits(groups.at(-1).value)} to ${digits(groups[0].value)}.` : `All that answer give ${digits(groups[0].value)}.`;
    return [first, "Type the number that was reported."];
  }
  if (!agree.length) return writeNearest(reported, near);
  const [all, some] = [tools.length, alike.length];
  const others = tools.filter((tool) => !alike.includes(tool));
  const [gives, give] = reported.rough ? ["rounds to", "round to"] : ["gives", "give"];
  const count = some === all ? `All ${all} conventions ${give}` : some === 1 ? `Of ${all} conventions, only ${names(alike)} ${gives}` : `${some} of ${all} conventions ${give}`;
  const which = some === all || some === 1 ? "" : others.length < 4 ? `, all except ${names(others)}` : `: ${names(alike, 8)}`;
  const lines = [`${count} ${reported.text}${which}.`];
  if (new Set(agree.map((g) => Math.round(g.value / CLOSE))).size > 1) return [...lines, `Their numbers differ${reported.rough ? "" : ", and all round to it"}: more digits would tell them apart.`];
  if (some === all) return [...lines, "On this list, no setting makes a difference."];
  const reasoned = groups.filter((g) => !g.agrees && g.because.length);
  if (shared.length) lines.push(`What sets ${some === 1 ? "it" : "them"} apart from the others: ${shared.join("; ")}.`);
  else if (reasoned.length < 3) lines.push(...reasoned.map((g) => `With ${names(g.tools, 4)}, ${g.because.join("; ")}.`));
  if (some > 1 && differ.length) lines.push(`They differ in ${listed(differ.map((x) => NOUNS[x]))}; this list does not show it.`);
  return lines;
}

// Why two tools differ on this list: the settings that turn the number of one into that of the other. Or why they do not.
export function contrast([one, other], question) {
  const ask = asker(question);
  const refused = [one, other].filter((tool) => ask(tool).why);
  if (refused.length) return `No number from ${refused.map((tool) => `${tool.title}, which ${ask(tool).why}`).join(", and from ")}.`;
  const [a, b] = [one, other].map((tool) => ask(tool).value);
  const [apart, isClose] = [differing(one, other), Math.abs(a - b) <= CLOSE];
  const sentence = (text) => `${text.replace(/^the /, "The ")}.`;
  if (isClose) return sentence(`${one.title} and ${other.title} both give ${digits(a)}: ${apart.length ? `they differ in ${listed(apart.reverse().map((x) => NOUNS[x]))}, and this list does not show it` : "their rules are the same"}`);
  const needed = reasons(one, other, question, ask);
  const rules = ({ title, says }) => `with ${title}, ${needed.map((x) => says[x].replace(/^(gain|discount|ideal)/, "the $1")).join(", and ")}`;
  let n = 3;
  while (digits(a, n) === digits(b, n)) n += 1;
  return sentence(`${one.title} gives ${digits(a, n)} and ${other.title} gives ${digits(b, n)}: ${rules(one)}; ${rules(other)}`);
}

// ---- The question as text: in the form, in the model and in the address ----

const FIELDS = {
  value: { label: "The reported nDCG", example: "0.949", inputmode: "decimal" },
  k: { label: "Cutoff k", example: "none", inputmode: "numeric" },
  rel: { label: "Grades, in the order shown", example: "3 2 3 0 1 2", wide: true },
  missed: { label: "Judged, but not shown", example: "none", wide: true },
  scores: { label: "Scores, one for each grade", example: "grades are in order", wide: true },
  ids: { label: "Ids, where scores are equal", example: "none", wide: true },
};
const asText = (x) => (x === null || x === undefined ? "" : Array.isArray(x) ? x.map(minus).join(" ").replaceAll("Infinity", "inf") : String(x));
const asTexts = (question) => Object.fromEntries(Object.keys(FIELDS).map((x) => [x, asText(question[x])]));
const asSent = (x) => (Array.isArray(x) ? x.map((y) => (Number.isFinite(y) || typeof y === "string" ? y : String(y))) : x); // JSON knows no infinity
const isSame = (one, other) => Object.keys(FIELDS).every((x) => JSON.stringify(one[x] ?? null) === JSON.stringify(other[x] ?? null));
const inLine = (field, text) => (field === "rel" || field === "missed" ? readNumbers(text, "grade").join(" ") : text.trim());

const toModel = (asked) => ({ ...Object.fromEntries(Object.entries(asked).map(([x, y]) => [x, asSent(y)])), value: asked.value?.asPython ?? "" });

// The question in an address, and two tools: the reported number comes first, and has no name there.
export const inAddress = {
  write: (get) => {
    const texts = Object.entries(asTexts(get("question"))).filter(([, text]) => text.trim());
    const [a, b] = get("pair") ?? [];
    return { ...Object.fromEntries(texts.map(([x, text]) => [x === "value" ? "" : x, inLine(x, text).replace(/[\s,]+/g, ",").replaceAll("−", "-")])), ...(a && { a }), ...(b && { b }) };
  },
  read: ({ "": value = "", a = "", b = "", ...rest }, { tools }) => {
    const { question, wrong } = read({ ...Object.fromEntries(Object.entries(rest).map(([x, text]) => [x, text.replaceAll(",", " ")])), value });
    for (const why of Object.values(wrong)) must(false, why);
    for (const name of [a, b]) must(!name || tools.some((tool) => tool.name === name), `there is no tool “${name.slice(0, 20)}”`);
    return { question: toModel(question), pair: [a, b] };
  },
};

// ---- The form ----

let made = 0; // forms on this page, so that each has ids of its own

// Fields with a label and a note each.
function newForm(changed) {
  const prefix = `nw-${made += 1}`;
  const [inputs, notes, labels] = [{}, {}, {}];
  const newField = (field) => {
    const { label, example, wide, inputmode } = FIELDS[field];
    const id = `${prefix}-${field}`;
    inputs[field] = make(wide ? "textarea" : "input", {
      id, placeholder: example, rows: wide ? 1 : undefined, spellcheck: "false", autocomplete: "off", autocapitalize: "off", inputmode, "aria-describedby": `${id}-note`, oninput: () => changed(),
    });
    notes[field] = make("span", { class: "nw-note", id: `${id}-note` });
    labels[field] = make("label", { for: id }, label);
    return make("div", { class: `nw-field nw-${field}` }, labels[field], inputs[field], notes[field]);
  };
  const more = make("details", { class: "nw-more" }, make("summary", {}, "The grades are in no order? Give scores"),
    make("p", {}, "Then the list is ranked by score, the highest first, and each tool breaks ties in its own way. −inf is a result that was not retrieved."),
    newField("scores"), newField("ids"));
  const form = make("div", { class: "nw-form" }, ...["value", "k", "rel", "missed"].map(newField), more);
  const texts = () => Object.fromEntries(Object.entries(inputs).map(([field, input]) => [field, input.value]));
  function fill(wanted) {
    for (const [field, input] of Object.entries(inputs)) input.value = wanted[field] ?? "";
    if (wanted.scores || wanted.ids) more.open = true;
  }
  function note({ scores }, wrong) {
    const ranks = scores?.length > 2 && scores.every((s, i) => s === i + 1);
    const hint = ranks ? "These look like ranks, and the highest score is ranked first: if they are ranks, put a minus before each." : "";
    for (const [field, span] of Object.entries(notes)) {
      span.textContent = wrong[field] ?? (field === "scores" ? hint : "");
      inputs[field].toggleAttribute("aria-invalid", Boolean(wrong[field]));
      if (FIELDS[field].wide) inputs[field].rows = Math.min(6, inputs[field].value.split("\n").length);
    }
    labels.rel.textContent = inputs.scores.value.trim() ? "Grades, in any order" : FIELDS.rel.label;
  }
  return { form, inputs, texts, fill, note };
}

// ---- The rows ----

// What a tool does, and what to know about it.
const aboutTool = (tool) => [make("dt", {}, `${tool.tool} (${tool.version}) `, make("code", {}, `like="${tool.name}"`)),
  make("dd", {}, `${TELLING.map((x) => tool.says[x]).join("; ")}. `, make("em", {}, `Note: ${tool.trap}.`))];

// The groups of tools with one number, as rows that open; one that is open stays open while it keeps its first tool.
function newRows(list) {
  const open = new Set();
  const newRow = ({ value, tools, agrees, because }, isNear, digitsShown) => {
    const name = make("span", { class: "nw-tools" }, tools.map((t) => t.title).join(", "));
    const reason = make("span", { class: "nw-because" }, because.length ? `but ${because.join("; ")}` : "");
    const summary = make("summary", { class: "nw-row" }, make("b", {}, digits(value, digitsShown)), make("span", {}, name, reason));
    const details = make("details", { ontoggle: () => open[details.open ? "add" : "delete"](tools[0].name) }, summary, make("dl", {}, ...tools.flatMap(aboutTool)));
    details.open = open.has(tools[0].name);
    return make("li", { class: agrees ? "nw-agrees" : isNear ? "nw-near" : "" }, details);
  };
  return ({ groups, near }, reported) => list.replaceChildren(...groups.map((one) => newRow(one, one === near, reported?.digits)));
}

// ---- The axis ----

const PILE = 8; // dots that are one above the other without touching
const STEPS = [0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5]; // between ticks

// A dot for each tool, those with one number on a pile, and a name at each pile where there is room.
function newAxis(all, press) {
  const [mark, ticks] = [make("i", { class: "nw-mark" }), make("div", { class: "nw-ticks" })];
  const axis = make("div", { class: "nw-axis", "aria-hidden": "true" }, mark, ticks); // the list below says the same in words
  const dots = new Map(all.map((tool) => [tool.name, axis.appendChild(make("i", { title: tool.title, onclick: () => press(tool.name) }))]));
  const labels = new Map();
  function placeDots(groups, x) {
    for (const dot of dots.values()) dot.hidden = true;
    for (const { value, agrees, tools } of groups) {
      tools.forEach((tool, i) => {
        const dot = dots.get(tool.name);
        dot.hidden = false;
        dot.className = `nw-dot nx-dot nx-dot-${formOf(tool)}${agrees ? " nw-lit" : ""}`;
        dot.style.left = `${x(value)}%`;
        dot.style.setProperty("--up", tools.length > PILE ? (i * (PILE - 1)) / (tools.length - 1) : i); // a high pile is pressed together
      });
    }
  }
  function placeLabels(wanted, x) {
    const wide = axis.clientWidth;
    if (!wide) return; // it is not on the page yet
    const lanes = [[], []]; // above the dots, and below
    const placed = new Set();
    for (const { key, text, value, agrees } of wanted) {
      const label = labels.get(key) ?? axis.appendChild(make("span", { style: `--at: ${x(value)}` }));
      labels.set(key, label);
      label.textContent = text;
      label.className = `nw-label${agrees ? " nw-lit" : ""}`;
      const [width, middle] = [label.offsetWidth, (x(value) / 100) * wide];
      const left = clamp(middle - width / 2, 0, Math.max(0, wide - width));
      const lane = lanes.findIndex((taken) => taken.every(([from, to]) => left > to + 8 || left + width < from - 8));
      if (lane < 0) continue;
      lanes[lane].push([left, left + width]);
      label.classList.add(lane ? "nw-below" : "nw-above");
      label.style.setProperty("--at", wide > width ? (100 * left) / (wide - width) : 0); // in % of the room it has
      label.style.setProperty("--to", `${middle - left}px`);
      placed.add(key);
    }
    for (const [key, label] of labels) if (!placed.has(key)) { label.remove(); labels.delete(key); } // the list below names them
  }
  function draw(groups, reported, others) {
    const within = reported && reported.value <= 1.5 ? [reported.value] : []; // a percentage would leave all the tools on one spot
    const values = [...groups.map((g) => g.value), ...within, ...others];
    const [low, high] = [Math.min(...values), Math.max(...values)];
    const room = Math.max(high - low, 0.01);
    const x = (v) => 50 + (94 * (v - (low + high) / 2)) / room; // in % of the width
    const step = STEPS.find((by) => room / by <= 6) ?? 1;
    const first = Math.ceil(low / step - CLOSE);
    const marks = Array.from({ length: Math.floor(high / step + CLOSE) - first + 1 }, (_, i) => (first + i) * step);
    mark.hidden = !within.length;
    mark.style.left = `${x(within[0] ?? low)}%`;
    mark.style.width = `${(2 * 94 * (reported?.allowed ?? 0)) / room}%`;
    ticks.replaceChildren(...marks.map((at) => make("span", { style: `left: ${x(at)}%` }, String(Number(at.toFixed(3))))));
    placeDots(groups, x);
    const wanted = [...within.map((value) => ({ key: "reported", text: reported.text, value, agrees: true })), ...groups.map(({ value, agrees, tools }) =>
      ({ key: tools[0].name, text: tools.length > 1 ? `${tools[0].title} +${tools.length - 1}` : tools[0].title, value, agrees, size: tools.length }))];
    placeLabels(wanted.sort((a, b) => b.agrees - a.agrees || (b.size ?? Infinity) - (a.size ?? Infinity)), x);
  }
  return { axis, draw };
}

// ---- The list as chips ----

const MOST_CHIPS = 40; // a longer list is moved in its field

// A chip is a place: grades go from place to place while no element moves, so that focus and pointers stay.
// `arranged` is told the new order of the grades, and what was done.
function newChips(root, arranged) {
  const chips = [];
  let shown = [];
  const list = make("ol", { class: "nw-chips", "aria-label": "The list. The arrow keys, Home and End move a result." });
  const newChip = (i) => make("li", {
    class: "nw-chip", tabindex: 0, onpointerdown: (event) => take(event, i),
    onkeydown: (event) => onKey(event, { ArrowLeft: i - 1, ArrowUp: i - 1, ArrowRight: i + 1, ArrowDown: i + 1, Home: 0, End: Infinity }, (to) => move(i, to)),
  });
  function draw(grades) {
    shown = grades;
    while (chips.length < shown.length) list.append(chips[chips.push(newChip(chips.length)) - 1]);
    chips.forEach((chip, i) => {
      chip.hidden = i >= shown.length;
      chip.textContent = minus(shown[i] ?? "");
      setAria(chip, { label: `Rank ${i + 1}: grade ${minus(shown[i] ?? "")}` });
    });
  }
  function move(from, to) {
    const at = clamp(to, 0, shown.length - 1);
    if (at === from) return at;
    arranged(shown.toSpliced(from, 1).toSpliced(at, 0, shown[from]), `Grade ${minus(shown[from])} at rank ${at + 1}`);
    chips[at].focus({ preventScroll: true });
    return at;
  }
  function take(event, from) {
    if (event.button) return;
    event.target.releasePointerCapture(event.pointerId); // a finger would keep its first chip
    let at = from;
    const go = (to) => {
      at = to < 0 ? at : move(at, to);
      chips.forEach((chip, i) => chip.classList.toggle("nw-held", i === at));
    };
    hold([[root(), "nw-dragging"]], ({ clientX, clientY }) => go(chips.indexOf(document.elementFromPoint(clientX, clientY))), () => go(from));
    go(from);
  }
  return { list, draw };
}

// ---- Two tools ----

// Two tools to choose, or to press, and why they differ.
function newPair(model, tools, chosen) {
  const pair = () => model.get("pair") ?? ["", ""];
  const set = (names) => { model.set("pair", names); chosen(); };
  const press = (name) => set(pair().includes(name) ? pair().map((x) => (x === name ? "" : x)) : pair()[0] && !pair()[1] ? [pair()[0], name] : [pair()[1] || name, pair()[1] ? name : ""]);
  const picks = ["First tool", "Second tool"].map((label, i) => make("select", { "aria-label": label, onchange: (event) => set(pair().with(i, event.target.value)) },
    make("option", { value: "" }, "choose a tool"), ...tools.map((tool) => make("option", { value: tool.name }, tool.title))));
  const why = make("span", { class: "nw-why" });
  const line = make("div", { class: "nw-pair" }, make("span", {}, "Why do two tools differ?"), ...picks, why);
  function draw(question) {
    const names = pair();
    picks.forEach((pick, i) => { pick.value = names[i]; });
    const both = names.flatMap((name) => tools.filter((tool) => tool.name === name));
    why.textContent = both.length < 2 ? "" : both[0] === both[1] ? "Choose two that are not the same." : contrast(both, question);
    return why.textContent;
  }
  return { line, press, draw };
}

// ---- All of it ----

function render({ model, el }) {
  const tools = model.get("tools");
  let question = model.get("question");
  const first = asTexts(question);
  const { form, inputs, texts, fill, note } = newForm(() => changed());
  const { live, say: sayOnce } = speaker(600);
  const say = (lines) => sayOnce(() => lines.join(" "));
  const [sum, sentence] = [make("p", { class: "nw-sum" }), make("p", { class: "nw-said" })];
  const list = make("ol", { class: "nw-list", "aria-label": "The tools by their number, the highest first" });
  const refusals = make("div", { class: "nw-refusals" });
  const two = newPair(model, tools, () => say([drawPair()]));
  const { axis, draw: drawDots } = newAxis(tools, two.press);
  const drawRows = newRows(list);
  const arrange = (rel, what) => { inputs.rel.value = asText(rel); changed(what); };
  const chips = newChips(() => root, arrange);
  const disagree = button("Widest disagreement", () => arrange(widest(tools, read(texts()).question).rel, "The order with the widest disagreement"),
    "Try every order of these grades for the one in which the lowest and the highest number are furthest apart");
  const limit = make("span", { class: "nw-limit" }, `too many to try: over ${thousands(MOST_ORDERS)} orders`);
  const drag = make("span", { class: "nw-drag" }, "Drag a result");
  const reset = button("Reset", () => { fill(first); changed(); });
  const answers = make("div", { class: "nw-answers" }, sum, axis, keysOfDots(), sentence, two.line, list, refusals);
  const root = frame("nx nw", "Whose number is it?", hint("|Type the nDCG you were given|, and the grades it is about: who counts like that?"), form, make("div", { class: "nw-moves" }, drag, chips.list, disagree, reset, limit), answers, live);
  el.append(root);

  function drawMoves({ rel, scores }, wrong) {
    const grades = wrong.rel || wrong.scores || scores || rel.length > MOST_CHIPS ? [] : rel; // scores have an order of their own
    const isFew = hasFewOrders(grades);
    chips.draw(grades);
    for (const part of [drag, chips.list, disagree]) part.hidden = grades.length < 2;
    limit.hidden = isFew;
    disagree.disabled = !isFew || Object.keys(wrong).length > 0;
  }

  // The answer; while a field cannot be read, the last one stays, and is grey.
  let [drawAxis, drawPair] = [() => {}, () => ""];
  function draw(asked, wrong) {
    const isWrong = Object.keys(wrong).length > 0;
    note(asked, wrong);
    drawMoves(asked, wrong);
    answers.classList.toggle("nw-stale", isWrong);
    if (isWrong) return Object.values(wrong);
    const found = lineUp(tools, asked);
    const lines = write(tools, asked, found);
    sentence.replaceChildren(make("strong", {}, lines[0]), ` ${lines.slice(1).join(" ")}`);
    sum.textContent = summary(found.groups);
    drawAxis = () => drawDots(found.groups, asked.value, asked.scores ? [] : reach(tools, asked));
    drawAxis();
    drawPair = () => two.draw(asked);
    drawPair();
    drawRows(found, asked.value);
    refusals.replaceChildren(...(found.refused.length ? [make("p", {}, "No number from")] : []),
      make("ul", {}, ...found.refused.map(({ why, tools: they }) => make("li", {}, make("b", {}, names(they)), `: ${agreeing(why, they)}`))));
    return [...lines, ...(found.refused.length ? [`No number from ${counted(found.refused.flatMap((r) => r.tools).length, "convention")}`] : [])];
  }

  function changed(what) {
    const { question: asked, wrong } = read(texts());
    const lines = draw(asked, wrong);
    say(what ? [`${what}: ${sum.textContent}.`, ...lines] : lines);
    if (Object.keys(wrong).length) return;
    question = toModel(asked);
    model.set("question", question);
    model.save_changes();
  }
  function fromModel() {
    if (isSame(model.get("question"), question)) return; // our own question comes back: leave it as it was typed
    question = model.get("question");
    fill(asTexts(question));
    const { question: asked, wrong } = read(texts());
    say(draw(asked, wrong));
  }


  fill(first);
  draw(read(first).question, read(first).wrong);
  redrawWhenResized(axis, () => axis.clientWidth, () => drawAxis());
  return listen(model, { "change:question": fromModel, "change:pair": () => drawPair() });
}

export default { render, share: sharing(inAddress) };
