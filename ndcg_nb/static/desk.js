// A desk to grade documents at. Python chooses the document, writes the grade and computes the interval; this file shows
// them and listens to keys. Whatever a document holds is text here, never HTML.
import { begin, button, change, frame, make, minus, onKey, setAria, speaker } from "./core.js";

const LATE = 4000; // milliseconds without an answer from Python
const three = (x) => minus(x.toFixed(3));
const documents = (n) => `${n} document${n === 1 ? "" : "s"}`;

// How far the judge is, in a line.
export function doneSoFar({ done, of, skipped }) {
  const without = skipped ? `, ${skipped} of them without a grade` : "";
  return `${done} of ${of} done${without}`;
}

// What the grades leave open, in a line.
export function interval({ low, high, width, before, what, decided }) {
  if (width === undefined) return "";
  const fell = `width ${three(width)}, at the start ${three(before)}`;
  const ends = low === undefined ? `The mean width of ${what}: ${fell}.` : `${what} is between ${three(low)} and ${three(high)}: ${fell}.`;
  return decided ? `${ends} Which run is ahead is certain.` : ends;
}

// What to say when nothing is left.
export const finished = ({ of, file }) => `All ${documents(of)} are done. The grades are in ${file}: add(${JSON.stringify(file)}) gives the interval and the next documents.`;

// How far the text moves by a key.
const scrolls = (text) => {
  const page = text.clientHeight - 24;
  return { ArrowDown: 40, ArrowUp: -40, PageDown: page, " ": page, PageUp: -page, Home: -text.scrollHeight, End: text.scrollHeight };
};

function show(host) {
  const { model } = host;
  const hasKernel = typeof model.send === "function";
  const grades = model.get("grades");
  let [waiting, late, sent] = [false, 0, 0];
  const { live, say } = speaker(100);

  const [count, question, title] = [make("span", { class: "desk-count" }), make("p", { class: "desk-question" }), make("p", { class: "desk-title" })];
  const text = make("div", { class: "desk-text", tabindex: 0, role: "group", "aria-label": "The document" });
  const bar = make("span", { class: "desk-done" });
  const [line, alert] = [make("span", { class: "desk-line" }), make("p", { class: "nx-note desk-alert", role: "alert" })];

  const send = (answer) => {
    if (waiting || !hasKernel) return;
    waiting = true;
    sent += 1;
    change(model, { answer: { task: model.get("task").number ?? -1, answer, sent } });
    const key = typeof answer === "string" ? `"${answer}"` : `grade ${answer}`;
    late = setTimeout(() => { alert.textContent = `Not saved yet: ${key}. Python does not answer. If the kernel has stopped, start it and run this cell again: all grades before this one are in ${model.get("progress").file}.`; }, LATE);
    root.focus({ preventScroll: true });
    enable();
  };
  const keyed = (key, words) => [make("kbd", {}, key), words && ` ${words}`].filter(Boolean);
  const choose = grades.map(([key, grade, label]) => {
    const made = button("", () => send(grade), `Grade ${grade}${label && `: ${label}`}`);
    made.append(...(key === String(grade) ? keyed(key, label) : keyed(key, `${grade} ${label}`)));
    return made;
  });
  const [skip, undo] = [button("", () => send("skip"), "Cannot be judged"), button("", () => send("undo"), "Take back the last answer")];
  skip.append(...keyed("s", "cannot judge"));
  undo.append(...keyed("u", "undo"));
  const hide = button("hide interval", () => {
    line.hidden = !line.hidden;
    hide.textContent = line.hidden ? "show interval" : "hide interval";
    root.focus({ preventScroll: true });
  });

  const root = frame("nx desk", "A desk to grade documents at",
    make("div", { class: "desk-top" }, count, make("span", { class: "desk-bar", "aria-hidden": "true" }, bar)),
    question, title, text, alert,
    make("div", { class: "desk-grades", role: "group", "aria-label": "Grade" }, ...choose),
    make("div", { class: "desk-others" }, skip, undo, hide), line, live);
  root.tabIndex = 0;
  const keys = Object.fromEntries([...grades.filter(([key]) => key).map(([key, grade]) => [key, grade]), ["s", "skip"], ["S", "skip"], ["u", "undo"], ["U", "undo"]]);
  root.addEventListener("keydown", (event) => {
    if (event.repeat && event.key in keys) return event.preventDefault(); // a key that is held down is one answer
    const onButton = event.target.tagName === "BUTTON" && event.key === " ";
    if (!onButton && onKey(event, scrolls(text), (by) => text.scrollBy(0, by))) return undefined;
    return onKey(event, keys, send);
  });

  function enable() {
    const none = waiting || !hasKernel;
    for (const each of [...choose, skip]) each.disabled = none || model.get("task").number === undefined;
    undo.disabled = none || !model.get("progress").done;
    root.classList.toggle("desk-waiting", waiting);
  }
  function draw() {
    const [task, progress] = [model.get("task"), model.get("progress")];
    const isDone = task.number === undefined;
    const shown = isDone ? { question: "Done", title: "", text: finished(progress) } : task;
    const isNew = text.textContent !== shown.text || title.textContent !== shown.title;
    question.textContent = shown.question;
    title.textContent = shown.title;
    text.textContent = shown.text;
    if (isNew) text.scrollTop = 0;
    count.textContent = doneSoFar(progress);
    bar.style.width = `${(100 * progress.done) / Math.max(1, progress.of)}%`;
    line.textContent = interval(progress);
    hide.hidden = !line.textContent;
    const strange = progress.strange ? `Of ${progress.file}, ${progress.strange} line${progress.strange === 1 ? " is" : "s are"} not of this list or judge, and kept.` : "";
    alert.textContent = hasKernel ? [progress.error, strange].filter(Boolean).join(" ") : "This page has no Python behind it. In a notebook, judge_next(…).desk(texts, file) makes a desk that works.";
    setAria(text, { label: `Document for: ${shown.question}` });
    enable();
    if (isNew) say(() => `${doneSoFar(progress)}. ${shown.question}: ${shown.title}`);
  }
  const heard = () => { // Python has answered
    clearTimeout(late);
    waiting = false;
    draw();
  };
  const end = begin(host, root, ["task"], () => draw());
  model.on("change:progress", heard);
  if (hasKernel) setTimeout(() => root.isConnected && root.focus({ preventScroll: true }), 300); // keys are for the desk at once
  return () => {
    clearTimeout(late);
    model.off("change:progress", heard);
    end();
  };
}

export default { render: show };
