// A ranking one can move. Python sends grades, gains and discounts; this file only orders, multiplies and adds.
// It is a plain ES module in the form anywidget hosts, and needs nothing but a model with get, set, on and save_changes.
import { add, clamp, dcg, falling, frame, hasOwnIdeal, listen, make, minus, ndcg, number, speaker, svg, svgText } from "./core.js";

/** Everything a view shows, from the state alone. Sums run from rank 1 downwards, as they do in Python. */
export function measure({ documents, levels, gains, discounts, gain, discount, k, penalty }) {
  const worth = (d) => gains[gain][levels.indexOf(d.grade)];
  const charged = (d) => (d.grade < 0 ? -penalty : worth(d)); // a bad result costs its price
  const weights = discounts[discount];
  const rows = (docs) => {
    const sums = { gain: 0, part: 0, charge: 0 };
    return docs.map((d, i) => {
      const row = { ...d, gain: worth(d), weight: weights[i], price: charged(d), part: worth(d) * weights[i], charge: charged(d) * weights[i] };
      for (const field of Object.keys(sums)) sums[field] += row[field];
      return { ...row, sums: { ...sums } };
    });
  };
  const by = (value, docs) => rows([...docs].sort((a, b) => value(b) - value(a)));
  const listed = documents.filter((d) => d.shown);
  const [shown, ideal, own] = [rows(listed), by(worth, documents), by(worth, listed)];
  const [finest, worst] = [by(charged, documents), by((d) => -charged(d), documents)];
  const upTo = (list, field, cut) => list[Math.min(cut, list.length) - 1]?.sums[field] ?? 0;
  const quotient = (top, best) => (best > 0 ? Math.min(top, best) / best : NaN);
  const cut = k ?? Infinity;
  const at = (end, field = "part", best = ideal) => quotient(upTo(shown, field, end), upTo(best, field, end));
  const [low, high] = [worst, finest].map((list) => upTo(list, "charge", cut));
  const span = high - low > 1e-15 * documents.length * (Math.abs(high) + Math.abs(low)) ? high - low : 0;
  const [least, most] = band(documents, worth, gains[gain], weights, cut);
  const best = upTo(ideal, "part", cut);
  const share = (x) => (best > 0 ? x / best : 0);
  const ranks = Math.min(cut, Math.max(shown.length, ideal.length));
  const losses = Array.from({ length: ranks }, (_, i) => share((ideal[i]?.part ?? 0) - (shown[i]?.part ?? 0)));
  const weighed = (list, { name }) => {
    const i = list.findIndex((d) => d.name === name);
    return i >= 0 && i < cut ? weights[i] : 0;
  };
  const costs = documents.map((d) => ({ name: d.name, loss: share(worth(d) * (weighed(ideal, d) - weighed(shown, d))) }));
  return {
    shown,
    ideal,
    missed: documents.filter((d) => !d.shown),
    CG: upTo(shown, "gain", cut),
    DCG: upTo(shown, "part", cut),
    IDCG: upTo(ideal, "part", cut),
    nDCG: at(cut),
    curve: documents.map((_, i) => at(i + 1)),
    pDCG: upTo(shown, "charge", cut),
    penalised: quotient(upTo(shown, "charge", cut), upTo(ideal, "part", cut)),
    "min-max": quotient(Math.max(0, upTo(shown, "charge", cut) - low), span),
    "own ideal": at(cut, "part", own),
    "nDCG at R": at(Math.max(1, documents.filter((d) => worth(d) > 0).length)),
    nCG: at(cut, "gain"),
    "gain recall": quotient(upTo(shown, "gain", cut), upTo(ideal, "gain", Infinity)),
    least,
    most,
    lost: 1 - at(cut),
    losses,
    costs: costs.sort((a, b) => b.loss - a.loss),
  };
}

/** The least and the greatest nDCG over every grading of the unjudged documents. */
export function band(documents, worth, table, weights, cut) {
  const weight = (i) => (i < Math.min(cut, documents.length) ? weights[i] : 0);
  const unique = (list) => [...new Set(list)].sort((a, b) => a - b);
  const shown = documents.filter((d) => d.shown);
  const holes = documents.filter((d) => d.unjudged).length;
  const placed = shown.map((d, i) => (d.unjudged ? weight(i) : -1)).filter((w) => w >= 0).sort(falling);
  const known = add(shown.map((d, i) => (d.unjudged ? 0 : worth(d) * weight(i))));
  const pool = documents.filter((d) => !d.unjudged).map(worth);
  const levels = unique(table);
  const [lowest, highest] = [levels[0], levels.at(-1)];
  const counted = documents.map((_, i) => weight(i));
  const ideal = (gains) => dcg(gains.sort(falling), counted);
  // The least: m documents have the highest grade and the others the lowest, the worst placed first.
  let [least, most] = [Infinity, 0];
  for (let m = 0; m <= holes; m += 1) {
    const paid = placed.slice(Math.max(0, holes - m)); // those not shown weigh nothing, and go first
    const best = ideal([...pool, ...Array(m).fill(highest), ...Array(holes - m).fill(lowest)]);
    if (best > 0) least = Math.min(least, (known + lowest * add(placed) + (highest - lowest) * add(paid)) / best);
  }
  if (least === Infinity) return [NaN, NaN];
  // The greatest: one problem per layer of the ideal, solved again for the quotient just found, until it rises no more.
  const ends = unique([...pool, ...levels]).filter((v) => v > 0);
  const layers = ends.map((v, j) => ({
    level: levels.findIndex((l) => l >= v), height: v - (ends[j - 1] ?? 0), reach: pool.filter((g) => g >= v).length,
  }));
  const base = ideal([...pool, ...Array(holes).fill(lowest)]);
  for (let before = -1; most > before;) {
    before = most;
    let [top, best] = [known + lowest * add(placed), base];
    for (let l = 1; l < levels.length; l += 1) {
      const layer = layers.filter((x) => x.level === l);
      const won = placed.map((w) => w * add(layer.map((x) => x.height)));
      const cost = placed.map((_, a) => add(layer.map((x) => x.height * weight(x.reach + a))));
      let [sum, finest, take] = [0, 0, 0];
      placed.forEach((_, a) => {
        sum += won[a] - before * cost[a];
        if (sum >= finest) [finest, take] = [sum, a + 1];
      });
      top += add(won.slice(0, take));
      best += add(cost.slice(0, take));
    }
    if (best > 0) most = Math.max(most, top / best);
  }
  return [least, Math.min(1, most)];
}

