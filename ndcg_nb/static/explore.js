// A ranking one can move. Python sends grades, gains and discounts; this file only orders, multiplies and adds.
// It is a plain ES module in the form anywidget hosts, and needs nothing but a model with get, set, on and save_changes.

/** Everything a view shows, from the state alone. Sums run from rank 1 downwards, as they do in Python. */
export function measure({ documents, levels, gains, discounts, gain, discount, k }) {
  const worth = (d) => gains[gain][levels.indexOf(d.grade)];
  const weights = discounts[discount];
  const rows = (docs) => {
    const sums = { gain: 0, part: 0 };
    return docs.map((d, i) => {
      const row = { ...d, gain: worth(d), weight: weights[i], part: worth(d) * weights[i] };
      sums.gain += row.gain;
      sums.part += row.part;
      return { ...row, sums: { ...sums } };
    });
  };
  const shown = rows(documents.filter((d) => d.shown));
  const ideal = rows([...documents].sort((a, b) => worth(b) - worth(a)));
  const upTo = (list, field, cut) => list[Math.min(cut, list.length) - 1]?.sums[field] ?? 0;
  const quotient = (cut) => {
    const best = upTo(ideal, "part", cut);
    return best > 0 ? Math.min(upTo(shown, "part", cut), best) / best : NaN;
  };
  const cut = k ?? Infinity;
  return {
    shown,
    ideal,
    missed: documents.filter((d) => !d.shown),
    CG: upTo(shown, "gain", cut),
    DCG: upTo(shown, "part", cut),
    IDCG: upTo(ideal, "part", cut),
    nDCG: quotient(cut),
    curve: documents.map((_, i) => quotient(i + 1)),
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
};

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

const STATE = ["documents", "levels", "gains", "discounts", "choices", "gain", "discount", "k"];

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
    const added = { name: `D${n}`, grade: model.get("levels")[Math.min(1, model.get("levels").length - 1)], shown: true };
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
        return `${doc().name} has grade ${doc().grade}`;
      }),
      ideal: make("i", { class: "nx-ideal" }),
      part: make("i", { class: "nx-part" }),
      value: make("span", { class: "nx-value" }),
      run: make("span", { class: "nx-run" }),
      up: press("↑", () => act((x) => move(x, i - 1), i - 1, "up")),
      down: press("↓", () => act((x) => move(x, i + 1), i + 1, "down")),
      out: press("×", () => act(takeOut, i, "out")),
    };
    p.row.append(p.grip, p.rank, p.name, p.grade, make("span", { class: "nx-bars", "aria-hidden": "true" }, p.ideal, p.part),
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
      say(what ?? `${doc().name} has grade ${doc().grade}`);
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
  const tray = make("div", { class: "nx-tray", role: "group", "aria-label": "Judged, but not shown" }, trayLabel);
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
  const controls = make("div", { class: "nx-controls" }, make("label", {}, "gain", gain));
  if (view.discount) controls.append(make("label", {}, "discount", discount));
  controls.append(make("label", {}, "k", cutoff, cutoffText));
  // Keys pressed in here are for this widget, not for the notebook around it.
  const root = make("div", { class: "nx", "data-lm-suppress-shortcuts": "true", role: "group", "aria-label": "A ranking to explore" },
    make("p", { class: "nx-hint" }, view.hint), controls, head, list, add);
  root.addEventListener("keydown", (event) => event.stopPropagation());
  if (view.tray) root.append(tray);
  root.append(numbers, sums);
  if (view.curve) root.append(curve);
  root.append(live);
  el.append(root);

  function drawPlace(p, d, i, m, most, cut) {
    const width = (x) => `${(100 * Math.max(0, x)) / most}%`;
    const best = view.ideal && i < cut ? m.ideal[i] : undefined;
    p.ideal.style.width = width(best?.part ?? 0);
    p.row.toggleAttribute("aria-hidden", !d);
    if (d) p.row.tabIndex = 0; else p.row.removeAttribute("tabindex");
    const sum = (r) => number(r.sums[view.bar]);
    if (!d) { // a rank where the ideal has a document, and the list has none
      p.row.className = "nx-row nx-ghost";
      p.part.style.width = 0;
      p.run.textContent = `${number(m[view.bar === "part" ? "DCG" : "CG"])} / ${sum(best)}`;
      return;
    }
    p.run.textContent = i >= cut ? "" : best ? `${sum(d)} / ${sum(best)}` : sum(d);
    p.row.className = `nx-row${i >= cut ? " nx-cut" : ""}${dragged?.moved && dragged.name === d.name ? " nx-held" : ""}`;
    p.row.setAttribute("aria-label", `Rank ${i + 1}: ${d.name}, grade ${d.grade}, adds ${i < cut ? number(d[view.bar]) : 0}`);
    p.name.textContent = d.name;
    p.grade.textContent = String(d.grade);
    p.value.textContent = number(d[view.bar]);
    p.part.style.width = width(d[view.bar]);
    p.up.disabled = i === 0;
    p.down.disabled = i === m.shown.length - 1;
    name(p.grade, `${d.name} has grade ${d.grade}: change it`);
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

  function writeSum(measure, m, cut) {
    if (measure === "nDCG") return make("p", {}, make("b", {}, measure), ` = ${number(m.DCG)} / ${number(m.IDCG)} = `, make("b", {}, number(m.nDCG)));
    const rows = (measure === "IDCG" ? m.ideal : m.shown).slice(0, cut);
    const terms = rows.map((r) => (measure === "CG" ? number(r.gain) : `${number(r.gain)} × ${number(r.weight)}`));
    return make("p", {}, make("b", {}, measure), ` = ${terms.join(" + ") || "0"} = `, make("b", {}, number(m[measure])));
  }

  function draw() {
    const state = get();
    const m = measure(state);
    const k = state.k ?? null;
    const cut = k ?? Infinity;
    const most = Math.max(1e-12, ...state.gains[state.gain]);
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
      if (d) chip.replaceChildren(`${d.name} `, make("b", {}, String(d.grade)));
      if (d) name(chip, `${d.name}, grade ${d.grade}: show it`);
    });
    trayLabel.textContent = m.missed.length ? "Judged, not shown:" : "Judged, not shown: none. Drag a result here.";
    numbers.replaceChildren(...view.numbers.map((x) =>
      make("div", { class: `nx-${x}` }, make("span", { class: "nx-term" }, k === null ? x : `${x}@${k}`),
        make("span", { class: "nx-figure" }, number(m[x])))));
    sums.replaceChildren(...view.sums.map((x) => writeSum(x, m, cut)));
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
  }

  let saying;
  function say(what = "") {
    clearTimeout(saying);
    saying = setTimeout(() => {
      const state = get();
      const m = measure(state);
      live.textContent = (what ? `${what}. ` : "") + view.numbers.map((x) => `${x}${state.k ? ` at ${state.k}` : ""} is ${number(m[x])}`).join(", ");
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
