// A ranking one can move: rows to drag and regrade, a tray, a cutoff, and the numbers that follow.
// It is a plain ES module in the form anywidget hosts, and needs nothing but a model with get, set, on and save_changes.
import { button, change, clamp, frame, hold, listen, make, minus, number, onKey, setAria, slider, speaker, svg, svgLine, svgText } from "./core.js";
import { answer, differing, reasons } from "./tools.js";
import { measure } from "./measures.js";

const questionOf = ({ documents, k }) => {
  const grades = (isShown) => documents.filter((d) => d.shown === isShown).map((d) => d.grade);
  return { rel: grades(true), missed: grades(false), k };
};

// What each chapter shows. A new chapter adds a line here.
const LIST_AND_IDEAL = "Blue is what the list delivers, grey what the best list would have there, and which document.";
export const VIEWS = {
  cg: { bar: "gain", numbers: ["CG"], sums: ["CG"], hint: "Move a result up or down: the sum stays what it is." },
  dcg: {
    bar: "part", behind: "gain", discount: true, numbers: ["CG", "DCG"], sums: ["DCG"],
    hint: "Grey is the gain, blue what its rank leaves of it. Move a result: now the order matters.",
  },
  idcg: {
    bar: "part", discount: true, ideal: true, named: true, tray: true, numbers: ["DCG", "IDCG"], sums: ["DCG", "IDCG"],
    hint: `${LIST_AND_IDEAL} Take one out of the list: the ideal keeps it.`,
  },
  ndcg: {
    bar: "part", discount: true, ideal: true, named: true, tray: true, curve: true, numbers: ["DCG", "IDCG", "nDCG"], sums: ["DCG", "IDCG", "nDCG"],
    hint: `${LIST_AND_IDEAL} Move results, change grades, move k.`,
  },
  penalties: {
    bar: "charge", discount: true, price: true, adds: 0, numbers: ["nDCG", "penalised", "min-max"], sums: ["penalised"],
    hint: "Orange results do harm. Add one at the end, or raise its price: nDCG does not notice. Move it up: nDCG sees only that good ones came down.",
  },
  missing: {
    bar: "part", discount: true, ideal: true, tray: true, numbers: ["own ideal", "nDCG"], sums: ["DCG", "IDCG", "nDCG"],
    hint: "Take results out from the end, or change the set size k: a list's own ideal forgives what is missing, the pool does not.",
  },
  coverage: {
    bar: "part", discount: true, ideal: true, tray: true, numbers: ["nDCG", "nDCG at R", "nCG", "gain recall"], sums: [],
    hint: "Show one restaurant or five, and move k: which number sees the difference?",
  },
  unjudged: {
    bar: "part", discount: true, ideal: true, tray: true, supposed: true, numbers: ["least", "nDCG", "most"], sums: [],
    hint: "A grade with a question mark is only supposed. Change it: nDCG moves within the band of what is possible.",
  },
  losses: {
    bar: "part", discount: true, ideal: true, tray: true, losses: true, numbers: ["nDCG", "lost"], sums: ["ranks", "documents"],
    hint: "Blue is what a rank adds, orange what it lost against the ideal; an outline is what it won. Move results, or show what was missed.",
  },
  dialects: {
    bar: "part", pair: true, tray: true, numbers: [], sums: [],
    hint: "Choose two tools and move the list. Blue is what each result adds for the first, grey for the second.",
  },
};
const UNCUT = ["nDCG at R"]; // what has a cutoff of its own
const FORMS = { // what a form is, in its own name
  linear: "the grade", exp: "2^grade − 1", binary: "1 above 0", given: "as in Python",
  log2: "1 / log2(i + 1)", "jk 2": "1 / log2(i) from i = 2", zipf: "1 / i",
};
const HELP = "Drag a result, by its dots on a touch screen. Or reach it with Tab: ↑ ↓ Home End move it, + − or a digit grade it, "
  + "Delete takes it out, → goes to its buttons, ← or Escape back to it. The line k is dragged, or reached with Tab and moved by the same keys. Escape puts back what is held.";
const STATE = ["documents", "levels", "gains", "discounts", "choices", "gain", "discount", "k", "penalty", "pair", "dialects"];
const MOVED = ["documents", "gain", "discount", "k", "penalty", "pair"]; // what a hand can change
const gradeText = (d) => `${minus(d.grade)}${d.unjudged ? "?" : ""}`;
const fullName = (d) => (d.title ? `${d.name}, ${d.title}` : d.name);
const setLabel = (element, label) => { setAria(element, { label }); element.title = label; };

