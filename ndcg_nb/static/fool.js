// Four ways to fool nDCG. Each is explore's list in a frame that says what to reach, lets through what may be moved,
// and sees when it is reached. Texts, lists and goals come from Python; this file counts and compares.
import { button, change, frame, listen, make, must, onKey, setAria, sharing } from "./core.js";
import { measure } from "./measures.js";
import { readDocuments, render, writeDocuments } from "./explore.js";

// What goals are about: all that is measured, and what nDCG does not see.
export function witness(state) {
  const m = measure(state);
  const first = m.shown.slice(0, state.k ?? Infinity);
  const answers = state.documents.filter((d) => d.grade > 0);
  return {
    ...m,
    spam: m.shown.filter((d) => d.grade < 0).length,
    answers: answers.length,
    hidden: answers.filter((d) => !d.shown).length,
    copies: Math.max(0, ...first.map((d) => first.filter((x) => d.title && x.title === d.title).length)),
    holes: state.documents.filter((d) => d.unjudged).length,
    width: m.most - m.least,
  };
}

export const isReached = ({ of, least, most }, seen) => seen[of] >= (least ?? -Infinity) && seen[of] <= (most ?? Infinity);

// The documents after an act; or a text, where the challenge does not allow it.
export function permitted({ may, fresh, refusal }, before, after) {
  const was = Object.fromEntries(before.map((d) => [d.name, d]));
  const isRegraded = (d) => was[d.name] && was[d.name].grade !== d.grade;
  if (may === "judge") {
    const moved = after.length !== before.length || after.some((d, i) => d.name !== before[i].name || d.shown !== before[i].shown);
    return moved ? refusal : after.map((d) => {
      const { unjudged, ...known } = was[d.name];
      return isRegraded(d) ? { ...known, ...(unjudged ? {} : { unjudged: true }) } : d; // a click on a grade takes it back
    });
  }
  if (after.some(isRegraded) || (!fresh && after.length > before.length)) return refusal;
  return after.map((d) => (was[d.name] ? d : { ...d, title: fresh })); // what is added is more of the same
}

const withNumbers = (text, values) => text.replace(/\{([^}]+)\}/g, (_, x) => (Number.isInteger(values[x]) ? values[x] : values[x].toFixed(3)));

// What explore is given: one list, of which nothing but the documents can be changed. `refused` is told why something cannot.
function boardModel(model, task, refused) {
  const listeners = {};
  const documents = () => model.get("documents")[model.get("challenge")];
  return {
    get: (name) => (name === "documents" ? documents() : task().start[name]),
    set: (name, value) => {
      const after = name === "documents" ? permitted(task(), documents(), value) : task().refusal;
      refused(typeof after === "string" ? after : "");
      if (typeof after !== "string") model.set("documents", { ...model.get("documents"), [model.get("challenge")]: after });
    },
    on: (event, listener) => { listeners[event] = listener; },
    off: (event) => { delete listeners[event]; },
    save_changes: () => model.save_changes(),
    offer: (d) => (task().may !== "judge" ? undefined : d.unjudged ? "give the judgement" : "take the judgement back"),
    redraw: () => listeners["change:documents"]?.(),
  };
}

