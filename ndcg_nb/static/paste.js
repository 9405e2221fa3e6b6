// Paste your run: judgements and one or two runs as text, the mean that every tool would print, and where the tools disagree.
// Nothing leaves the browser: a worker made of this very module reads the text and computes, so the page never freezes.
// It is a plain ES module in the form anywidget hosts, and needs nothing but a model with get, set, on and save_changes.
import { clamp, frame, hasOwnIdeal, listed, listen, make, minus, number, speaker } from "./core.js";
import { weightsOf, worth } from "./tools.js";
import { Unreadable, kindOf, textOf, thousands } from "./tables.js";
import { evaluate, listIn, readProblem } from "./runs.js";
import { measure, render } from "./explore.js";

// ---- What is found, in words ----

const counted = (n, noun) => `${thousands(n)} ${n === 1 ? noun : noun.endsWith("y") ? `${noun.slice(0, -1)}ies` : `${noun}s`}`;
const span = (low, high, digits = 3) => (low.toFixed(digits) === high.toFixed(digits) ? low.toFixed(digits) : `${low.toFixed(digits)} to ${high.toFixed(digits)}`);
const leading = (tools) => tools.find((tool) => ["trec_eval", "lightgbm", "sklearn"].includes(tool.name)) ?? tools[0]; // the best known

/** The sentence that matters, and what else is to be said. */
export function verdict(tools, names, says) {
  const whole = tools.map((tool, i) => ({ tool, means: says[i].map((x) => x.mean) })).filter(({ means }) => means.every((x) => x !== undefined));
  if (!whole.length) return ["No tool has a number for this."];
  const means = whole.map((x) => x.means[0]);
  const [low, high] = [Math.min(...means), Math.max(...means)];
  const different = new Set(means.map((x) => x.toFixed(4))).size;
  if (names.length < 2) return [different > 1 ? `${counted(whole.length, "tool")}, ${different} different means, from ${span(low, high)}.` : `All ${whole.length} tools print the same mean, ${low.toFixed(4)}.`];
  const by = whole.map((x) => x.means[1] - x.means[0]);
  const side = (holds) => whole.filter((_, i) => holds(by[i])).map((x) => x.tool);
  const [before, after, equal] = [side((x) => x < -1e-12), side((x) => x > 1e-12), side((x) => Math.abs(x) <= 1e-12)];
  const some = (they) => `${counted(they.length, "tool")} (${listed(they.map((x) => x.title), 3)})`;
  const same = equal.length ? [`${some(equal)} ${equal.length === 1 ? "prints" : "print"} the same mean for both.`] : [];
  if (before.length && after.length) {
    return [`${leading(before).title} and ${leading(after).title} disagree about which run is better.`,
      `${names[0]} is better for ${some(before)}; ${names[1]} is better for ${some(after)}.`, ...same];
  }
  if (!before.length && !after.length) return [`All ${whole.length} tools print the same mean for both runs.`];
  const gaps = by.map(Math.abs).filter((x) => x > 1e-12);
  const winner = names[after.length ? 1 : 0];
  const all = equal.length ? `No tool disagrees: ${winner} is better for ${counted(whole.length - equal.length, "tool")}` : `All ${whole.length} tools agree: ${winner} is better`;
  return [`${all}, by ${span(Math.min(...gaps), Math.max(...gaps))}.`, ...same];
}

/** Tools that have the same values, together; the highest mean first. */
export function grouped(tools, says) {
  const groups = [];
  const alike = (a, b) => a.values.every((x, j) => Object.is(x, b.values[j]) || Math.abs(x - b.values[j]) < 1e-9);
  tools.forEach((tool, i) => {
    if (says[i].some((x) => x.refused)) return;
    const same = groups.find((group) => group.says.every((x, r) => alike(x, says[i][r])));
    const group = same ?? { tools: [], says: says[i], titles: [] };
    if (!same) groups.push(group);
    group.tools.push(tool);
    const prints = says[i].map((x) => x.mean.toFixed(tool.rounding ?? 4));
    group.titles.push((tool.rounding ?? 4) === 4 ? tool.title : `${tool.title} (prints ${prints.join(" and ")})`);
  });
  return groups.sort((a, b) => b.says[0].mean - a.says[0].mean);
}