// ---- What one can do ----

// The list and what can be done with it: each act makes a new list of documents, and hands it to the model.
class Board {
  held = null; // what a hand holds
  numbers = []; // those that are shown
  changing = false; // several changes are one act, drawn once
  constructor(model, first) {
    Object.assign(this, { model, first, view: VIEWS[model.get("view")] });
  }
  get(name) { return this.model.get(name); }
  get state() { return Object.fromEntries(STATE.map((name) => [name, this.get(name)])); }
  get documents() { return this.get("documents"); }
  get shown() { return this.documents.filter((d) => d.shown); }
  get missed() { return this.documents.filter((d) => !d.shown); }
  get greatestCutoff() { return Math.max(this.documents.length, this.get("k") ?? 0); }
  get entry() { return Math.min(this.shown.length, (this.get("k") ?? Infinity) - 1); } // what enters counts, if only just
  set(changes) {
    this.changing = true;
    change(this.model, changes);
    this.changing = false;
    this.drawn();
  }
  move(name, to, isShown = true) {
    const from = this.documents.findIndex((d) => d.name === name);
    if (from < 0) return; // it was removed meanwhile
    const rest = this.documents.filter((d) => d.name !== name);
    const place = isShown ? clamp(to, 0, rest.filter((d) => d.shown).length) : rest.length;
    if (this.documents[from].shown === isShown && (!isShown || from === place)) return;
    this.set({ documents: rest.toSpliced(place, 0, { ...this.documents[from], shown: isShown }) });
  }
  setGrades(grade, chosen) {
    this.set({ documents: this.documents.map((d) => (chosen(d) ? { ...d, grade } : d)) });
  }
  regrade(document, level) {
    const levels = this.get("levels");
    this.setGrades(levels[clamp(level, 0, levels.length - 1)], (d) => d.name === document.name);
    return `${document.name} has grade ${gradeText(this.documents.find((d) => d.name === document.name))}`;
  }
  level(d) { return this.get("levels").indexOf(d.grade); }
  takeOut(name) {
    if (this.view.tray) this.move(name, 0, false);
    else this.set({ documents: this.documents.filter((d) => d.name !== name) });
  }
  add() {
    let n = this.documents.length + 1;
    while (this.documents.some((d) => d.name === `D${n}`)) n += 1;
    const [at, levels] = [this.entry, this.get("levels")];
    const grade = levels[Math.min(this.view.adds ?? 1, levels.length - 1)];
    const added = { name: `D${n}`, grade, shown: true, ...(this.view.supposed ? { unjudged: true } : {}) };
    this.set({ documents: this.documents.toSpliced(at, 0, added) });
    this.focusRow(at);
    return `${added.name} added at rank ${at + 1}`;
  }
  enter(name) {
    this.move(name, this.entry);
    this.focusRow(this.shown.findIndex((d) => d.name === name));
    return this.where(name);
  }
  sort() {
    const value = Object.fromEntries(measure(this.state).shown.map((r) => [r.name, this.view.price ? r.price : r.gain]));
    this.set({ documents: [...this.shown.sort((a, b) => value[b.name] - value[a.name]), ...this.missed] });
    return "The list is in its best order";
  }
  shuffle() {
    const before = this.shown;
    let mixed = before;
    while (mixed.every((d, i) => d === before[i])) mixed = before.map((d) => [Math.random(), d]).sort(([a], [b]) => a - b).map(([, d]) => d);
    this.set({ documents: [...mixed, ...this.missed] });
    return "The list is shuffled";
  }
  reset() {
    this.set(this.first());
    return "The list is as it was";
  }
  cutAt(k) {
    const next = k > this.greatestCutoff ? null : Math.max(1, k);
    if (next === this.get("k")) return;
    this.set({ k: next });
    this.say();
  }
  where(name) {
    const rank = this.shown.findIndex((d) => d.name === name) + 1;
    return rank ? `${name} at rank ${rank}` : `${name} taken out`;
  }
}