function play({ model, el }) {
  const names = model.get("order"); // a dict may have been sorted on its way
  const taskOf = (name) => model.get("tasks")[name];
  const current = () => model.get("challenge");
  const task = () => taskOf(current());
  const hasWon = (name) => model.get("won").includes(name);
  const choose = (name) => {
    change(model, { challenge: name });
    tabs[names.indexOf(name)].focus();
  };
  const id = `fool${Math.random().toString(36).slice(2)}`;
  const tabs = names.map((name, i) => make("button", {
    type: "button", role: "tab", id: `${id}-${name}`, "aria-controls": id, onclick: () => choose(name),
    onkeydown: (event) => onKey(event, { ArrowLeft: i - 1, ArrowRight: i + 1, Home: 0, End: -1 }, (to) => choose(names.at(to % names.length))),
  }));
  const count = make("span", { class: "fool-count" });
  const [wish, goals, host] = [make("p", { class: "fool-task" }), make("ul", { class: "fool-goals" }), make("div", { class: "fool-board" })];
  const how = make("p", { class: "fool-how" });
  const [note, end] = ["fool-note", "fool-end"].map((kind) => make("p", { class: kind, role: "status" }));
  const next = button("next challenge", () => choose([...names.slice(names.indexOf(current()) + 1), ...names].find((name) => !hasWon(name))));
  const reset = button("start over", () => {
    const name = current();
    note.textContent = "";
    change(model, { documents: { ...model.get("documents"), [name]: task().start.documents }, won: model.get("won").filter((x) => x !== name) });
  });
  const hint = make("details", {}, make("summary", {}, "Stuck?"), make("p"));
  const panel = make("div", { role: "tabpanel", id }, wish, goals, how, host, note, end, make("div", { class: "fool-foot" }, next, reset, hint));
  const root = frame("fool", "Fool nDCG",
    make("div", { class: "fool-top" }, make("div", { class: "fool-tabs", role: "tablist", "aria-label": "Challenges" }, ...tabs), count), panel);
  el.append(root);

  function drawTabs() {
    const won = names.filter(hasWon);
    tabs.forEach((tab, i) => {
      const { title } = taskOf(names[i]);
      tab.textContent = `${title}${hasWon(names[i]) ? " ✓" : ""}`;
      setAria(tab, { label: `${title}${hasWon(names[i]) ? ", won" : ""}`, selected: String(names[i] === current()) });
      tab.tabIndex = names[i] === current() ? 0 : -1;
    });
    count.textContent = `${won.length} of ${names.length}`;
    setAria(panel, { labelledby: `${id}-${current()}` });
  }
  const drawGoal = (goal, isMet, seen) => make("li", { class: isMet ? "fool-met" : "" }, make("span", { "aria-hidden": "true" }, isMet ? "✓" : "○"), ` ${goal.words} `,
    make("span", { class: "fool-now" }, isMet ? "" : `(now ${Number.isNaN(seen[goal.of]) ? "0/0" : withNumbers(`{${goal.of}}`, seen)})`),
    make("span", { class: "fool-said" }, isMet ? "reached" : "not reached"));
  function drawEnd(isMet, seen) { // replaced only when it changes, so that it is read out once
    const [won, all] = [hasWon(current()), names.every(hasWon)];
    const { chapter, about } = task();
    const inJupyter = Boolean(model.widget_manager);
    const page = inJupyter ? chapter : chapter.replace(/(\d+_)?(\w+)\.ipynb$/, "$2.html");
    const text = won ? `${isMet ? withNumbers(task().won, seen) : "Won before; the list was moved since."}${all ? " All four won. nDCG measures order; the rest you have to check yourself." : ""}` : "";
    next.hidden = !won || all;
    root.classList.toggle("fool-won", won);
    if (end.dataset.text !== text) end.replaceChildren(...(won ? [make("b", {}, "Fooled."), ` ${text} `, make("a", { href: page, ...(inJupyter ? { target: "_blank" } : {}) }, about)] : []));
    end.dataset.text = text;
  }
  function draw() {
    const seen = witness({ ...task().start, documents: model.get("documents")[current()] });
    const met = task().goals.map((goal) => isReached(goal, seen));
    if (met.every(Boolean) && !hasWon(current())) {
      change(model, { won: [...model.get("won"), current()] });
      return;
    }
    drawTabs();
    goals.replaceChildren(...task().goals.map((goal, i) => drawGoal(goal, met[i], seen)));
    drawEnd(met.every(Boolean), seen);
  }

  // Another challenge is another list: explore draws it anew.
  let leave = () => {};
  let board = null;
  function turn() {
    leave();
    host.replaceChildren();
    root.dataset.may = task().fresh ? "add" : task().may;
    wish.textContent = task().task;
    how.textContent = task().how;
    how.hidden = !task().how;
    note.textContent = "";
    hint.open = false;
    hint.lastChild.textContent = task().hint;
    board = boardModel(model, task, (why) => { note.textContent = why; });
    leave = render({ model: board, el: host });
    draw();
  }
  const redraw = () => {
    board.redraw();
    draw();
  };
  turn();
  const deaf = listen(model, { "change:challenge": turn, "change:documents": redraw, "change:won": draw });
  return () => {
    deaf();
    leave();
  };
}

// A challenge and its list, which only the moves that are permitted lead to.
const played = {
  write: (get, own) => {
    const [challenge, list] = [get("challenge"), writeDocuments(get("documents")[get("challenge")])];
    return { ...(challenge !== own.challenge && { challenge }), ...(list !== writeDocuments(own.tasks[challenge].start.documents) && { list }) };
  },
  read: ({ challenge: name, list }, own) => {
    const challenge = name ?? own.challenge;
    must(own.order.includes(challenge), `there is no challenge “${challenge.slice(0, 20)}”`);
    const task = own.tasks[challenge];
    const before = task.start.documents;
    const found = list === undefined ? before : readDocuments(list, task.start);
    const isSame = (d) => before.some((x) => x.name === d.name && x.grade === d.grade);
    const after = task.may === "judge" && found.every(isSame) ? found : permitted(task, before, found);
    must(Array.isArray(after) && before.every((d) => found.some((x) => x.name === d.name)), "no move leads to its list");
    return { challenge, documents: { ...own.documents, [challenge]: after } };
  },
};

export default { render: play, share: sharing(played) };