/** Tools that have no number for a run, by the reason. */
export function refusals(tools, says) {
  const why = new Map();
  tools.forEach((tool, i) => {
    const text = says[i].find((x) => x.refused)?.refused;
    if (text) why.set(text, [...(why.get(text) ?? []), tool.title]);
  });
  return [...why].map(([text, they]) => ({ text, they }));
}

/** The queries, those about which the tools disagree most first; with two runs, about the difference. */
export function byDisagreement(groups, count) {
  const spread = Array.from({ length: count }, (_, q) => {
    const all = groups.map(({ says }) => shadeOf(says, q)).filter((x) => !Number.isNaN(x));
    return all.length ? Math.max(...all) - Math.min(...all) : -1;
  });
  return spread.map((_, q) => q).sort((a, b) => spread[b] - spread[a] || a - b);
}
/** What a cell of the strip shows: the value, or the difference of two runs. */
const shadeOf = (says, q) => (says.length > 1 ? says[1].values[q] - says[0].values[q] : says[0].values[q]);

/** What there is to say of judgements and runs beside their numbers. */
export function notesOf({ judged, runs }) {
  const relevant = (documents) => [...documents.values()].some((x) => x.grade > 0);
  const barren = [...judged.values()].filter((documents) => !relevant(documents)).length;
  const notes = [`${counted(judged.size, "judged query")}${barren ? `, ${thousands(barren)} without a relevant document` : ""}.`];
  for (const { name, results, doubts } of runs) {
    const missing = [...judged.keys()].filter((q) => !results.has(q));
    const extra = [...results.keys()].filter((q) => !judged.has(q));
    if (missing.length) notes.push(`${counted(missing.length, "judged query")} ${missing.length === 1 ? "is" : "are"} missing from ${name}: ${listed(missing, 5)}.`);
    if (extra.length) notes.push(`${counted(extra.length, "query")} of ${name} ${extra.length === 1 ? "has" : "have"} no judgements (ignored).`);
    notes.push(...doubts);
  }
  return notes;
}

// ---- The living list of one query ----

const MOST = 20; // results that are shown
const FORM = { positive: "linear", "positive-exp": "exp" };

/** What `explore` needs to show a query's list as a tool ranks and weighs it. */
export function livingList({ shown, missed }, tool, k) {
  const wanted = k ?? tool.default_k ?? Infinity;
  const [cut, top, short] = [Math.min(wanted, MOST), shown.slice(0, MOST), wanted > MOST && shown.length > MOST];
  const worthOf = (x) => worth(tool.gain, x.grade).gain;
  const rest = [...shown.slice(top.length), ...missed].filter((x) => worthOf(x) > 0).sort((a, b) => worthOf(b) - worthOf(a));
  const aside = hasOwnIdeal(tool) ? [] : rest.slice(0, cut);
  const named = ({ id, grade, judged }, i) => ({ name: `D${i + 1}`, title: judged ? id : `${id} (unjudged)`, grade, shown: i < top.length });
  const documents = [...top, ...aside].map(named);
  const grades = documents.map((d) => d.grade);
  const highest = Math.max(3, ...grades);
  const levels = [...new Set([...grades, ...(highest <= 10 ? Array.from({ length: Math.floor(highest) + 1 }, (_, i) => i) : [0])])].sort((a, b) => a - b);
  const [gain, discount] = [FORM[tool.gain.form] ?? tool.gain.form, tool.discount.length > 1 ? `${tool.discount[0]} ${Number(tool.discount[1].toFixed(3))}` : tool.discount[0]];
  return {
    documents, levels, gain, discount, k: wanted === Infinity && !short ? null : cut, short, view: "losses", penalty: 1, pair: [], dialects: {},
    choices: { gain: [gain], discount: [discount] },
    gains: { [gain]: levels.map((grade) => worth(tool.gain, grade).gain) },
    discounts: { [discount]: weightsOf(tool, 2 * MOST + 20) },
  };
}

const modelOf = (state) => { // as a page without a kernel has it
  const listeners = {};
  return {
    get: (name) => state[name],
    set: (name, value) => {
      state[name] = value;
      for (const listener of listeners[`change:${name}`] ?? []) listener();
    },
    on: (event, listener) => (listeners[event] ??= []).push(listener),
    off: (event, listener) => { listeners[event] = (listeners[event] ?? []).filter((x) => x !== listener); },
    save_changes() {},
  };
};