// Dragging a result, or the line of the cutoff, by mouse, pen or finger.
function dragging(board, parts) {
  const follow = () => {
    const { rows, tray } = parts();
    const { line, name, y } = board.held;
    if (line) board.cutAt(rows.cutoffAt(y));
    else if (board.view.tray && y > tray.getBoundingClientRect().top) board.move(name, 0, false);
    else board.move(name, rows.ranksAbove(y));
    board.draw();
  };
  const creep = () => { // a list longer than the window moves under a hand held at its edge
    if (!board.held?.moved) return;
    const edge = board.held.y < 40 ? -1 : board.held.y > innerHeight - 40 ? 1 : 0;
    if (edge) {
      scrollBy(0, 6 * edge);
      follow();
    }
    requestAnimationFrame(creep);
  };
  const drag = (event) => {
    const { held } = board;
    if (!held.moved && Math.hypot(event.clientX - held.x, event.clientY - held.y) < 4) return;
    event.preventDefault();
    if (!held.moved) requestAnimationFrame(creep);
    Object.assign(held, { moved: true, y: event.clientY });
    follow();
  };
  const drop = () => {
    const { moved, name } = board.held;
    if (moved && name) board.say(board.where(name));
    setTimeout(() => { board.held = null; board.draw(); }); // after the click in which a drag may end
  };
  board.take = (event, what) => {
    if (event.button) return;
    const before = { documents: board.documents, k: board.get("k") };
    board.held = { ...what, x: event.clientX, y: event.clientY, moved: false, numbers: board.numbers };
    hold([[parts().root, "nx-dragging"]], drag, () => board.set(before), drop);
  };
}

// ---- The rows ----

// The elements of one row. Rows are places: a document goes from place to place while no element ever moves,
// so that focus and pointers stay where they are.
function newRow(board, i) {
  const doc = () => board.shown[i];
  const press = (text, act) => button(text, () => board.say(act()));
  const act = (what, to, part) => {
    const { name } = doc();
    what(name);
    board.attend(to, part);
    return board.where(name);
  };
  const moveTo = (to, part) => act((name) => board.move(name, to), to, part);
  const takeOut = (part) => act((name) => board.takeOut(name), i, part);
  const part = (tag, ...kinds) => Object.fromEntries(kinds.map((kind) => [kind, make(tag, { class: `nx-${kind}` })]));
  const p = {
    ...part("span", "name", "title", "value", "run"), ...part("i", "ideal", "part", "lost"), ...part("small", "best"),
    grip: make("span", { class: "nx-grip", "aria-hidden": "true" }, "⠿"),
    grade: press("", () => board.regrade(doc(), (board.level(doc()) + 1) % board.get("levels").length)),
    up: press("↑", () => moveTo(i - 1, "up")),
    down: press("↓", () => moveTo(i + 1, "down")),
    out: press("×", () => takeOut("out")),
  };
  const bars = make("span", { class: "nx-bars", "aria-hidden": "true" }, p.ideal, p.part, ...(board.view.losses ? [p.lost] : []), ...(board.view.named ? [p.best] : []));
  p.row = make("li", { class: "nx-row", hidden: "", style: `order: ${2 * i + 1}` }, p.grip, make("span", { class: "nx-rank" }, String(i + 1)),
    make("span", { class: "nx-main" }, make("span", { class: "nx-called" }, p.name, " ", p.title), bars),
    p.grade, p.value, p.run, make("span", { class: "nx-acts" }, p.up, p.down, p.out));
  p.row.addEventListener("pointerdown", (event) => {
    const byMouse = event.pointerType === "mouse" && !event.target.closest("button");
    if (doc() && (event.target === p.grip || byMouse)) board.take(event, { name: doc().name });
  });
  const buttons = [p.grade, p.up, p.down, p.out];
  for (const each of buttons) each.tabIndex = -1; // Tab goes from row to row
  p.row.addEventListener("keydown", (event) => {
    const stops = [p.row, ...buttons.filter((each) => !each.disabled)];
    const at = stops.indexOf(event.target);
    const goTo = (next) => stops[clamp(next, 0, stops.length - 1)].focus();
    if (onKey(event, { ArrowLeft: at - 1, ArrowRight: at + 1, Escape: 0 }, goTo) || event.target !== p.row) return;
    const level = board.level(doc());
    onKey(event, { ArrowUp: i - 1, ArrowDown: i + 1, Home: 0, End: Infinity }, (to) => board.say(moveTo(to, "row")));
    onKey(event, { ...Object.fromEntries(board.get("levels").map((x, at) => [x, at])), "+": level + 1, "-": level - 1 }, (to) => board.say(board.regrade(doc(), to)));
    onKey(event, { Delete: "row" }, (focus) => board.say(takeOut(focus)));
  });
  return p;
}

