// A ranking one can move. Python sends grades, gains and discounts; this file only orders, multiplies and adds.
// It is a plain ES module in the form anywidget hosts, and needs nothing but a model with get, set, on and save_changes.

/** Everything a view shows, from the state alone. Sums run from rank 1 downwards, as they do in Python. */
export function measure({ documents, levels, gains, discounts, gain, discount, k, penalty }) {
  const worth = (d) => gains[gain][levels.indexOf(d.grade)];
  const charged = (d) => (d.grade < 0 ? -penalty : worth(d)); // a bad result costs its price
  const weights = discounts[discount];
  const rows = (docs) => {
    const sums = { gain: 0, part: 0, charge: 0 };
    return docs.map((d, i) => {
      const row = { ...d, gain: worth(d), weight: weights[i], part: worth(d) * weights[i], charge: charged(d) * weights[i] };
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
  const add = (list) => list.reduce((sum, x) => sum + x, 0);
  const unique = (list) => [...new Set(list)].sort((a, b) => a - b);
  const shown = documents.filter((d) => d.shown);
  const holes = documents.filter((d) => d.unjudged).length;
  const placed = shown.map((d, i) => (d.unjudged ? weight(i) : -1)).filter((w) => w >= 0).sort((a, b) => b - a);
  const known = add(shown.map((d, i) => (d.unjudged ? 0 : worth(d) * weight(i))));
  const pool = documents.filter((d) => !d.unjudged).map(worth);
  const levels = unique(table);
  const [lowest, highest] = [levels[0], levels.at(-1)];
  const ideal = (gains) => add(gains.sort((a, b) => b - a).map((g, i) => g * weight(i)));
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
  const { gain, discount, ideal, empty, default_k: cutoff } = dialects.of[name];
  const weights = dialects.weights[discount];
  const worth = (d) => gain[levels.indexOf(d.grade)];
  const shown = documents.filter((d) => d.shown);
  const pool = ["list", "reached"].includes(ideal) ? shown : documents;
  if ([...shown, ...pool].some((d) => worth(d) === null)) return { value: NaN, parts: shown.map(() => 0) };
  const cut = k ?? cutoff ?? Infinity;
  const add = (docs, end) => docs.slice(0, end).reduce((sum, d, i) => sum + worth(d) * weights[i], 0);
  const ordered = [...pool].sort((a, b) => worth(b) - worth(a));
  const reached = ideal !== "reached" || cut === Infinity || cut <= shown.length;
  const best = add(ordered, ideal === "hits" ? Math.min(cut, shown.length) : cut);
  const top = reached ? Math.min(add(shown, cut), best) : 0;
  return {
    value: best > 0 ? top / best : typeof empty === "number" ? empty : NaN,
    parts: shown.map((d, i) => (best > 0 && reached && i < cut ? (worth(d) * weights[i]) / best : 0)),
  };
}

/** What each chapter shows. A new chapter adds a line here. */
export const VIEWS = {
  cg: { bar: "gain", numbers: ["CG"], sums: ["CG"], hint: "Move a result up or down: the sum stays what it is." },
  dcg: { bar: "part", discount: true, numbers: ["CG", "DCG"], sums: ["DCG"], hint: "Move a result: now the order matters." },
  idcg: {
    bar: "part", discount: true, ideal: true, tray: true, numbers: ["DCG", "IDCG"], sums: ["DCG", "IDCG"],
    hint: "Grey is the ideal, made from all judged documents. Take one out of the list: the ideal keeps it.",
  },
  ndcg: {
    bar: "part", discount: true, ideal: true, tray: true, numbers: ["DCG", "IDCG", "nDCG"], sums: ["DCG", "IDCG", "nDCG"],
    curve: true,
    hint: "Blue is what the list delivers, grey what the best one would. Move results, change grades, move k.",
  },
  penalties: {
    bar: "charge", discount: true, price: true, adds: 0, numbers: ["nDCG", "penalised", "min-max"], sums: ["penalised"],
    hint: "Results below 0 are bad, and orange. Add one, move it up, change its price: nDCG does not notice.",
  },
  missing: {
    bar: "part", discount: true, ideal: true, tray: true, numbers: ["own ideal", "nDCG"], sums: ["DCG", "IDCG", "nDCG"],
    hint: "Take results out, and change the set size k. By its own ideal the list stays perfect.",
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
const titled = (x, k) => (k === null || UNCUT.includes(x) ? x : `${x}@${k}`);
const graded = (d) => `${d.grade}${d.unjudged ? "?" : ""}`;

export const number = (x) => {
  if (Number.isNaN(x)) return "0/0";
  return Number.isInteger(x) ? String(x) : Math.abs(x) < 0.0005 ? x.toPrecision(2) : x.toFixed(3);
};

const make = (tag, attributes = {}, ...children) => {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (value !== undefined) element.setAttribute(name, value);
  }
  element.append(...children);
  return element;
};
const svg = (tag, attributes = {}, ...children) => {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
};

const STATE = ["documents", "levels", "gains", "discounts", "choices", "gain", "discount", "k", "penalty", "pair", "dialects"];

function render({ model, el }) {
  let leave = mount({ model, el });
  const again = () => {
    leave();
    el.replaceChildren();
    leave = mount({ model, el });
  };
  model.on("change:view", again);
  return () => { model.off("change:view", again); leave(); };
}

function mount({ model, el }) {
  const get = () => Object.fromEntries(STATE.map((name) => [name, model.get(name)]));
  const set = (changes) => {
    for (const [name, value] of Object.entries(changes)) model.set(name, value);
    model.save_changes();
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
    const place = show ? Math.max(0, Math.min(to, rest.filter((d) => d.shown).length)) : rest.length;
    if (documents[from].shown === show && (!show || from === place)) return;
    set({ documents: [...rest.slice(0, place), { ...documents[from], shown: show }, ...rest.slice(place)] });
  };
  const grade = (name, level) => {
    const levels = model.get("levels");
    const value = levels[Math.max(0, Math.min(level, levels.length - 1))];
    set({ documents: model.get("documents").map((d) => (d.name === name ? { ...d, grade: value } : d)) });
  };
  const level = (d) => model.get("levels").indexOf(d.grade);
  const takeOut = (name) =>
    view.tray ? move(name, 0, false) : set({ documents: model.get("documents").filter((d) => d.name !== name) });
  const addDocument = () => {
    const documents = model.get("documents");
    let n = documents.length + 1;
    while (documents.some((d) => d.name === `D${n}`)) n += 1;
    const at = shown().length;
    const grades = model.get("levels");
    const added = { name: `D${n}`, grade: grades[Math.min(view.adds ?? 1, grades.length - 1)], shown: true };
    if (view.supposed) added.unjudged = true;
    set({ documents: [...documents.slice(0, at), added, ...documents.slice(at)] });
    places[at].row.focus();
    return `${added.name} added at rank ${at + 1}`;
  };
  const where = (name) => {
    const rank = shown().findIndex((d) => d.name === name) + 1;
    return rank ? `${name} at rank ${rank}` : `${name} taken out`;
  };

  // Dragging, by mouse, pen or finger.
  let dragged = null;
  const start = (event, name) => {
    if (event.button) return;
    dragged = { name, x: event.clientX, y: event.clientY, moved: false, before: model.get("documents") };
    addEventListener("pointermove", drag, { passive: false });
    addEventListener("pointerup", drop);
    addEventListener("pointercancel", drop);
    addEventListener("keydown", cancel, true);
  };
  const cancel = (event) => {
    if (event.key !== "Escape") return;
    set({ documents: dragged.before });
    drop();
  };
  const drag = (event) => {
    if (!dragged.moved && Math.hypot(event.clientX - dragged.x, event.clientY - dragged.y) < 4) return;
    event.preventDefault();
    dragged.moved = true;
    root.classList.add("nx-dragging");
    const rows = places.map((p) => p.row).filter((row) => !row.hidden);
    if (view.tray && event.clientY > tray.getBoundingClientRect().top) move(dragged.name, 0, false);
    else move(dragged.name, rows.filter((row) => row.getBoundingClientRect().bottom < event.clientY).length);
    draw();
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
    if (dragged.moved) say(where(dragged.name));
    setTimeout(() => { dragged = null; draw(); }); // after the click in which a drag may end
  };

  // The frame. Rows and chips are places: a document goes from place to place while no element ever moves,
  // so that focus and pointers stay where they are.
  const press = (text, act) => make("button", { type: "button", onclick: () => say(act()) }, text);
  const name = (element, label) => { element.setAttribute("aria-label", label); element.title = label; };
  const newPlace = (i) => {
    const doc = () => shown()[i];
    const follow = (to, part) => { // the focus goes with the result, or stays where it was
      const place = places[Math.max(0, Math.min(to, shown().length - 1))];
      const empty = !shown().length;
      (empty ? (add.disabled ? chips[0] : add) : place[part].disabled ? place.row : place[part]).focus();
    };
    const act = (what, to, part) => {
      const { name: moved } = doc();
      what(moved);
      follow(to, part);
      return where(moved);
    };
    const p = {
      row: make("li", { class: "nx-row" }),
      grip: make("span", { class: "nx-grip", "aria-hidden": "true" }, "⠿"),
      rank: make("span", { class: "nx-rank" }, String(i + 1)),
      name: make("span", { class: "nx-name" }),
      grade: press("", () => {
        grade(doc().name, (level(doc()) + 1) % model.get("levels").length);
        return `${doc().name} has grade ${graded(doc())}`;
      }),
      ideal: make("i", { class: "nx-ideal" }),
      part: make("i", { class: "nx-part" }),
      lost: make("i", { class: "nx-lost" }),
      value: make("span", { class: "nx-value" }),
      run: make("span", { class: "nx-run" }),
      up: press("↑", () => act((x) => move(x, i - 1), i - 1, "up")),
      down: press("↓", () => act((x) => move(x, i + 1), i + 1, "down")),
      out: press("×", () => act(takeOut, i, "out")),
    };
    p.row.append(p.grip, p.rank, p.name, p.grade, make("span", { class: "nx-bars", "aria-hidden": "true" }, p.ideal, p.part, ...(view.losses ? [p.lost] : [])),
      p.value, p.run, make("span", { class: "nx-acts" }, p.up, p.down, p.out));
    p.row.addEventListener("pointerdown", (event) => {
      const onGrip = event.target === p.grip;
      if (doc() && (onGrip || (event.pointerType === "mouse" && !event.target.closest("button")))) start(event, doc().name);
    });
    p.row.addEventListener("keydown", (event) => {
      if (event.target !== p.row || event.ctrlKey || event.metaKey || event.altKey) return;
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
    chip.addEventListener("pointerdown", (event) => start(event, missed()[i].name));
    chip.addEventListener("click", () => {
      if (dragged?.moved) return;
      const { name: moved } = missed()[i];
      move(moved, Infinity);
      places[shown().length - 1].row.focus();
      say(where(moved));
    });
    return chip;
  };
  const places = [];
  const chips = [];
  const list = make("ol", { class: "nx-list", "aria-label": "The ranking. Up and down move a result, plus and minus grade it." });
  const head = make("div", { class: "nx-head", "aria-hidden": "true" }, ...["", "", "", "grade", "", "adds", "sum", ""].map((x) => make("span", {}, x)));
  const trayLabel = make("span");
  const aside = view.supposed ? "Not shown" : "Judged, not shown";
  const tray = make("div", { class: "nx-tray", role: "group", "aria-label": aside }, trayLabel);
  const numbers = make("div", { class: "nx-numbers" });
  const sums = make("div", { class: "nx-sums" });
  const curve = svg("svg", { class: "nx-curve", viewBox: "0 0 300 96", role: "img" });
  const live = make("div", { class: "nx-live", role: "status", "aria-live": "polite" });
  const choice = (trait) => make("select", { onchange: (event) => { set({ [trait]: event.target.value }); say(); } });
  const [gain, discount] = [choice("gain"), choice("discount")];
  const cutoff = make("input", { type: "range", min: 1, step: 1, oninput: () => {
    set({ k: cutoff.value === cutoff.max ? null : Number(cutoff.value) });
    say();
  } });
  const cutoffText = make("span", { class: "nx-k" });
  const add = press("add a result", addDocument);
  add.className = "nx-add";
  const speakers = [0, 1].map((i) => make("select", { onchange: (event) => {
    set({ pair: model.get("pair").map((name, j) => (j === i ? event.target.value : name)) });
    say();
  } }));
  const controls = make("div", { class: "nx-controls" });
  if (view.pair) controls.append(...speakers.map((select, i) => make("label", {}, ["first", "second"][i], select)));
  else controls.append(make("label", {}, "gain", gain));
  if (view.discount) controls.append(make("label", {}, "discount", discount));
  controls.append(make("label", {}, "k", cutoff, cutoffText));
  const price = make("input", { type: "range", min: 0, max: 2, step: 0.1, oninput: () => { set({ penalty: Number(price.value) }); say(); } });
  const priceText = make("span", { class: "nx-k" });
  if (view.price) controls.append(make("label", {}, "price", price, priceText));
  const suppose = make("input", { type: "range", min: 0, step: 1, oninput: () => {
    const value = model.get("levels")[Number(suppose.value)];
    set({ documents: model.get("documents").map((d) => (d.unjudged ? { ...d, grade: value } : d)) });
    say(`all unjudged results are supposed to be ${value}`);
  } });
  if (view.supposed) controls.append(make("label", {}, "all ? are", suppose));
  const bandPicture = svg("svg", { class: "nx-band", viewBox: "0 0 300 44", role: "img" });
  // Keys pressed in here are for this widget, not for the notebook around it.
  const root = make("div", { class: "nx", "data-lm-suppress-shortcuts": "true", role: "group", "aria-label": "A ranking to explore" },
    make("p", { class: "nx-hint" }, view.hint), controls, head, list, add);
  root.addEventListener("keydown", (event) => event.stopPropagation());
  if (view.tray) root.append(tray);
  root.append(numbers);
  if (view.supposed) root.append(bandPicture);
  root.append(sums);
  if (view.curve) root.append(curve);
  root.append(live);
  el.append(root);

  function drawPlace(p, d, i, m, most, cut) {
    const width = (x) => `${((view.losses ? 48 : 100) * Math.abs(x)) / most}%`;
    const loss = m.losses[i] ?? 0;
    p.lost.style.width = width(loss * m.IDCG);
    p.lost.classList.toggle("nx-won", loss < 0);
    const best = view.ideal && i < cut ? m.ideal[i] : undefined;
    p.ideal.style.width = width(best?.part ?? (view.pair ? m.other[i] : 0));
    p.row.toggleAttribute("aria-hidden", !d);
    if (d) p.row.tabIndex = 0; else p.row.removeAttribute("tabindex");
    const sum = (r) => number(r.sums[view.bar]);
    if (!d) { // a rank where the ideal has a document, and the list has none
      p.row.className = "nx-row nx-ghost";
      p.part.style.width = 0;
      p.run.textContent = view.losses ? number(loss) : `${number(m[view.bar === "part" ? "DCG" : "CG"])} / ${sum(best)}`;
      return;
    }
    p.run.textContent = i >= cut ? "" : view.losses ? number(loss) : view.pair ? number(m.other[i]) : best ? `${sum(d)} / ${sum(best)}` : sum(d);
    p.row.className = `nx-row${i >= cut ? " nx-cut" : ""}${dragged?.moved && dragged.name === d.name ? " nx-held" : ""}`;
    p.row.setAttribute("aria-label", `Rank ${i + 1}: ${d.name}, grade ${graded(d)}, adds ${i < cut ? number(d[view.bar]) : 0}${view.losses ? `, lost ${number(loss)}` : ""}`);
    p.name.textContent = d.name;
    p.grade.textContent = graded(d);
    p.grade.classList.toggle("nx-supposed", Boolean(d.unjudged));
    p.part.classList.toggle("nx-loss", d[view.bar] < 0);
    p.value.textContent = number(d[view.bar]);
    p.part.style.width = width(d[view.bar]);
    p.up.disabled = i === 0;
    p.down.disabled = i === m.shown.length - 1;
    name(p.grade, `${d.name} has grade ${graded(d)}: change it`);
    name(p.up, `Move ${d.name} up`);
    name(p.down, `Move ${d.name} down`);
    name(p.out, view.tray ? `Take ${d.name} out of the list` : `Remove ${d.name}`);
  }

  function drawCurve({ curve: values }, k) {
    const x = (i) => 24 + (i * 264) / Math.max(1, values.length - 1);
    const y = (v) => 78 - 66 * v;
    const points = values.map((v, i) => [x(i), y(v), v]).filter(([, , v]) => !Number.isNaN(v));
    const at = k === null ? -1 : Math.min(k, values.length) - 1;
    curve.setAttribute("aria-label", `nDCG at cutoffs 1 to ${values.length}: ${values.map(number).join(", ")}`);
    curve.replaceChildren(
      ...[0, 1].map((v) => svg("line", { class: "nx-axis", x1: 20, x2: 292, y1: y(v), y2: y(v) })),
      ...[0, 1].map((v) => svg("text", { x: 14, y: y(v) + 3, "text-anchor": "end" }, String(v))),
      svg("text", { x: 24, y: 93 }, "nDCG@k, k = 1"),
      svg("text", { x: 288, y: 93, "text-anchor": "end" }, String(values.length)),
      svg("polyline", { points: points.map(([a, b]) => `${a},${b}`).join(" ") }),
      ...points.map(([a, b]) => svg("circle", { cx: a, cy: b, r: 2 })),
    );
    if (at >= 0 && !Number.isNaN(values[at])) {
      curve.append(svg("circle", { class: "nx-at", cx: x(at), cy: y(values[at]), r: 4.5 }),
        svg("text", { x: x(at), y: y(values[at]) + (values[at] > 0.85 ? 16 : -8), "text-anchor": "middle" }, number(values[at])));
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
      ...[0, 1].map((v) => svg("text", { x: x(v), y: 40, "text-anchor": "middle" }, String(v))),
    );
    if (!known) return;
    bandPicture.append(svg("rect", { x: x(least), y: 10, width: Math.max(1, x(most) - x(least)), height: 12, rx: 2 }));
    if (!Number.isNaN(nDCG)) bandPicture.append(svg("circle", { cx: x(nDCG), cy: 16, r: 5 }));
  }

  function writeSum(measure, m, cut) {
    if (measure === "ranks" || measure === "documents") { // what was lost, and where
      const parts = measure === "ranks" ? m.losses.map((x, i) => [`rank ${i + 1}`, x]) : m.costs.map((c) => [c.name, c.loss]);
      const told = parts.filter(([, x]) => x !== 0).map(([x, loss]) => `${x} ${number(loss)}`).join(", ").replaceAll("-", "−");
      return make("p", {}, make("b", {}, `By ${measure.slice(0, -1)}`), ` ${told || "nothing"}`);
    }
    if (measure === "penalised") {
      const terms = m.shown.slice(0, cut).map((r) => `${number(r.charge / r.weight)} × ${number(r.weight)}`);
      return make("p", {}, make("b", {}, measure), ` = (${terms.join(" + ").replaceAll("+ -", "− ") || "0"}) / ${number(m.IDCG)} = `, make("b", {}, number(m.penalised)));
    }
    if (measure === "nDCG") return make("p", {}, make("b", {}, measure), ` = ${number(m.DCG)} / ${number(m.IDCG)} = `, make("b", {}, number(m.nDCG)));
    const rows = (measure === "IDCG" ? m.ideal : m.shown).slice(0, cut);
    const terms = rows.map((r) => (measure === "CG" ? number(r.gain) : `${number(r.gain)} × ${number(r.weight)}`));
    return make("p", {}, make("b", {}, measure), ` = ${terms.join(" + ") || "0"} = `, make("b", {}, number(m[measure])));
  }

  // Two tools side by side: their numbers, what each result adds, and the settings in which they differ.
  function compare(state, m) {
    const [one, other] = state.pair.map((name) => spoken(state, name));
    const said = ({ value }, name) => (Number.isNaN(value) && !m.missed.length && !m.shown.length ? "0/0"
      : Number.isNaN(value) ? (state.dialects.of[name].empty === "skip" && m.CG === 0 ? "left out" : "refused") : number(value));
    m.shown.forEach((row, i) => { row.part = one.parts[i]; });
    m.other = other.parts;
    m.said = [[state.pair[0], said(one, state.pair[0])], [state.pair[1], said(other, state.pair[1])], ["gap", Number.isNaN(one.value - other.value) ? "–" : number(one.value - other.value)]];
    const settings = state.pair.map((name) => state.dialects.of[name].says);
    const apart = Object.keys(settings[0]).filter((key) => settings[0][key] !== settings[1][key]);
    m.apart = apart.map((key) => `${key} ${settings[0][key]} / ${settings[1][key]}`).join(", ") || "nothing";
  }
  const speak = (state, m) => (view.pair ? m.said : view.numbers.map((x) => [titled(x, state.k ?? null), number(m[x])]));

  function draw() {
    const state = get();
    const m = measure(state);
    if (view.pair) compare(state, m);
    const k = state.k ?? null;
    const cut = k ?? Infinity;
    const parts = view.pair ? [...m.shown.map((row) => row.part), ...m.other] : state.gains[state.gain];
    const most = Math.max(1e-12, ...parts, view.price ? state.penalty : 0);
    const ranks = view.ideal ? Math.max(m.shown.length, Math.min(cut, m.ideal.length)) : m.shown.length;
    while (places.length < ranks) list.append(places[places.push(newPlace(places.length)) - 1].row);
    places.forEach((p, i) => {
      p.row.hidden = i >= ranks;
      if (!p.row.hidden) drawPlace(p, m.shown[i], i, m, most, cut);
    });
    while (chips.length < m.missed.length) tray.append(chips[chips.push(newChip(chips.length)) - 1]);
    chips.forEach((chip, i) => {
      const d = m.missed[i];
      chip.hidden = !d;
      if (d) chip.replaceChildren(`${d.name} `, make("b", {}, graded(d)));
      if (d) name(chip, `${d.name}, grade ${graded(d)}: show it`);
    });
    trayLabel.textContent = `${aside}: ${m.missed.length ? "" : "none. Drag a result here."}`;
    numbers.replaceChildren(...speak(state, m).map(([term, figure], i) =>
      make("div", { class: `nx-${(view.numbers[i] ?? "").replaceAll(" ", "-")}` },
        make("span", { class: "nx-term" }, term), make("span", { class: "nx-figure" }, figure))));
    sums.replaceChildren(...view.sums.map((x) => writeSum(x, m, cut)));
    if (view.pair) {
      sums.append(make("p", {}, make("b", {}, "They differ in"), ` ${m.apart}`));
      const names = Object.keys(state.dialects.of);
      speakers.forEach((select, i) => {
        if (!select.children.length) select.append(...names.map((x) => make("option", { value: x }, x)));
        select.value = state.pair[i];
      });
      [head.children[5].textContent, head.children[6].textContent] = ["adds", "in the second"];
    }
    if (view.losses) head.children[6].textContent = "lost";
    for (const [select, names, value] of [[gain, state.choices.gain, state.gain], [discount, state.choices.discount, state.discount]]) {
      if (select.children.length !== names.length) select.replaceChildren(...names.map((x) => make("option", { value: x }, x)));
      select.value = value;
    }
    cutoff.max = Math.max(state.documents.length, k ?? 0) + 1;
    cutoff.value = k ?? cutoff.max;
    cutoffText.textContent = k ?? "no cut";
    cutoff.setAttribute("aria-valuetext", String(k ?? "no cut"));
    add.disabled = state.documents.length >= Math.min(...Object.values(state.discounts).map((w) => w.length));
    if (view.curve) drawCurve(m, k);
    price.value = state.penalty;
    priceText.textContent = number(state.penalty);
    suppose.max = state.levels.length - 1;
    const supposed = [...new Set(state.documents.filter((d) => d.unjudged).map((d) => d.grade))];
    suppose.disabled = !supposed.length;
    if (supposed.length === 1) suppose.value = state.levels.indexOf(supposed[0]);
    if (view.supposed) drawBand(m);
  }

  let saying;
  function say(what = "") {
    clearTimeout(saying);
    saying = setTimeout(() => {
      const state = get();
      const m = measure(state);
      if (view.pair) compare(state, m);
      live.textContent = (what ? `${what}. ` : "") + speak(state, m).map(([term, figure]) => `${term.replace("@", " at ")} is ${figure}`).join(", ");
    }, 200);
  }

  draw();
  const events = STATE.map((trait) => `change:${trait}`);
  for (const event of events) model.on(event, draw);
  return () => {
    for (const event of events) model.off(event, draw);
    letGo();
    clearTimeout(saying);
  };
}

export default { render };