// ---- Where the work is done ----

/** What a worker does: it keeps what it has read, and answers. */
function work() {
  let problem = null;
  return (asked, reply) => {
    try {
      const { texts, tools, roles, k, list } = asked;
      const half = (from) => {
        let last = 0;
        return (share) => { // a word every tenth of a second
          if (Date.now() - last < 100) return;
          last = Date.now();
          reply({ progress: from + share / 2 });
        };
      };
      if (texts) problem = readProblem({ ...texts, roles }, half(0));
      if (list) reply({ list: listIn(problem, list.run, list.query, list.tool), of: list });
      else reply({ done: evaluate(problem, tools, k, half(0.5)), notes: notesOf(problem), names: problem.runs.map((x) => x.name) });
    } catch (error) {
      if (!(error instanceof Unreadable)) throw error;
      problem = null;
      reply({ refused: error.message });
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

/** The module as an address that a worker can be made of: pages that are files may not use that of a Blob. */
const address = async () => `data:text/javascript;base64,${based(new Uint8Array(await ownText))}`;
function based(bytes) {
  let letters = "";
  for (let i = 0; i < bytes.length; i += 2 ** 12) letters += String.fromCharCode(...bytes.subarray(i, i + 2 ** 12));
  return btoa(letters);
}

/** A worker to ask, which is replaced when it is stopped; where there can be none, the page itself works. */
function helper(reply) {
  let [worker, source, last] = [null, null, null];
  const alone = () => { // no worker is allowed here
    const answer = work();
    worker = Promise.resolve({ postMessage: (asked) => setTimeout(() => answer(asked, reply)), terminate() {} });
    worker.then((it) => last && it.postMessage(last));
  };
  const begin = async () => {
    const made = new Worker(await (source ??= address()), { type: "module" });
    made.onmessage = ({ data }) => reply(data);
    made.onerror = alone;
    return made;
  };
  return {
    ask(asked) {
      last = asked;
      worker ??= begin();
      worker.then((it) => it.postMessage(asked), alone);
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
const piped = async (bytes, stream) => new Uint8Array(await new Response(new Blob([bytes]).stream().pipeThrough(stream)).arrayBuffer());

const same = (one, other) => JSON.stringify(one) === JSON.stringify(other);

/** What was pasted, as a part of an address, and back. */
export async function linked(state) {
  const packed = await piped(new TextEncoder().encode(JSON.stringify(state)), new CompressionStream("deflate-raw"));
  return LINK + based(packed).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}
export async function unlinked(hash) {
  const part = hash.replace(/^#/, "").split("&").find((x) => x.startsWith(LINK));
  if (part === undefined) return null;
  try {
    const text = atob(part.slice(LINK.length).replaceAll("-", "+").replaceAll("_", "/"));
    return stateIn(new TextDecoder().decode(await piped(Uint8Array.from(text, (c) => c.charCodeAt(0)), new DecompressionStream("deflate-raw"))));
  } catch {
    return null;
  }
}
/** The state in a text that was kept; null in any other. */
export function stateIn(text) {
  if (!/^\s*\{\s*"paste"\s*:/.test(text.slice(0, 100))) return null;
  const { paste: { qrels, runs, k } } = JSON.parse(text);
  return { paste: { qrels: String(qrels), runs: runs.map((run) => run.map(String)).slice(0, 2), k: k === null ? null : Number(k) } };
}

// ---- The page ----

const BOXES = {
  qrels: { label: "Judgements (qrels)", example: "q1 0 doc7 3\nor a table with a header, or JSON; or one table that has scores, too" },
  a: { label: "Run", example: "q1 Q0 doc7 1 12.5 name\nor a table with a header, or JSON" },
  b: { label: "Second run, if there is one", example: "none" },
};
const LARGE = 2 ** 18; // characters above which a box shows the name of the file only
let forms = 0;

function show({ model, el }) {
  const alone = !model.send;
  const tools = model.get("tools");
  const roles = model.get("roles");
  const prefix = `np-${forms += 1}`;
  const held = {}; // what each box holds: a name and a text
  let [found, groups, order, chosen, sent, aside] = [null, [], [], null, null, ""];

  const root = frame("nx np", "Paste your run");
  const { live, say, silence } = speaker(600, "np-live");
  const said = make("p", { class: "np-said" });
  const notes = make("p", { class: "np-notes" });
  const bar = make("progress", { max: 1, value: 0, "aria-label": "Progress" });
  const busy = make("div", { class: "np-busy", hidden: "" }, bar, make("button", { type: "button", onclick: () => cancel() }, "Cancel"));
  const list = make("ol", { class: "np-list", "aria-label": "The tools and their means, the highest first" });
  const legend = make("p", { class: "np-legend" });
  const refused = make("ul", { class: "np-refused" });
  const detail = make("div", { class: "np-detail" });
  const boxes = {};

  function newBox(field) {
    const id = `${prefix}-${field}`;
    const text = make("textarea", { id, rows: 4, spellcheck: "false", autocomplete: "off", wrap: "off", placeholder: BOXES[field].example, "aria-describedby": `${id}-note`, oninput: () => typed(field) });
    const note = make("span", { class: "np-note", id: `${id}-note` });
    boxes[field] = { text, note };
    return make("div", { class: `np-box np-${field}` }, make("label", { for: id }, BOXES[field].label), text, note);
  }
  const cutoff = make("input", { id: `${prefix}-k`, inputmode: "numeric", size: 4, placeholder: "none", oninput: () => later(300) });
  const file = make("input", { type: "file", multiple: "", hidden: "", "aria-label": "Files", onchange: () => { dropped([...file.files]); file.value = ""; } });
  const keep = make("button", { type: "button", onclick: () => keepIt() }, "Copy a link");
  const acts = make("div", { class: "np-acts" },
    make("button", { type: "button", onclick: () => file.click() }, "Open files"),
    make("button", { type: "button", onclick: () => restore({ qrels: "", runs: [], k: asked() ?? null }) }, "Clear"),
    make("button", { type: "button", onclick: () => restore(own) }, "Example"),
    make("label", { for: `${prefix}-k` }, "Cut every list at k"), cutoff, keep, file);
  const results = make("div", { class: "np-results" }, list, legend, refused, detail);
  root.append(make("p", { class: "np-hint" }, "Paste your files, or drop them here. Nothing leaves your browser."),
    make("div", { class: "np-boxes" }, ...Object.keys(BOXES).map(newBox)), acts, busy, said, notes, results, live);
  el.append(root);

  // What the boxes hold. A file that is long is held beside its box, which shows its name.
  function put(field, name, text) {
    const large = text.length > LARGE;
    held[field] = { name, text, large };
    boxes[field].text.value = large ? `${name}: ${thousands(text.length)} characters, not shown.\nEmpty this box to remove it.` : text;
  }
  function typed(field) {
    const text = boxes[field].text.value;
    held[field] = { name: { qrels: "qrels", a: "run A", b: "run B" }[field], text, large: false };
    later(300);
  }
  const filled = (field) => Boolean(held[field]?.text.trim());
  const namesOf = () => ["a", "b"].filter(filled).map((field) => held[field].name);
  const current = () => ({ qrels: held.qrels?.text ?? "", runs: ["a", "b"].filter(filled).map((field) => [held[field].name, held[field].text]), k: asked() ?? null });
  function asked() { // the cutoff: a number, null for none, undefined where it is not a cutoff
    const text = cutoff.value.trim();
    return text ? (/^0*[1-9]\d{0,8}$/.test(text) ? Number(text) : undefined) : null;
  }
  function restore({ qrels, runs, k }) {
    put("qrels", "qrels", qrels);
    ["a", "b"].forEach((field, i) => put(field, runs[i]?.[0] ?? `run ${"AB"[i]}`, runs[i]?.[1] ?? ""));
    cutoff.value = k ?? "";
    run();
  }

  // Files go where they belong; the example makes room for them.
  async function dropped(files, target = null) {
    if (!files.length) return;
    if (same(current().qrels, own.qrels) && same(current().runs, own.runs)) for (const field of Object.keys(BOXES)) put(field, "", "");
    const left = [];
    for (const one of files) {
      try {
        let bytes = new Uint8Array(await one.arrayBuffer());
        if (bytes[0] === 31 && bytes[1] === 139) bytes = await piped(bytes, new DecompressionStream("gzip"));
        const text = textOf(bytes, one.name);
        const kept = stateIn(text);
        if (kept) { restore(kept.paste); return; }
        const kind = kindOf(text, roles);
        const free = ["a", "b"].find((field) => !filled(field));
        const to = files.length === 1 && target && kind === null ? target : kind === "joined" || (kind === "grade" && !filled("qrels")) ? "qrels" : free;
        if (to) put(to, one.name, text);
        else left.push(one.name);
      } catch (error) {
        refuse(error instanceof Unreadable ? error.message : `${one.name} cannot be read: ${error.message}`);
        return;
      }
    }
    run();
    aside = left.length ? `There is room for judgements and two runs: ${listed(left)} ${left.length > 1 ? "were" : "was"} left out.` : "";
  }
  const over = (event) => {
    if (![...event.dataTransfer.types].includes("Files")) return;
    event.preventDefault();
    root.classList.add("np-over");
  };
  const drop = (event) => {
    root.classList.remove("np-over");
    if (!event.dataTransfer.files.length) return;
    event.preventDefault();
    dropped([...event.dataTransfer.files], Object.keys(boxes).find((field) => boxes[field].text === event.target));
  };
  for (const [name, act] of [["dragover", over], ["drop", drop], ["dragleave", () => root.classList.remove("np-over")]]) root.addEventListener(name, act);

  // Asking the worker.
  const { ask, stop } = helper(hear);
  let [waiting, patience, working] = [0, 0, false];
  const later = (wait) => {
    clearTimeout(waiting);
    waiting = setTimeout(run, wait);
  };
  function run() {
    const k = asked();
    clearTimeout(waiting);
    for (const { text, note } of Object.values(boxes)) { note.textContent = ""; text.removeAttribute("aria-invalid"); }
    if (working) { stop(); sent = null; }
    if (k === undefined) { refuse("k is not a cutoff: give a whole number from 1, or nothing for each tool's own"); return; }
    if (!filled("qrels")) { refuse(namesOf().length ? "Now the judgements: without them no result has a grade." : "Paste judgements and a run, or one table with both."); return; }
    const state = current();
    const texts = { qrels: [held.qrels.name || "qrels", state.qrels], runs: named(state.runs) };
    working = true;
    patience = setTimeout(() => { busy.hidden = false; }, 300);
    bar.value = 0;
    ask({ texts: sent && same(sent, texts) ? null : texts, tools, roles, k });
    sent = texts;
    if (Object.values(held).every((x) => !x.large)) tellModel(state); // a kernel need not hold what is large
    offer(state);
  }
  const named = (runs) => (runs.length > 1 && runs[0][0] === runs[1][0] ? [[`${runs[0][0]} (1)`, runs[0][1]], [`${runs[1][0]} (2)`, runs[1][1]]] : runs);
  const settle = () => { working = false; clearTimeout(patience); busy.hidden = true; };
  function cancel() {
    stop();
    sent = null;
    settle();
    refuse("Cancelled.");
  }
  function hear(reply) {
    if (reply.progress !== undefined) bar.value = reply.progress;
    else if (reply.list) drawList(reply.list, reply.of);
    else {
      settle();
      if (reply.refused !== undefined) { sent = null; refuse(reply.refused); } else draw(reply);
    }
  }
  function refuse(text) {
    settle();
    found = null;
    results.hidden = true;
    said.textContent = "";
    notes.textContent = "";
    const lines = text.split("\n");
    const field = Object.keys(boxes).find((x) => held[x]?.name && new RegExp(`^${held[x].name.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")}(?=[:[ ,])`).test(lines[0]));
    if (field) {
      boxes[field].note.textContent = text;
      boxes[field].text.setAttribute("aria-invalid", "true");
    } else said.textContent = text;
    say(() => text);
  }

  // Drawing.
  function draw({ done, notes: told, names }) {
    found = { ...done, names };
    groups = grouped(tools, done.says);
    order = byDisagreement(groups, done.queries.length);
    const lines = verdict(tools, names, done.says);
    results.hidden = false;
    said.replaceChildren(make("strong", {}, lines[0]), ` ${lines.slice(1).join(" ")}`);
    notes.textContent = [...told, aside].join(" ").trim();
    aside = "";
    list.replaceChildren(...groups.map(drawGroup));
    legend.textContent = groups.length ? `Each strip has a cell for each query, those about which the tools disagree most on the left. ${names.length > 1
      ? `Blue: ${names[1]} is better. Orange: ${names[0]} is better.` : "The darker, the higher."} An empty cell is left out of the mean. Click one to see its list.` : "";
    refused.replaceChildren(...refusals(tools, done.says).map(({ text, they }) => make("li", {}, make("b", {}, listed(they)), `: no number; ${they.length === 1 ? "it" : "each"} ${text}.`)));
    say(() => [...lines, ...told].join(" "));
    const known = groups.findIndex((group) => group.tools.some((tool) => tool.name === "trec_eval"));
    if (groups.length) choose({ query: order[0], group: Math.max(0, known), run: names.length - 1 });
    else detail.replaceChildren();
  }
  function drawGroup(group, i) {
    const means = group.says.map((x) => make("b", {}, x.mean.toFixed(4)));
    if (group.says.length > 1) means[Number(group.says[1].mean > group.says[0].mean)].classList.toggle("np-won", group.says[1].mean !== group.says[0].mean);
    const fewest = Math.min(...group.says.map((x) => x.queries));
    const over = fewest < found.queries.length ? make("span", { class: "np-over-some" }, ` over ${group.says.map((x) => thousands(x.queries)).join(" and ")} of ${counted(found.queries.length, "query")}`) : "";
    const strip = make("canvas", { class: "np-strip", height: 1, "aria-hidden": "true" });
    strip.width = order.length;
    paint(strip, group.says);
    const at = (event) => order[clamp(Math.floor((event.offsetX / strip.clientWidth) * order.length), 0, order.length - 1)];
    strip.addEventListener("click", (event) => choose({ query: at(event), group: i, run: chosen.run }));
    strip.addEventListener("pointermove", (event) => { strip.title = `${found.queries[at(event)]}: ${group.says.map((x) => number(x.values[at(event)]).replace("0/0", "left out")).join(" and ")}`; });
    return make("li", {}, make("span", { class: "np-means" }, ...means), make("span", { class: "np-tools" }, group.titles.join(", "), over), strip);
  }
  function paint(strip, says) {
    const brush = strip.getContext("2d");
    const picture = brush.createImageData(order.length, 1);
    order.forEach((q, x) => {
      const value = shadeOf(says, q);
      const colour = says.length > 1 && value < 0 ? [209, 96, 10] : [31, 111, 235];
      const strength = Number.isNaN(value) ? 0 : says.length > 1 ? 40 + 215 * Math.min(1, Math.abs(value) * 2) : 30 + 225 * clamp(value, 0, 1);
      picture.data.set(value === 0 && says.length > 1 ? [128, 128, 128, 50] : [...colour, strength], 4 * x);
    });
    brush.putImageData(picture, 0, 0);
  }

  // One query: its numbers, and its list, which can be moved.
  const pick = (label, name, names, value, act) => {
    const select = make("select", { "aria-label": name, onchange: () => act(Number(select.value)) }, ...names.map(([key, text]) => make("option", { value: key }, text)));
    select.value = value;
    return make("label", {}, `${label} `, select);
  };
  function choose(wanted) {
    chosen = wanted;
    const { query, group, run: r } = chosen;
    const some = order.slice(0, 1000);
    const queries = (some.includes(query) ? some : [query, ...some]).map((q) => [q, found.queries[q]]);
    const numbers = groups.map(({ says }) => says[r].values[query]).filter((x) => !Number.isNaN(x));
    const value = groups[group].says[r].values[query];
    const tool = groups[group].tools[0];
    const spread = numbers.length ? `In ${found.names[r]}, the tools say ${span(Math.min(...numbers), Math.max(...numbers))}; ` : "";
    const focused = detail.contains(document.activeElement) ? document.activeElement.getAttribute("aria-label") : null;
    detail.replaceChildren(
      make("div", { class: "np-picks" }, pick("Query", "Query", queries, query, (q) => choose({ ...chosen, query: q })),
        pick("as", "Ranked by", groups.map((g, i) => [i, g.tools.map((t) => t.title).join(", ")]), group, (g) => choose({ ...chosen, group: g })),
        ...(found.names.length > 1 ? [pick("in", "Run shown", found.names.map((x, i) => [i, x]), r, (x) => choose({ ...chosen, run: x }))] : [])),
      make("p", {}, `${spread}${tool.title} says ${Number.isNaN(value) ? "nothing, and leaves the query out" : number(value)}.`),
      make("div", { class: "np-living" }));
    [...detail.querySelectorAll("select")].find((x) => focused && x.getAttribute("aria-label") === focused)?.focus(); // keys go on where they were
    ask({ list: { run: r, query: found.queries[query], tool } });
  }
  function drawList(lists, { run: r, query, tool }) {
    if (found?.queries[chosen.query] !== query || chosen.run !== r || groups[chosen.group].tools[0].name !== tool.name) return; // another was chosen meanwhile
    const place = detail.querySelector(".np-living");
    if (!lists.shown.length) { place.replaceChildren(make("p", {}, `${found.names[r]} has no results for this query.`)); return; }
    const state = livingList(lists, tool, asked());
    const inner = make("div");
    render({ model: modelOf(state), el: inner });
    const drawn = measure(state).nDCG;
    const value = groups[chosen.group].says[r].values[chosen.query];
    const cuts = state.short ? [`The first ${MOST} results are shown.`] : [];
    const other = Math.abs(drawn - value) > 5e-4 && !state.short ? ["The list compares with the best order and takes ties in the order shown; the tool does not."] : [];
    const none = Number.isNaN(drawn) ? ["Nothing in the ideal is relevant, so the list alone would be 0/0."] : [];
    place.replaceChildren(...[...cuts, ...other, ...none].map((text) => make("p", {}, text)), inner);
  }

  // Keeping it: in a link if it is short enough, or else in a file.
  let offered = 0;
  async function offer(state) {
    const mine = offered += 1;
    const size = state.qrels.length + state.runs.reduce((n, x) => n + x[1].length, 0);
    const link = alone && size < 2 ** 20 ? await linked({ paste: state }) : null;
    if (mine !== offered) return;
    const length = link && location.href.replace(/#.*/, "").length + 1 + link.length;
    keep.link = length <= FITS ? link : null;
    keep.textContent = keep.link ? `Copy a link (${thousands(length)} characters)` : "Download a file that keeps this";
  }
  function keepIt() {
    if (!keep.link) {
      const url = URL.createObjectURL(new Blob([JSON.stringify({ paste: current() })], { type: "application/json" }));
      make("a", { href: url, download: "paste.json" }).click();
      setTimeout(() => URL.revokeObjectURL(url), 1000);
      say(() => "Downloaded paste.json: drop it on this page to open it again");
      return;
    }
    const others = location.hash.slice(1).split("&").filter((x) => x && !x.startsWith(LINK));
    history.replaceState(null, "", `#${[...others, keep.link].join("&")}`);
    const tell = (text) => { keep.textContent = text; say(() => text); };
    (navigator.clipboard?.writeText(location.href) ?? Promise.reject()).then(() => tell("Copied: it is in the address bar too"), () => tell("It is in the address bar"));
  }

  const ofModel = () => ({ qrels: model.get("qrels"), runs: model.get("runs"), k: model.get("k") });
  const own = ofModel();
  let telling = false; // what comes back meanwhile are our own words
  function tellModel(state) {
    telling = true;
    for (const [name, value] of Object.entries(state)) model.set(name, value);
    telling = false;
    model.save_changes();
  }
  const fromModel = () => {
    if (!telling && !same(ofModel(), current())) restore(ofModel());
  };
  const fromLink = async () => {
    const state = alone ? await unlinked(location.hash) : null;
    if (state) restore(state.paste);
    return Boolean(state);
  };
  fromLink().then((there) => there || restore(own));
  const deaf = listen(model, { "change:qrels": fromModel, "change:runs": fromModel, "change:k": fromModel });
  if (alone) addEventListener("hashchange", fromLink);
  return () => {
    deaf();
    silence();
    stop();
    clearTimeout(waiting);
    removeEventListener("hashchange", fromLink);
  };
}

export default { render: show };