// Show a document at its place, or what the ideal has there.
function fillRow(board, p, i, { m, scale, cut }) {
  const { view } = board;
  const d = m.shown[i];
  const width = (x) => `${((view.losses ? 48 : 100) * Math.abs(x)) / scale.span}%`;
  const loss = m.losses[i] ?? 0;
  const best = view.ideal && i < cut ? m.ideal[i] : undefined;
  p.lost.style.width = width(loss * m.IDCG);
  p.lost.classList.toggle("nx-won", loss < 0);
  p.ideal.style.width = width(best?.part ?? (view.pair ? m.second[i] : view.behind && d ? d[view.behind] : 0));
  p.best.style.left = width(Math.max(best?.part ?? 0, d?.part ?? 0));
  p.best.textContent = best?.name ?? "";
  p.best.title = best ? `in the best order: ${fullName(best)}` : "";
  p.doc = d?.name;
  p.name.textContent = d?.name ?? "";
  p.title.textContent = p.title.title = d?.title ?? "";
  if (d) fillResult(board, p, i, { m, scale, cut, d, loss, best, width });
  else fillGhost(board, p, { m, loss, best });
}

// A rank where the ideal has a document, and the list has none.
function fillGhost({ view }, p, { m, loss, best }) {
  p.row.className = "nx-row nx-ghost";
  p.row.setAttribute("aria-hidden", "true");
  p.row.removeAttribute("tabindex");
  p.part.style.width = 0;
  p.run.textContent = view.losses ? number(loss) : `${number(m[view.bar === "part" ? "DCG" : "CG"])} / ${number(best.sums[view.bar])}`;
}

function fillResult({ view, held, model }, p, i, { m, scale, cut, d, loss, best, width }) {
  const part = d[view.bar];
  const added = number(i < cut ? part : 0); // below the cutoff the bar alone tells what it would be
  const sum = (row) => number(row.sums[view.bar]);
  const about = [`Rank ${i + 1}: ${fullName(d)}, grade ${gradeText(d)}, adds ${added}`];
  if (view.losses) about.push(`lost ${number(loss)}`);
  if (view.named && best) about.push(`the ideal has ${best.name}`);
  p.row.className = `nx-row${i >= cut ? " nx-cut" : ""}${held?.moved && held.name === d.name ? " nx-held" : ""}`;
  p.row.removeAttribute("aria-hidden");
  p.row.tabIndex = 0;
  setAria(p.row, { label: about.join(", ") });
  p.run.textContent = i >= cut ? "" : view.losses ? number(loss) : view.pair ? number(m.second[i]) : best ? `${sum(d)} / ${sum(best)}` : sum(d);
  p.grade.textContent = gradeText(d);
  p.grade.classList.toggle("nx-supposed", Boolean(d.unjudged));
  p.value.textContent = added;
  p.part.classList.toggle("nx-loss", part < 0);
  p.part.style.width = width(part);
  p.part.style.left = `${(100 * (scale.below + Math.min(0, part))) / scale.span}%`; // a loss lies left of the zero line
  p.up.disabled = i === 0;
  p.down.disabled = i === m.shown.length - 1;
  setLabel(p.grade, `${d.name} has grade ${gradeText(d)}: ${model.offer?.(d) ?? "change it"}`); // a frame may offer something else
  setLabel(p.up, `Move ${d.name} up`);
  setLabel(p.down, `Move ${d.name} down`);
  setLabel(p.out, view.tray ? `Take ${d.name} out of the list` : `Remove ${d.name}`);
}

// The ranking: its rows, and the line of the cutoff between them.
function newRows(board) {
  const { view } = board;
  const places = [];
  const handle = make("span", {
    class: "nx-handle", role: "slider", tabindex: 0, title: "The cutoff: what stands below it does not count. Drag it.",
    "aria-label": "Cutoff k", "aria-orientation": "vertical", "aria-valuemin": 1,
    onkeydown: (event) => {
      const k = board.get("k") ?? board.greatestCutoff + 1;
      onKey(event, { ArrowUp: k - 1, ArrowLeft: k - 1, ArrowDown: k + 1, ArrowRight: k + 1, Home: 1, End: Infinity }, (to) => board.cutAt(to));
    },
  });
  const line = make("li", { class: "nx-line", onpointerdown: (event) => board.take(event, { line: true }) }, handle);
  const list = make("ol", { class: "nx-list", "aria-label": "The ranking. Up and down move a result, plus and minus grade it, right goes to its buttons." }, line);
  const ranksAbove = (y, part = 1) => { // by the places, wherever rows seem to be while they slide
    const top = list.getBoundingClientRect().top;
    return places.findLastIndex(({ row }) => !row.hidden && top + row.offsetTop + row.offsetHeight * part < y) + 1;
  };
  const cutoffAt = (y) => {
    const end = places.findLastIndex(({ row }) => !row.hidden);
    const next = end + 1 < (view.ideal ? board.greatestCutoff : board.shown.length) ? end + 2 : Infinity;
    return y > places[end].row.getBoundingClientRect().bottom + 18 ? next : ranksAbove(y, 0.5);
  };
  function drawLine(k, ranks) {
    const [end, words] = [board.greatestCutoff + 1, String(k ?? "no cut")];
    line.hidden = !ranks;
    line.style.order = 2 * Math.min(k ?? Infinity, ranks);
    line.classList.toggle("nx-held", Boolean(board.held?.moved && board.held.line));
    handle.textContent = k === null ? words : `k = ${k}`;
    setAria(handle, { valuemax: end, valuenow: k ?? end, valuetext: words });
  }
  function draw(m, k, scale) {
    const cut = k ?? Infinity;
    const ranks = view.ideal ? Math.max(m.shown.length, Math.min(cut, m.ideal.length)) : m.shown.length;
    while (places.length < ranks) list.append(places[places.push(newRow(board, places.length)) - 1].row);
    places.forEach((p, i) => {
      p.row.hidden = i >= ranks;
      if (p.row.hidden) p.doc = undefined;
      else fillRow(board, p, i, { m, scale, cut });
    });
    list.classList.toggle("nx-titled", board.documents.some((d) => d.title));
    drawLine(k, ranks);
  }
  return { list, places, ranksAbove, cutoffAt, draw };
}

