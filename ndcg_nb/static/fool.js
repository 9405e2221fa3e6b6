// Four ways to fool nDCG. Each is explore's list in a frame that says what to reach, lets through what may be moved,
// and sees when it is reached. Texts, lists and goals come from Python; this file counts and compares.
import { frame, listen, make } from "./core.js";
import { measure, render } from "./explore.js";

/** What goals are about: all that is measured, and what nDCG does not see. */
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

/** Whether a goal is reached. */
export const reached = ({ of, least, most }, told) => told[of] >= (least ?? -Infinity) && told[of] <= (most ?? Infinity);

/** The documents after an act; or a text, where the act is not among those of the challenge. */
export function permitted({ may, fresh, refusal }, before, after) {
  const was = Object.fromEntries(before.map((d) => [d.name, d]));
  const regraded = (d) => was[d.name] && was[d.name].grade !== d.grade;
  if (may === "judge") {
    const moved = after.length !== before.length || after.some((d, i) => d.name !== before[i].name || d.shown !== before[i].shown);
    return moved ? refusal : after.map((d) => {
      const { unjudged, ...known } = was[d.name];
      return regraded(d) ? { ...known, ...(unjudged ? {} : { unjudged: true }) } : d; // a click on a grade takes it back
    });
  }
  if (after.some(regraded) || (!fresh && after.length > before.length)) return refusal;
  return after.map((d) => (was[d.name] ? d : { ...d, title: fresh })); // what is added is more of the same
}