/** What a tool says of the list, in its own dialect, and what each result adds to that. */
export function spoken({ documents, levels, k, dialects }, name) {
  const tool = dialects.of[name];
  const weights = dialects.weights[tool.discount];
  const worth = (d) => tool.gain[levels.indexOf(d.grade)];
  const shown = documents.filter((d) => d.shown);
  const [gains, judged] = [shown.map(worth), (hasOwnIdeal(tool) ? shown : documents).map(worth)];
  if ([...gains, ...judged].includes(null)) return { value: NaN, parts: gains.map(() => 0) };
  const { best, end, value } = ndcg(tool, { gains, judged, weights, cut: k ?? tool.default_k ?? Infinity });
  return { value, parts: gains.map((gain, i) => (i < end ? (gain * weights[i]) / best : 0)) };
}

/** Which settings part two tools on this list: some alone, some only together, and some have no effect. */
export function apart(state) {
  const [one, other] = state.pair.map((name) => state.dialects.of[name]);
  const said = (tool) => spoken({ ...state, dialects: { ...state.dialects, of: { tool } } }, "tool").value;
  const same = (a, b) => Object.is(a, b) || Math.abs(a - b) < 1e-12;
  const mixed = (tool, from, keys) => said({ ...tool, ...Object.fromEntries(keys.map((key) => [key, from[key]])) });
  const keys = Object.keys(one.says).filter((key) => one.says[key] !== other.says[key]);
  const alone = keys.filter((key) => !same(mixed(one, other, [key]), said(one)));
  const rest = keys.filter((key) => !alone.includes(key));
  const needed = rest.filter((key) => !same(mixed(other, one, [key]), said(other)));
  const together = same(mixed(one, other, alone), said(other)) ? [] : needed.length ? needed : rest;
  return { alone, together, idle: rest.filter((key) => !together.includes(key)) };
}