// The documents that are not shown, as buttons that show them.
function newTray(board) {
  const chips = [];
  const title = board.view.supposed ? "Not shown" : "Judged, not shown";
  const label = make("span");
  const tray = make("div", { class: "nx-tray", role: "group", "aria-label": title }, label);
  const newChip = (i) => {
    const chip = make("button", { type: "button", class: "nx-chip", onclick: () => { if (!board.held?.moved) board.say(board.enter(board.missed[i].name)); } });
    chip.addEventListener("pointerdown", (event) => board.take(event, { name: board.missed[i].name }));
    return chip;
  };
  function draw(missed) {
    while (chips.length < missed.length) tray.append(chips[chips.push(newChip(chips.length)) - 1]);
    chips.forEach((chip, i) => {
      const d = missed[i];
      chip.hidden = !d;
      if (!d) return;
      chip.replaceChildren(make("span", { class: "nx-name" }, d.name), " ", make("span", { class: "nx-title" }, d.title ?? ""), " ", make("b", {}, gradeText(d)));
      setLabel(chip, `${fullName(d)}, grade ${gradeText(d)}: show it`);
    });
    label.textContent = `${title}: ${missed.length ? "" : "none. Drag a result here."}`;
  }
  return { tray, chips, draw };
}

// ---- What is set ----

// The choices above the list: gain and discount or two tools, the cutoff, and what a view has of its own.
function newControls(board) {
  const { view } = board;
  const drawn = [];
  const controls = make("div", { class: "nx-controls" });
  const put = (label, title, draw) => {
    label.title = title;
    controls.append(label);
    drawn.push(draw);
  };
  const choose = (name, title, names, value, act) => {
    const select = make("select", { onchange: () => { act(select.value); board.say(); } });
    put(make("label", {}, name, select), title, (state) => {
      const all = names(state);
      if (select.children.length !== all.length) select.replaceChildren(...all.map((x) => make("option", { value: x }, FORMS[x] ? `${x}: ${FORMS[x]}` : x)));
      select.value = value(state);
    });
  };
  const form = (name, title) => choose(name, title, ({ choices }) => choices[name], (state) => state[name], (value) => board.set({ [name]: value }));
  const tool = (name, i) => choose(name, "A tool", ({ dialects }) => Object.keys(dialects.of), ({ pair }) => pair[i], (value) => board.set({ pair: board.get("pair").with(i, value) }));
  if (view.pair) ["first", "second"].forEach(tool);
  else form("gain", "What a grade is worth");
  if (view.discount) form("discount", "What rank i weighs");
  const cutoff = slider("k", [1, 1, 1], (k) => { board.set({ k: k > board.greatestCutoff ? null : k }); board.say(); });
  put(cutoff.label, "The cutoff: only the first k results count", ({ k }) => {
    cutoff.input.max = board.greatestCutoff + 1;
    cutoff.show(k ?? cutoff.input.max, String(k ?? "no cut"));
  });
  if (view.price) {
    const price = slider("price", [0, 2, 0.1], (penalty) => { board.set({ penalty }); board.say(); });
    put(price.label, "What a bad result costs", ({ penalty }) => price.show(penalty, number(penalty)));
  }
  if (view.supposed) put(...newSupposition(board));
  return { controls, draw: (state) => { for (const draw of drawn) draw(state); } };
}