function play({ model, el }) {
  const push = (changes) => {
    for (const [name, value] of Object.entries(changes)) model.set(name, value);
    model.save_changes();
  };
  const tasks = model.get("tasks");
  const names = model.get("order"); // a dict may have been sorted on its way
  const task = () => tasks[model.get("challenge")];
  const documents = (name = model.get("challenge")) => model.get("documents")[name];
  const state = () => ({ ...task().board, documents: documents() });
  const told = (text, values) => text.replace(/\{([^}]+)\}/g, (_, x) => (Number.isInteger(values[x]) ? values[x] : values[x].toFixed(3)));
  const id = `fool${Math.random().toString(36).slice(2)}`;

  // What explore sees: one list, of which nothing but the documents can be changed.
  let listeners = {};
  const board = {
    get: (name) => (name === "documents" ? documents() : task().board[name]),
    set: (name, value) => {
      const after = name === "documents" ? permitted(task(), documents(), value) : task().refusal;
      note.textContent = typeof after === "string" ? after : "";
      if (typeof after === "string") return;
      model.set("documents", { ...model.get("documents"), [model.get("challenge")]: after });
    },
    on: (event, listener) => (listeners[event] ??= []).push(listener),
    off: (event, listener) => { listeners[event] = (listeners[event] ?? []).filter((l) => l !== listener); },
    save_changes: () => model.save_changes(),
    offer: (d) => (task().may !== "judge" ? undefined : d.unjudged ? "give the judgement" : "take the judgement back"),
  };

  const choose = (name) => push({ challenge: name });
  const tabs = names.map((name, i) => make("button", {
    type: "button", role: "tab", id: `${id}-${name}`, "aria-controls": id, onclick: () => choose(name),
    onkeydown: (event) => {
      const to = { ArrowLeft: i - 1, ArrowRight: i + 1, Home: 0, End: names.length - 1 }[event.key];
      if (to === undefined) return;
      event.preventDefault();
      const next = (to + names.length) % names.length;
      choose(names[next]);
      tabs[next].focus();
    },
  }));
  const count = make("span", { class: "fool-count" });
  const [wish, goals, host] = [make("p", { class: "fool-task" }), make("ul", { class: "fool-goals" }), make("div", { class: "fool-board" })];
  const how = make("p", { class: "fool-how" });
  const note = make("p", { class: "fool-note", role: "status" });
  const end = make("p", { class: "fool-end", role: "status" });
  const next = make("button", { type: "button", onclick: () => {
    const here = names.indexOf(model.get("challenge"));
    const to = [...names.slice(here + 1), ...names].find((name) => !model.get("won").includes(name));
    choose(to);
    tabs[names.indexOf(to)].focus();
  } }, "next challenge");
  const reset = make("button", { type: "button", onclick: () => {
    const name = model.get("challenge");
    note.textContent = "";
    push({ documents: { ...model.get("documents"), [name]: task().board.documents }, won: model.get("won").filter((x) => x !== name) });
  } }, "start over");
  const hint = make("details", {}, make("summary", {}, "Stuck?"), make("p"));
  const panel = make("div", { role: "tabpanel", id }, wish, goals, how, host, note, end,
    make("div", { class: "fool-foot" }, next, reset, hint));
  const root = frame("fool", "Fool nDCG",
    make("div", { class: "fool-top" }, make("div", { class: "fool-tabs", role: "tablist", "aria-label": "Challenges" }, ...tabs), count), panel);
  el.append(root);

  function draw() {
    const [here, all] = [model.get("challenge"), witness(state())];
    const met = task().goals.map((goal) => reached(goal, all));
    if (met.every(Boolean) && !model.get("won").includes(here)) return push({ won: [...model.get("won"), here] });
    const won = model.get("won");
    tabs.forEach((tab, i) => {
      const [name, open] = [names[i], names[i] === here];
      tab.textContent = `${tasks[name].title}${won.includes(name) ? " ✓" : ""}`;
      tab.setAttribute("aria-label", `${tasks[name].title}${won.includes(name) ? ", won" : ""}`);
      tab.setAttribute("aria-selected", String(open));
      tab.tabIndex = open ? 0 : -1;
    });
    count.textContent = `${won.length} of ${names.length}`;
    count.setAttribute("aria-label", `${won.length} of ${names.length} challenges won`);
    panel.setAttribute("aria-labelledby", `${id}-${here}`);
    goals.replaceChildren(...task().goals.map((goal, i) => make("li", { class: met[i] ? "fool-met" : "" },
      make("span", { "aria-hidden": "true" }, met[i] ? "✓" : "○"), ` ${goal.words} `,
      make("span", { class: "fool-now" }, met[i] ? "" : `(now ${Number.isNaN(all[goal.of]) ? "0/0" : told(`{${goal.of}}`, all)})`),
      make("span", { class: "fool-said" }, met[i] ? "reached" : "not reached"))));
    const fooled = won.includes(here);
    root.classList.toggle("fool-won", fooled);
    next.hidden = !fooled || won.length === names.length;
    const { chapter, about } = task();
    const page = model.widget_manager ? chapter : chapter.replace(/(\d+_)?(\w+)\.ipynb$/, "$2.html");
    const link = make("a", { href: page, ...(model.widget_manager ? { target: "_blank" } : {}) }, about);
    const sentence = !fooled ? "" : met.every(Boolean) ? told(task().won, all) : "Won before; the list was moved since.";
    const closing = fooled && won.length === names.length ? ` ${model.get("closing")}` : "";
    if (end.dataset.said !== sentence + closing) end.replaceChildren(...(fooled ? [make("b", {}, "Fooled."), ` ${sentence} `, link, closing] : []));
    end.dataset.said = sentence + closing;
  }

  // Another challenge is another list: explore is asked to draw it anew.
  let leave = () => {};
  let open = null;
  function turn() {
    if (model.get("challenge") === open) return;
    open = model.get("challenge");
    leave();
    listeners = {};
    host.replaceChildren();
    root.dataset.may = task().fresh ? "add" : task().may;
    wish.textContent = task().task;
    how.textContent = task().how;
    how.hidden = !task().how;
    note.textContent = "";
    hint.open = false;
    hint.lastChild.textContent = task().hint;
    leave = render({ model: board, el: host }) ?? (() => {});
    draw();
  }
  const redraw = () => {
    for (const listener of listeners["change:documents"] ?? []) listener();
    draw();
  };
  turn();
  const deaf = listen(model, { "change:challenge": turn, "change:documents": redraw, "change:won": draw });
  return () => {
    deaf();
    leave();
  };
}

export default { render: play };