/** What each chapter shows. A new chapter adds a line here. */
export const VIEWS = {
  cg: { bar: "gain", numbers: ["CG"], sums: ["CG"], hint: "Move a result up or down: the sum stays what it is." },
  dcg: {
    bar: "part", behind: "gain", discount: true, numbers: ["CG", "DCG"], sums: ["DCG"],
    hint: "Grey is the gain, blue what its rank leaves of it. Move a result: now the order matters.",
  },
  idcg: {
    bar: "part", discount: true, ideal: true, named: true, tray: true, numbers: ["DCG", "IDCG"], sums: ["DCG", "IDCG"],
    hint: "Blue is what the list delivers, grey what the best list would have there, and which document. Take one out of the list: the ideal keeps it.",
  },
  ndcg: {
    bar: "part", discount: true, ideal: true, named: true, tray: true, numbers: ["DCG", "IDCG", "nDCG"], sums: ["DCG", "IDCG", "nDCG"],
    curve: true,
    hint: "Blue is what the list delivers, grey what the best list would have there, and which document. Move results, change grades, move k.",
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
const titled = (x, k) => (k === null || UNCUT.includes(x) ? x : `${x}@${k}`);
const MANY = 40; // a longer list, or a longer sum, is folded
const graded = (d) => `${minus(d.grade)}${d.unjudged ? "?" : ""}`;
const called = (d) => (d.title ? `${d.name}, ${d.title}` : d.name);

/** A sum in words. Many terms of 0 are counted and not written, and so are those after the fortieth. */
export function summed(rows, write, worth) {
  const some = rows.filter((row) => worth(row) !== 0);
  const [terms, zeros] = rows.length - some.length > 3 ? [some, rows.length - some.length] : [rows, 0];
  const written = terms.slice(0, MANY).map(write);
  if (terms.length > MANY) written.push(`${terms.length - MANY} more terms`);
  if (zeros) written.push(`${zeros} terms of 0`);
  return written.join(" + ").replaceAll("+ −", "− ") || "0";
}

const STATE = ["documents", "levels", "gains", "discounts", "choices", "gain", "discount", "k", "penalty", "pair", "dialects"];
const MOVED = ["documents", "gain", "discount", "k", "penalty", "pair"]; // what a hand can change

/** Show a model in an element. A model that can `share` has a button for it, and one with a `note` shows it. */
export function render({ model, el }) {
  const now = () => Object.fromEntries(MOVED.map((name) => [name, model.get(name)]));
  let first = now(); // as it was when it came
  let leave = mount({ model, el, first: () => first });
  const again = () => {
    leave();
    el.replaceChildren();
    leave = mount({ model, el, first: () => first });
  };
  const afresh = () => { first = now(); }; // other grades: there is no way back
  const deaf = listen(model, { "change:view": again, "change:levels": afresh });
  return () => {
    deaf();
    leave();
  };
}

function mount({ model, el, first }) {
  const get = () => Object.fromEntries(STATE.map((name) => [name, model.get(name)]));
  let busy = false; // several changes are one act, drawn once
  const set = (changes) => {
    busy = true;
    for (const [name, value] of Object.entries(changes)) model.set(name, value);
    busy = false;
    model.save_changes();
    note.textContent = "";
    draw();
  };
  const view = VIEWS[model.get("view")];
  const shown = () => model.get("documents").filter((d) => d.shown);
  const missed = () => model.get("documents").filter((d) => !d.shown);

  // What one can do: each act makes a new list of documents, and hands it to the model.
  const move = (name, to, show = true) => {
    const documents = model.get("documents");
    const from = documents.findIndex((d) => d.name === name);
    if (from < 0) return; // it was removed meanwhile
    const rest = documents.filter((d) => d.name !== name);
    const place = show ? clamp(to, 0, rest.filter((d) => d.shown).length) : rest.length;
    if (documents[from].shown === show && (!show || from === place)) return;
    set({ documents: [...rest.slice(0, place), { ...documents[from], shown: show }, ...rest.slice(place)] });
  };
  const grade = (name, level) => {
    const levels = model.get("levels");
    const value = levels[clamp(level, 0, levels.length - 1)];
    set({ documents: model.get("documents").map((d) => (d.name === name ? { ...d, grade: value } : d)) });
  };
  const level = (d) => model.get("levels").indexOf(d.grade);
  const takeOut = (name) =>
    view.tray ? move(name, 0, false) : set({ documents: model.get("documents").filter((d) => d.name !== name) });
  const entry = () => Math.min(shown().length, (model.get("k") ?? Infinity) - 1); // what enters counts, if only just
  const addDocument = () => {
    const documents = model.get("documents");
    let n = documents.length + 1;
    while (documents.some((d) => d.name === `D${n}`)) n += 1;
    const at = acted = entry();
    const grades = model.get("levels");
    const added = { name: `D${n}`, grade: grades[Math.min(view.adds ?? 1, grades.length - 1)], shown: true };
    if (view.supposed) added.unjudged = true;
    set({ documents: [...documents.slice(0, at), added, ...documents.slice(at)] });
    places[at]?.row.focus(); // unless a frame around it refused
    return `${added.name} added at rank ${at + 1}`;
  };
  const arrange = (docs) => set({ documents: [...docs, ...missed()] });
  const sort = () => {
    const value = Object.fromEntries(measure(get()).shown.map((r) => [r.name, view.price ? r.price : r.gain]));
    arrange(shown().sort((a, b) => value[b.name] - value[a.name]));
    return "The list is in its best order";
  };
  const shuffle = () => {
    const before = shown();
    const docs = shown();
    while (docs.length > 1 && docs.every((d, i) => d === before[i])) {
      for (let i = docs.length - 1; i > 0; i -= 1) {
        const j = Math.floor(Math.random() * (i + 1));
        [docs[i], docs[j]] = [docs[j], docs[i]];
      }
    }
    arrange(docs);
    return "The list is shuffled";
  };
  const reset = () => { set(first()); return "The list is as it was"; };
  const last = () => Math.max(model.get("documents").length, model.get("k") ?? 0); // the greatest cutoff there is
  const cutAt = (k) => {
    const next = k > last() ? null : Math.max(1, k);
    if (next !== model.get("k")) { set({ k: next }); say(); }
  };
  const where = (name) => {
    const rank = shown().findIndex((d) => d.name === name) + 1;
    return rank ? `${name} at rank ${rank}` : `${name} taken out`;
  };

  // Dragging, by mouse, pen or finger: a result, or the line of the cutoff.
  let dragged = null;
  const start = (event, what) => {
    if (event.button) return;
    const { clientX: x, clientY: y } = event;
    dragged = { ...what, x, y, moved: false, before: { documents: model.get("documents"), k: model.get("k") }, values: told };
    addEventListener("pointermove", drag, { passive: false });
    addEventListener("pointerup", drop);
    addEventListener("pointercancel", drop);
    addEventListener("keydown", cancel, true);
  };
  const cancel = (event) => {
    if (event.key !== "Escape") return;
    set(dragged.before);
    drop();
  };
  const above = (y, part = 1) => { // the last rank that lies above, wherever rows seem to be while they slide
    const top = list.getBoundingClientRect().top;
    return places.findLastIndex(({ row }) => !row.hidden && top + row.offsetTop + row.offsetHeight * part < y) + 1;
  };
  const drag = (event) => {
    if (!dragged.moved && Math.hypot(event.clientX - dragged.x, event.clientY - dragged.y) < 4) return;
    event.preventDefault();
    if (!dragged.moved) requestAnimationFrame(creep);
    dragged.moved = true;
    dragged.y = event.clientY;
    root.classList.add("nx-dragging");
    follow();
  };
  const follow = () => {
    if (dragged.line) {
      const end = lastSeen();
      const next = end + 1 < (view.ideal ? last() : shown().length) ? end + 2 : Infinity;
      cutAt(dragged.y > places[end].row.getBoundingClientRect().bottom + 18 ? next : above(dragged.y, 0.5));
    } else if (view.tray && dragged.y > tray.getBoundingClientRect().top) move(dragged.name, 0, false);
    else move(dragged.name, above(dragged.y));
    draw();
  };
  const creep = () => { // a list longer than the window moves under a hand held at its edge
    if (!dragged?.moved) return;
    const edge = dragged.y < 40 ? -1 : dragged.y > innerHeight - 40 ? 1 : 0;
    if (edge) {
      scrollBy(0, 6 * edge);
      follow();
    }
    requestAnimationFrame(creep);
  };
  const letGo = () => {
    removeEventListener("pointermove", drag);
    removeEventListener("pointerup", drop);
    removeEventListener("pointercancel", drop);
    removeEventListener("keydown", cancel, true);
  };
  const drop = () => {
    letGo();
    root.classList.remove("nx-dragging");
    if (dragged.moved && dragged.name) say(where(dragged.name));
    setTimeout(() => { dragged = null; draw(); }); // after the click in which a drag may end
  };

  // The frame. Rows and chips are places: a document goes from place to place while no element ever moves,
  // so that focus and pointers stay where they are.
  const press = (text, act, hint) => make("button", { type: "button", title: hint, onclick: () => say(act()) }, text);
  const name = (element, label) => { element.setAttribute("aria-label", label); element.title = label; };
  const newPlace = (i) => {
    const doc = () => shown()[i];
    const attend = (to, part) => { // the focus goes with the result, or stays where it was
      const place = places[Math.max(0, Math.min(to, shown().length - 1))];
      const empty = !shown().length;
      (empty ? (add.disabled ? chips[0] : add) : place[part].disabled ? place.row : place[part]).focus();
    };
    const act = (what, to, part) => {
      const { name: moved } = doc();
      acted = clamp(to, 0, shown().length - 1);
      what(moved);
      attend(to, part);
      return where(moved);
    };
    const p = {
      row: make("li", { class: "nx-row", hidden: "", style: `order: ${2 * i + 1}` }),
      grip: make("span", { class: "nx-grip", "aria-hidden": "true" }, "⠿"),
      rank: make("span", { class: "nx-rank" }, String(i + 1)),
      name: make("span", { class: "nx-name" }),
      title: make("span", { class: "nx-title" }),
      grade: press("", () => {
        grade(doc().name, (level(doc()) + 1) % model.get("levels").length);
        return `${doc().name} has grade ${graded(doc())}`;
      }),
      ideal: make("i", { class: "nx-ideal" }),
      part: make("i", { class: "nx-part" }),
      lost: make("i", { class: "nx-lost" }),
      best: make("small", { class: "nx-best" }),
      bars: make("span", { class: "nx-bars", "aria-hidden": "true" }),
      value: make("span", { class: "nx-value" }),
      run: make("span", { class: "nx-run" }),
      up: press("↑", () => act((x) => move(x, i - 1), i - 1, "up")),
      down: press("↓", () => act((x) => move(x, i + 1), i + 1, "down")),
      out: press("×", () => act(takeOut, i, "out")),
    };
    p.bars.append(p.ideal, p.part, ...(view.losses ? [p.lost] : []), ...(view.named ? [p.best] : []));
    p.row.append(p.grip, p.rank, make("span", { class: "nx-main" }, make("span", { class: "nx-called" }, p.name, " ", p.title), p.bars),
      p.grade, p.value, p.run, make("span", { class: "nx-acts" }, p.up, p.down, p.out));
    p.row.addEventListener("pointerdown", (event) => {
      const onGrip = event.target === p.grip;
      if (doc() && (onGrip || (event.pointerType === "mouse" && !event.target.closest("button")))) start(event, { name: doc().name });
    });
    const buttons = [p.grade, p.up, p.down, p.out];
    for (const button of buttons) button.tabIndex = -1; // Tab goes from row to row
    p.row.addEventListener("keydown", (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      const stops = [p.row, ...buttons.filter((button) => !button.disabled)];
      const at = stops.indexOf(event.target);
      const next = { ArrowLeft: at - 1, ArrowRight: at + 1, Escape: 0 }[event.key];
      if (next !== undefined) {
        event.preventDefault();
        return stops[clamp(next, 0, stops.length - 1)].focus();
      }
      if (event.target !== p.row) return;
      let what;
      const to = { ArrowUp: i - 1, ArrowDown: i + 1, Home: 0, End: Infinity }[event.key];
      const typed = model.get("levels").map(String).indexOf(event.key);
      if (to !== undefined) what = act((x) => move(x, to), to, "row");
      else if (event.key === "Delete") what = act(takeOut, i, "row");
      else if (event.key === "+" || event.key === "-") grade(doc().name, level(doc()) + (event.key === "+" ? 1 : -1));
      else if (typed >= 0) grade(doc().name, typed);
      else return;
      event.preventDefault();
      say(what ?? `${doc().name} has grade ${graded(doc())}`);
    });
    return p;
  };
  const newChip = (i) => {
    const chip = make("button", { type: "button", class: "nx-chip" });
    chip.addEventListener("pointerdown", (event) => start(event, { name: missed()[i].name }));
    chip.addEventListener("click", () => {
      if (dragged?.moved) return;
      const { name: moved } = missed()[i];
      const at = acted = entry();
      move(moved, at);
      places[at]?.row.focus(); // unless a frame around it refused
      say(where(moved));
    });
    return chip;
  };
  const places = [];
  const chips = [];
  let acted = 0; // the rank of the last act, which is never folded
  let whole = false; // whether a long list is shown in full
  const lastSeen = () => places.findLastIndex(({ row }) => !row.hidden);
  const isFolded = (i, k) => !whole && i >= MANY / 2 && !(Math.abs(i + 1 - k) <= 5) && Math.abs(i - acted) > 2;
  const handle = make("span", {
    class: "nx-handle", role: "slider", tabindex: 0, title: "The cutoff: what stands below it does not count. Drag it.",
    "aria-label": "Cutoff k", "aria-orientation": "vertical", "aria-valuemin": 1,
  });
  const line = make("li", { class: "nx-line", role: "none" }, handle);
  line.addEventListener("pointerdown", (event) => start(event, { line: true }));
  handle.addEventListener("keydown", (event) => {
    const k = model.get("k") ?? last() + 1;
    const to = { ArrowUp: k - 1, ArrowLeft: k - 1, ArrowDown: k + 1, ArrowRight: k + 1, Home: 1, End: Infinity }[event.key];
    if (to === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    cutAt(to);
  });
  const more = make("button", { type: "button", onclick: () => { whole = !whole; draw(); } });
  const fold = make("li", { class: "nx-fold", role: "none" }, more);
  const list = make("ol", { class: "nx-list", "aria-label": "The ranking. Up and down move a result, plus and minus grade it, right goes to its buttons." }, line, fold);
  const sum = view.losses ? "lost" : view.pair ? "in the second" : view.ideal ? "sum / ideal" : "sum";
  const columns = ["", "", "", "grade", "adds", sum, ""];
  const head = make("div", { class: "nx-head", "aria-hidden": "true" }, ...columns.map((x) => make("span", {}, x)));
  const trayLabel = make("span");
  const aside = view.supposed ? "Not shown" : "Judged, not shown";
  const tray = make("div", { class: "nx-tray", role: "group", "aria-label": aside }, trayLabel);
  const numbers = make("div", { class: "nx-numbers" });
  const stuck = new IntersectionObserver(([{ boundingClientRect: own, intersectionRect: seen }]) =>
    numbers.classList.toggle("nx-stuck", seen.height > 0 && own.bottom - seen.bottom > 0.5), { threshold: [0.98, 0.99, 1] });
  stuck.observe(numbers);
  const sums = make("div", { class: "nx-sums" });
  const curve = svg("svg", { class: "nx-curve", viewBox: "0 0 300 96", role: "img" });
  const { live, say: sayOnce, silence } = speaker(200);
  const say = (what = "") => sayOnce(() => (what ? `${what}. ` : "") + told.map(({ term, text }) => `${term.replace("@", " at ")} is ${text}`).join(", "));
  const note = make("p", { class: "nx-note", role: "status" });
  const choice = (trait) => make("select", { onchange: (event) => { set({ [trait]: event.target.value }); say(); } });
  const [gain, discount] = [choice("gain"), choice("discount")];
  const cutoff = make("input", { type: "range", min: 1, step: 1, oninput: () => {
    set({ k: cutoff.value === cutoff.max ? null : Number(cutoff.value) });
    say();
  } });
  const cutoffText = make("span", { class: "nx-k" });
  const add = press("add a result", addDocument);
  add.className = "nx-add";
  const best = press("best order", sort, "Sort the list by what its results are worth; what is not shown stays where it is");
  const mix = press("shuffle", shuffle, "A random order");
  const help = make("p", { class: "nx-help", hidden: "" }, HELP);
  const helper = make("button", { type: "button", "aria-label": "How to move things", "aria-expanded": "false", title: "How to move things", onclick: () => {
    help.hidden = !help.hidden;
    helper.setAttribute("aria-expanded", String(!help.hidden));
  } }, "?");
  const tools = make("div", { class: "nx-tools" }, add, best, mix, press("reset", reset, "As it was when the page was opened"));
  if (model.share) {
    tools.append(make("button", { type: "button", title: "Copy a link that opens this page with this list", onclick: () => model.share() }, "link"));
  }
  tools.append(helper);
  const speakers = [0, 1].map((i) => make("select", { onchange: (event) => {
    set({ pair: model.get("pair").map((name, j) => (j === i ? event.target.value : name)) });
    say();
  } }));
  const controls = make("div", { class: "nx-controls" });
  if (view.pair) controls.append(...speakers.map((select, i) => make("label", {}, ["first", "second"][i], select)));
  else controls.append(make("label", { title: "What a grade is worth" }, "gain", gain));
  if (view.discount) controls.append(make("label", { title: "What rank i weighs" }, "discount", discount));
  controls.append(make("label", { title: "The cutoff: only the first k results count" }, "k", cutoff, cutoffText));
  const price = make("input", { type: "range", min: 0, max: 2, step: 0.1, oninput: () => { set({ penalty: Number(price.value) }); say(); } });
  const priceText = make("span", { class: "nx-k" });
  if (view.price) controls.append(make("label", { title: "What a bad result costs" }, "price", price, priceText));
  const suppose = make("input", { type: "range", min: 0, step: 1, oninput: () => {
    const value = model.get("levels")[Number(suppose.value)];
    set({ documents: model.get("documents").map((d) => (d.unjudged ? { ...d, grade: value } : d)) });
    say(`all unjudged results are supposed to be ${value}`);
  } });
  const supposeText = make("span", { class: "nx-k" });
  if (view.supposed) controls.append(make("label", { title: "Suppose one grade for every result nobody judged" }, "all ? are", suppose, supposeText));
  const bandPicture = svg("svg", { class: "nx-band", viewBox: "0 0 300 44", role: "img" });
  const root = frame(`nx nx-is-${model.get("view")}`, "A ranking to explore",
    make("p", { class: "nx-hint" }, view.hint), note, controls, head, make("div", { class: "nx-board" }, list, numbers), tools, help);
  if (view.tray) root.append(tray);
  if (view.supposed) root.append(bandPicture);
  root.append(sums);
  if (view.curve) root.append(curve);
  root.append(live);
  el.append(root);

  function drawPlace(p, d, i, m, scale, cut) {
    const width = (x) => `${((view.losses ? 48 : 100) * Math.abs(x)) / scale.whole}%`;
    const loss = m.losses[i] ?? 0;
    p.lost.style.width = width(loss * m.IDCG);
    p.lost.classList.toggle("nx-won", loss < 0);
    const best = view.ideal && i < cut ? m.ideal[i] : undefined;
    p.ideal.style.width = width(best?.part ?? (view.pair ? m.other[i] : view.behind && d ? d[view.behind] : 0));
    p.best.style.left = width(Math.max(best?.part ?? 0, d?.part ?? 0));
    p.best.textContent = best?.name ?? "";
    p.best.title = best ? `in the best order: ${called(best)}` : "";
    if (d) p.row.removeAttribute("aria-hidden"); else p.row.setAttribute("aria-hidden", "true");
    if (d) p.row.tabIndex = 0; else p.row.removeAttribute("tabindex");
    p.doc = d?.name;
    p.name.textContent = d?.name ?? "";
    p.title.textContent = d?.title ?? "";
    p.title.title = d?.title ?? "";
    const sum = (r) => number(r.sums[view.bar]);
    if (!d) { // a rank where the ideal has a document, and the list has none
      p.row.className = "nx-row nx-ghost";
      p.part.style.width = 0;
      p.run.textContent = view.losses ? number(loss) : `${number(m[view.bar === "part" ? "DCG" : "CG"])} / ${sum(best)}`;
      return;
    }
    const part = d[view.bar];
    const added = number(i < cut ? part : 0); // below the cutoff the bar alone tells what it would be
    p.run.textContent = i >= cut ? "" : view.losses ? number(loss) : view.pair ? number(m.other[i]) : best ? `${sum(d)} / ${sum(best)}` : sum(d);
    p.row.className = `nx-row${i >= cut ? " nx-cut" : ""}${dragged?.moved && dragged.name === d.name ? " nx-held" : ""}`;
    const told = [`Rank ${i + 1}: ${called(d)}, grade ${graded(d)}, adds ${added}`];
    if (view.losses) told.push(`lost ${number(loss)}`);
    if (view.named && best) told.push(`the ideal has ${best.name}`);
    p.row.setAttribute("aria-label", told.join(", "));
    p.grade.textContent = graded(d);
    p.grade.classList.toggle("nx-supposed", Boolean(d.unjudged));
    p.part.classList.toggle("nx-loss", part < 0);
    p.value.textContent = added;
    p.part.style.width = width(part);
    p.part.style.left = `${(100 * (scale.below + Math.min(0, part))) / scale.whole}%`; // a loss lies left of the zero line
    p.up.disabled = i === 0;
    p.down.disabled = i === m.shown.length - 1;
    name(p.grade, `${d.name} has grade ${graded(d)}: ${model.offer?.(d) ?? "change it"}`); // a frame may offer something else
    name(p.up, `Move ${d.name} up`);
    name(p.down, `Move ${d.name} down`);
    name(p.out, view.tray ? `Take ${d.name} out of the list` : `Remove ${d.name}`);
  }

  // Motion shows what moved: each result slides from where it was seen to where it is.
  const still = matchMedia("(prefers-reduced-motion: reduce)");
  const tops = () => new Map(places.filter((p) => p.doc && !p.row.hidden).map((p) => [p.doc, p.row.getBoundingClientRect().top]));
  function slide(before) {
    for (const p of places) for (const animation of p.row.getAnimations()) animation.cancel();
    for (const [doc, to] of tops()) {
      const by = before.get(doc) - to;
      if (!by || still.matches || doc === dragged?.name) continue; // what the hand holds is where the hand is
      const { row } = places.find((p) => p.doc === doc);
      row.animate([{ transform: `translateY(${by}px)` }, { transform: "none" }], { duration: 120, easing: "ease-out" });
    }
  }

  // The numbers, and beside each by how much the last act, or the drag so far, has changed it.
  const boxes = [];
  let told = [];
  function drawNumbers(now) {
    const from = dragged?.values ?? (model.opening ? now : told); // what a link opens was not changed by anyone here
    const moved = now.some((x, i) => !Object.is(x.value, told[i]?.value));
    while (boxes.length < now.length) {
      const box = { term: make("span", { class: "nx-term" }), figure: make("span", { class: "nx-figure" }), change: make("span") };
      numbers.append(make("div", { class: `nx-${(view.numbers[boxes.length] ?? "").replaceAll(" ", "-")}` }, box.term, box.figure, box.change));
      boxes.push(box);
    }
    now.forEach(({ of, term, text, value }, i) => {
      boxes[i].term.textContent = term;
      boxes[i].figure.textContent = text;
      if (!moved) return;
      const by = from[i]?.of === of ? value - from[i].value : 0;
      const fresh = make("span", { class: "nx-change", "aria-hidden": "true" }, Math.abs(by) < 0.0005 || Number.isNaN(by) ? "" : `${by > 0 ? "+" : ""}${number(by)}`);
      boxes[i].change.replaceWith(fresh); // a new one fades anew
      boxes[i].change = fresh;
    });
    told = now;
  }

  function drawCurve({ curve: values }, k) {
    const x = (i) => 24 + (i * 264) / Math.max(1, values.length - 1);
    const y = (v) => 78 - 66 * v;
    const points = values.map((v, i) => [x(i), y(v), v]).filter(([, , v]) => !Number.isNaN(v));
    const at = k === null ? -1 : Math.min(k, values.length) - 1;
    curve.setAttribute("aria-label", `nDCG at cutoffs 1 to ${values.length}: ${values.map(number).join(", ")}`);
    curve.replaceChildren(
      ...[0, 1].map((v) => svg("line", { class: "nx-axis", x1: 20, x2: 292, y1: y(v), y2: y(v) })),
      ...[0, 1].map((v) => svgText(14, y(v) + 3, v, { "text-anchor": "end" })),
      svgText(24, 93, "nDCG@k, k = 1"),
      svgText(288, 93, values.length, { "text-anchor": "end" }),
      svg("polyline", { points: points.map(([a, b]) => `${a},${b}`).join(" ") }),
      ...points.map(([a, b]) => svg("circle", { cx: a, cy: b, r: 2 })),
    );
    if (at >= 0 && !Number.isNaN(values[at])) {
      curve.append(svg("circle", { class: "nx-at", cx: x(at), cy: y(values[at]), r: 4.5 }),
        svgText(x(at), y(values[at]) + (values[at] > 0.85 ? 16 : -8), number(values[at]), { "text-anchor": "middle" }));
    }
  }
  curve.addEventListener("click", (event) => {
    const box = curve.getBoundingClientRect();
    const n = model.get("documents").length;
    const i = Math.round((((event.clientX - box.left) / box.width) * 300 - 24) / (264 / Math.max(1, n - 1)));
    set({ k: Math.max(1, Math.min(n, i + 1)) });
    say();
  });

  function drawBand({ least, most, nDCG }) {
    const x = (v) => 12 + 276 * v;
    const known = !Number.isNaN(least);
    bandPicture.setAttribute("aria-label", known ? `nDCG is ${number(nDCG)}, between ${number(least)} and ${number(most)}` : "nothing is known");
    bandPicture.replaceChildren(
      svg("line", { class: "nx-axis", x1: x(0), x2: x(1), y1: 16, y2: 16 }),
      ...[0, 1].map((v) => svgText(x(v), 40, v, { "text-anchor": "middle" })),
    );
    if (!known) return;
    bandPicture.append(svg("rect", { x: x(least), y: 10, width: Math.max(1, x(most) - x(least)), height: 12, rx: 2 }));
    if (!Number.isNaN(nDCG)) bandPicture.append(svg("circle", { cx: x(nDCG), cy: 16, r: 5 }));
  }

  function writeSum(measure, m, cut) {
    if (measure === "ranks" || measure === "documents") { // what was lost, and where
      const parts = measure === "ranks" ? m.losses.map((x, i) => [`rank ${i + 1}`, x]) : m.costs.map((c) => [c.name, c.loss]);
      const told = parts.filter(([, x]) => x !== 0).map(([x, loss]) => `${x} ${number(loss)}`);
      const rest = told.length > MANY ? ` and ${told.length - MANY} more` : "";
      return make("p", {}, make("b", {}, `By ${measure.slice(0, -1)}`), ` ${told.slice(0, MANY).join(", ") || "nothing"}${rest}`);
    }
    if (measure === "penalised") {
      const top = summed(m.shown.slice(0, cut), (r) => `${number(r.price)} × ${number(r.weight)}`, (r) => r.price);
      return make("p", {}, make("b", {}, measure), ` = (${top}) / ${number(m.IDCG)} = `, make("b", {}, number(m.penalised)));
    }
    if (measure === "nDCG") return make("p", {}, make("b", {}, measure), ` = ${number(m.DCG)} / ${number(m.IDCG)} = `, make("b", {}, number(m.nDCG)));
    const rows = (measure === "IDCG" ? m.ideal : m.shown).slice(0, cut);
    const terms = summed(rows, (r) => (measure === "CG" ? number(r.gain) : `${number(r.gain)} × ${number(r.weight)}`), (r) => r.gain);
    return make("p", {}, make("b", {}, measure), ` = ${terms} = `, make("b", {}, number(m[measure])));
  }

  // Two tools side by side: their numbers, what each result adds, and the settings that part them.
  function compare(state, m) {
    const both = state.pair.map((name) => spoken(state, name));
    const said = ({ value }, name) => (Number.isNaN(value) && !m.missed.length && !m.shown.length ? "0/0"
      : Number.isNaN(value) ? (state.dialects.of[name].empty === "skip" && m.CG === 0 ? "left out" : "refused") : number(value));
    m.shown.forEach((row, i) => { row.part = both[0].parts[i]; });
    m.other = both[1].parts;
    const gap = both[0].value - both[1].value;
    m.said = state.pair.map((name, i) => ({ of: name, term: name, text: said(both[i], name), value: both[i].value }));
    m.said.push({ of: state.pair.join(), term: "gap", text: Number.isNaN(gap) ? "–" : number(gap), value: gap });
  }
  function writeApart(state) {
    const [one, other] = state.pair.map((name) => state.dialects.of[name].says);
    const { alone, together, idle } = apart(state);
    const heads = [["Why they differ here", alone], [alone.length ? "and only together" : "Only together", together], ["Also different, with no effect on this list", idle]];
    const told = heads.filter(([, keys]) => keys.length).map(([head, keys]) =>
      make("p", {}, make("b", {}, head), ` ${keys.map((key) => `${key} ${one[key]} / ${other[key]}`).join(", ")}`));
    return told.length ? told : [make("p", {}, "In what a list can show, they do not differ.")];
  }
  const speak = (state, m) => (view.pair ? m.said
    : view.numbers.map((x) => ({ of: x, term: titled(x, state.k ?? null), text: number(m[x]), value: m[x] })));

  function draw() {
    const state = get();
    if (busy || (view.pair && !state.dialects.of)) return; // there is more to come
    const m = measure(state);
    if (view.pair) compare(state, m);
    const k = state.k ?? null;
    const cut = k ?? Infinity;
    const before = tops();
    // One scale for all bars, which no change of order changes: the highest gain at rank 1 is as long as there is room for.
    const longest = view.pair ? Math.max(...m.shown.map((row) => row.part), ...m.other)
      : Math.max(...m.ideal.map((row) => row.gain)) * Math.max(1, ...(view.bar === "gain" ? [] : state.discounts[state.discount]));
    const below = view.price ? Math.max(1, state.penalty) : 0;
    const scale = { below, whole: below + Math.max(1e-12, longest) };
    root.style.setProperty("--zero", `${(100 * below) / scale.whole}%`);
    const ranks = view.ideal ? Math.max(m.shown.length, Math.min(cut, m.ideal.length)) : m.shown.length;
    while (places.length < ranks) list.append(places[places.push(newPlace(places.length)) - 1].row);
    const tail = lastSeen();
    places.forEach((p, i) => { // under a hand, nothing folds or unfolds but at the end
      p.row.hidden = i >= ranks || (dragged && i <= tail ? p.row.hidden : ranks > MANY && isFolded(i, cut));
      if (p.row.hidden) p.doc = undefined;
      else drawPlace(p, m.shown[i], i, m, scale, cut);
      p.row.classList.toggle("nx-gap", !p.row.hidden && Boolean(places[i - 1]?.row.hidden));
    });
    fold.hidden = ranks <= MANY;
    more.textContent = whole ? "show fewer" : `show all ${ranks}`;
    more.setAttribute("aria-expanded", String(whole));
    slide(before);
    list.classList.toggle("nx-titled", state.documents.some((d) => d.title));
    line.hidden = !ranks;
    line.style.order = 2 * Math.min(cut, ranks);
    line.classList.toggle("nx-held", Boolean(dragged?.moved && dragged.line));
    handle.textContent = k === null ? "no cut" : `k = ${k}`;
    handle.setAttribute("aria-valuemax", last() + 1);
    handle.setAttribute("aria-valuenow", k ?? last() + 1);
    handle.setAttribute("aria-valuetext", String(k ?? "no cut"));
    while (chips.length < m.missed.length) tray.append(chips[chips.push(newChip(chips.length)) - 1]);
    chips.forEach((chip, i) => {
      const d = m.missed[i];
      chip.hidden = !d;
      if (!d) return;
      chip.replaceChildren(make("span", { class: "nx-name" }, d.name), " ", make("span", { class: "nx-title" }, d.title ?? ""), " ", make("b", {}, graded(d)));
      name(chip, `${called(d)}, grade ${graded(d)}: show it`);
    });
    trayLabel.textContent = `${aside}: ${m.missed.length ? "" : "none. Drag a result here."}`;
    drawNumbers(speak(state, m));
    sums.replaceChildren(...view.sums.map((x) => writeSum(x, m, cut)), ...(view.pair ? writeApart(state) : []));
    if (view.pair) {
      const names = Object.keys(state.dialects.of);
      speakers.forEach((select, i) => {
        if (!select.children.length) select.append(...names.map((x) => make("option", { value: x }, x)));
        select.value = state.pair[i];
      });
    }
    for (const [select, names, value] of [[gain, state.choices.gain, state.gain], [discount, state.choices.discount, state.discount]]) {
      if (select.children.length !== names.length) {
        select.replaceChildren(...names.map((x) => make("option", { value: x }, FORMS[x] ? `${x}: ${FORMS[x]}` : x)));
      }
      select.value = value;
    }
    cutoff.max = last() + 1;
    cutoff.value = k ?? cutoff.max;
    cutoffText.textContent = k ?? "no cut";
    cutoff.setAttribute("aria-valuetext", String(k ?? "no cut"));
    add.disabled = state.documents.length >= Math.min(...Object.values(state.discounts).map((w) => w.length));
    best.disabled = mix.disabled = m.shown.length < 2;
    if (view.curve) drawCurve(m, k);
    price.value = state.penalty;
    priceText.textContent = number(state.penalty);
    suppose.max = state.levels.length - 1;
    const supposed = [...new Set(state.documents.filter((d) => d.unjudged).map((d) => d.grade))];
    suppose.disabled = !supposed.length;
    if (supposed.length === 1) suppose.value = state.levels.indexOf(supposed[0]);
    supposeText.textContent = supposed.length === 1 ? number(supposed[0]) : supposed.length ? "mixed" : "none";
    suppose.setAttribute("aria-valuetext", supposeText.textContent);
    if (view.supposed) drawBand(m);
  }

  const noted = () => { note.textContent = model.get("note") ?? ""; };
  draw();
  noted();
  const drawn = Object.fromEntries(STATE.map((trait) => [`change:${trait}`, draw]));
  const deaf = listen(model, { ...drawn, "change:note": noted });
  return () => {
    deaf();
    letGo();
    silence();
    stuck.disconnect();
  };
}

export default { render };