// One grade for every unjudged result.
function newSupposition(board) {
  const suppose = slider("all ? are", [0, 0, 1], (level) => { board.setGrades(board.get("levels")[level], (d) => d.unjudged); board.say(); });
  return [suppose.label, "Suppose one grade for every unjudged result", ({ documents, levels }) => {
    const grades = [...new Set(documents.filter((d) => d.unjudged).map((d) => d.grade))];
    const one = grades.length === 1;
    suppose.input.max = levels.length - 1;
    suppose.input.disabled = !grades.length;
    suppose.show(one ? levels.indexOf(grades[0]) : suppose.input.value, one ? number(grades[0]) : grades.length ? "mixed" : "none");
  }];
}

// The buttons below the list, and how to move things.
function newTools(board) {
  const press = (text, act, title) => button(text, () => board.say(board[act]()), title);
  const [add, best, mix, reset] = [press("add a result", "add"), press("best order", "sort", "Sort the list by what its results are worth; what is not shown stays where it is"),
    press("shuffle", "shuffle", "A random order"), press("reset", "reset", "As it was when the page was opened")];
  add.className = "nx-add";
  const help = make("details", { class: "nx-help" }, make("summary", { title: "How to move things", "aria-label": "How to move things" }, "?"), make("p", {}, HELP));
  const share = board.model.share ? [button("link", () => board.model.share(), "Copy a link that opens this page with this list")] : [];
  const tools = make("div", { class: "nx-tools" }, add, best, mix, reset, ...share, help);
  function draw({ discounts, documents }, shown) {
    add.disabled = documents.length >= Math.min(...Object.values(discounts).map((w) => w.length));
    best.disabled = mix.disabled = shown.length < 2;
  }
  return { tools, add, draw };
}

// ---- What is shown ----

// The numbers, and beside each by how much the last act, or the drag so far, has changed it.
function newNumbers(board) {
  const boxes = [];
  const numbers = make("div", { class: "nx-numbers" });
  new IntersectionObserver(([{ boundingClientRect: box, intersectionRect: seen }]) =>
    numbers.classList.toggle("nx-stuck", seen.height > 0 && box.bottom - seen.bottom > 0.5), { threshold: [0.98, 0.99, 1] }).observe(numbers);
  const newBox = (i) => {
    const box = { term: make("span", { class: "nx-term" }), figure: make("span", { class: "nx-figure" }), change: make("span") };
    numbers.append(make("div", { class: `nx-${(board.view.numbers[i] ?? "").replaceAll(" ", "-")}` }, box.term, box.figure, box.change));
    return box;
  };
  function draw(now) {
    const from = board.held?.numbers ?? (board.model.opening ? now : board.numbers); // what a link opens was not changed by anyone here
    const moved = now.some((x, i) => !Object.is(x.value, board.numbers[i]?.value));
    now.forEach(({ of, term, text, value }, i) => {
      const box = boxes[i] ??= newBox(i);
      box.term.textContent = term;
      box.figure.textContent = text;
      if (!moved) return;
      const by = from[i]?.of === of ? value - from[i].value : 0;
      const fresh = make("span", { class: "nx-change", "aria-hidden": "true" }, Math.abs(by) < 0.0005 || Number.isNaN(by) ? "" : `${by > 0 ? "+" : ""}${number(by)}`);
      box.change.replaceWith(fresh); // a new one fades anew
      box.change = fresh;
    });
    board.numbers = now;
  }
  return { numbers, draw };
}

// nDCG at every cutoff.
function newCurve() {
  const [left, wide, high] = [24, 264, 66];
  const curve = svg("svg", { class: "nx-curve", viewBox: "0 0 300 96", role: "img" });
  function draw({ curve: values }, k) {
    const [x, y] = [(i) => left + (i * wide) / Math.max(1, values.length - 1), (v) => 78 - high * v];
    const points = values.map((v, i) => [x(i), y(v), v]).filter(([, , v]) => !Number.isNaN(v));
    const at = k === null ? -1 : Math.min(k, values.length) - 1;
    setAria(curve, { label: `nDCG at cutoffs 1 to ${values.length}: ${values.map(number).join(", ")}` });
    curve.replaceChildren(
      ...[0, 1].flatMap((v) => [svgLine(20, y(v), 292, y(v), { class: "nx-axis" }), svgText(14, y(v) + 3, v, { "text-anchor": "end" })]),
      svgText(left, 93, "nDCG@k, k = 1"), svgText(left + wide, 93, values.length, { "text-anchor": "end" }),
      svg("polyline", { points: points.map(([a, b]) => `${a},${b}`).join(" ") }),
      ...points.map(([cx, cy]) => svg("circle", { cx, cy, r: 2 })),
    );
    if (at < 0 || Number.isNaN(values[at])) return;
    curve.append(svg("circle", { class: "nx-at", cx: x(at), cy: y(values[at]), r: 4.5 }),
      svgText(x(at), y(values[at]) + (values[at] > 0.85 ? 16 : -8), number(values[at]), { "text-anchor": "middle" }));
  }
  return { element: curve, draw };
}

// The band in which nDCG lies, whatever the unjudged results are.
function newBand() {
  const picture = svg("svg", { class: "nx-band", viewBox: "0 0 300 44", role: "img" });
  const x = (v) => 12 + 276 * v;
  function draw({ least, most, nDCG }) {
    const known = !Number.isNaN(least);
    setAria(picture, { label: known ? `nDCG is ${number(nDCG)}, between ${number(least)} and ${number(most)}` : "nothing is known" });
    picture.replaceChildren(svgLine(x(0), 16, x(1), 16, { class: "nx-axis" }), ...[0, 1].map((v) => svgText(x(v), 40, v, { "text-anchor": "middle" })));
    if (known) picture.append(svg("rect", { x: x(least), y: 10, width: Math.max(1, x(most) - x(least)), height: 12, rx: 2 }));
    if (known && !Number.isNaN(nDCG)) picture.append(svg("circle", { cx: x(nDCG), cy: 16, r: 5 }));
  }
  return { element: picture, draw };
}

// A sum in words. Many terms of 0 are counted and not written.
export function summed(rows, write, worth) {
  const some = rows.filter((row) => worth(row) !== 0);
  const zeros = rows.length - some.length;
  const terms = zeros > 3 ? [...some.map(write), `${zeros} terms of 0`] : rows.map(write);
  return terms.join(" + ").replaceAll("+ −", "− ") || "0";
}

const sentence = (name, words, value) => make("p", {}, make("b", {}, name), words, ...(value === undefined ? [] : [make("b", {}, number(value))]));
function writeSum(of, m, cut) {
  if (of === "ranks" || of === "documents") { // what was lost, and where
    const parts = of === "ranks" ? m.losses.map((loss, i) => ({ name: `rank ${i + 1}`, loss })) : m.costs;
    const lost = parts.filter(({ loss }) => loss !== 0).map(({ name, loss }) => `${name} ${number(loss)}`);
    return sentence(`By ${of.slice(0, -1)}`, ` ${lost.join(", ") || "nothing"}`);
  }
  if (of === "nDCG") return sentence(of, ` = ${number(m.DCG)} / ${number(m.IDCG)} = `, m.nDCG);
  const [rows, field] = [(of === "IDCG" ? m.ideal : m.shown).slice(0, cut), of === "penalised" ? "price" : "gain"];
  const terms = summed(rows, (r) => (of === "CG" ? number(r.gain) : `${number(r[field])} × ${number(r.weight)}`), (r) => r[field]);
  return sentence(of, of === "penalised" ? ` = (${terms}) / ${number(m.IDCG)} = ` : ` = ${terms} = `, m[of]);
}

// ---- Two tools side by side ----

// Their numbers, and what each result adds by the first and by the second.
function compareTools(state, m) {
  const both = state.pair.map((name) => answer(state.dialects.of[name], questionOf(state)));
  m.shown.forEach((row, i) => { row.part = both[0].parts?.[i] ?? 0; });
  m.second = m.shown.map((_, i) => both[1].parts?.[i] ?? 0);
  const values = both.map(({ value }) => value ?? NaN);
  const show = (of, term, value) => ({ of, term, text: Number.isNaN(value) ? "–" : number(value), value });
  return [...state.pair.map((name, i) => show(name, name, values[i])), show(state.pair.join(), "gap", values[0] - values[1])];
}

// Which settings make the tools differ on this list, and which differ without effect; or why one has no number.
function writeWhyApart(state) {
  const [question, tools] = [questionOf(state), state.pair.map((name) => state.dialects.of[name])];
  const refusals = tools.map((tool) => [tool, answer(tool, question).why]).filter(([, why]) => why);
  if (refusals.length) return refusals.map(([tool, why]) => sentence(tool.title, ` has no number: it ${why}.`));
  const needed = reasons(...tools, question);
  const idle = differing(...tools).filter((x) => !needed.includes(x));
  const heads = [["Why they differ here", needed], ["Also different, with no effect on this list", idle]];
  const lines = heads.filter(([, keys]) => keys.length).map(([head, keys]) => sentence(head, ` ${keys.map((key) => tools.map((tool) => tool.says[key]).join(" / ")).join("; ")}`));
  return lines.length ? lines : [make("p", {}, "For a list in this order, they do not differ.")];
}

// ---- All of it ----

// Show a model in an element. A model that can `share` has a button for it, and one with a `note` shows it.
export function render({ model, el }) {
  const now = () => Object.fromEntries(MOVED.map((name) => [name, model.get(name)]));
  let first = now(); // as it was when it came
  let leave = () => {};
  const begin = () => { // again in another view
    leave();
    el.replaceChildren();
    leave = mount({ model, el, first: () => first });
  };
  begin();
  const deaf = listen(model, { "change:view": begin, "change:levels": () => { first = now(); } }); // to other grades there is no way back
  return () => { deaf(); leave(); };
}

function mount({ model, el, first }) {
  const board = new Board(model, first);
  const { view } = board;
  const [rows, tray, controls, tools, numbers] = [newRows, newTray, newControls, newTools, newNumbers].map((part) => part(board));
  const picture = view.curve ? newCurve() : view.supposed ? newBand() : null;
  const { live, say } = speaker(200);
  const note = make("p", { class: "nx-note", role: "status" });
  const sums = make("div", { class: "nx-sums" });
  const columns = ["", "", "", "grade", "adds", view.losses ? "lost" : view.pair ? "in the second" : view.ideal ? "sum / ideal" : "sum", ""];
  const head = make("div", { class: "nx-head", "aria-hidden": "true" }, ...columns.map((x) => make("span", {}, x)));
  const root = frame(`nx nx-is-${model.get("view")}`, "A ranking to explore", make("p", { class: "nx-hint" }, view.hint), note, controls.controls, head,
    make("div", { class: "nx-board" }, rows.list, numbers.numbers), tools.tools);
  root.append(...(view.tray ? [tray.tray] : []), ...(view.supposed ? [picture.element] : []), sums, ...(view.curve ? [picture.element] : []), live);
  el.append(root);

  board.say = (what = "") => say(() => (what ? `${what}. ` : "") + board.numbers.map(({ term, text }) => `${term.replace("@", " at ")} is ${text}`).join(", "));
  board.focusRow = (i) => rows.places[i]?.row.focus(); // unless a frame around it refused
  board.attend = (to, part) => { // the focus goes with the result, or stays where it was
    const place = rows.places[clamp(to, 0, board.shown.length - 1)];
    if (!board.shown.length) (tools.add.disabled ? tray.chips[0] : tools.add).focus();
    else (place[part].disabled ? place.row : place[part]).focus();
  };
  board.drawn = () => { note.textContent = ""; board.draw(); };
  board.draw = () => {
    const { state } = board;
    if (board.changing || (view.pair && !state.dialects.of)) return; // there is more to come
    const m = measure(state);
    const k = state.k ?? null;
    const titled = (x) => (k === null || UNCUT.includes(x) ? x : `${x}@${k}`);
    const shown = view.pair ? compareTools(state, m) : view.numbers.map((x) => ({ of: x, term: titled(x), text: number(m[x]), value: m[x] }));
    const scale = scaleOf(view, state, m);
    root.style.setProperty("--zero", `${(100 * scale.below) / scale.span}%`);
    rows.draw(m, k, scale);
    tray.draw(m.missed);
    numbers.draw(shown);
    sums.replaceChildren(...(view.pair ? writeWhyApart(state) : view.sums.map((x) => writeSum(x, m, k ?? Infinity))));
    controls.draw(state);
    tools.draw(state, m.shown);
    picture?.draw(m, k);
  };
  dragging(board, () => ({ root, rows, tray: tray.tray }));
  const noted = () => { note.textContent = model.get("note") ?? ""; };
  board.draw();
  noted();
  return listen(model, { ...Object.fromEntries(STATE.map((trait) => [`change:${trait}`, board.draw])), "change:note": noted });
}

// One scale for all bars, which no change of order changes: the highest gain at rank 1 is as long as there is room for.
function scaleOf(view, { discounts, discount, penalty }, m) {
  const heaviest = Math.max(1, ...(view.bar === "gain" ? [] : discounts[discount]));
  const longest = view.pair ? Math.max(...m.shown.map((row) => row.part), ...m.second) : Math.max(...m.ideal.map((row) => row.gain)) * heaviest;
  const below = view.price ? Math.max(1, penalty) : 0;
  return { below, span: below + Math.max(1e-12, longest) };
}

export default { render };
