// The front page: a list to move, and the ladder of a report. Every dot is a tool: its number is computed by its own rules, as in
// "Whose number is it?". build.py puts what is imported above these lines, in one script.
import { clamp, copyAddress, hold, make, onKey, partOfAddress, redrawWhenResized } from "./core.js";
import { ladderOf } from "./ladder.js";
import { widest } from "./orders.js";
import { CLOSE, answer, formOf } from "./tools.js";

const PILE = 8; // dots one above the other that do not touch; a higher pile is pressed together
const LANES = [3, 2]; // rows of labels above the dots, and below

function frontPage() {
  const root = document.querySelector("[data-widget=front]");
  if (!root) return;
  const { tools, rel, missed, k, titles } = JSON.parse(root.querySelector("script").textContent);
  const [list, plot, live, sum, body, back, count] = [".moving-list", ".plot", ".said[role=status]", ".sum", ".table-of tbody", "[data-do=back]"]
    .map((x) => root.querySelector(x)).concat(document.querySelector("#count"));
  const first = [...list.children].map((li, i) => ({ li, button: li.firstElementChild, grade: rel[i], title: titles[i] }));
  let order = [...first];

  // ---- What every tool says ----

  const values = (grades) => tools.map((tool) => ({ tool, value: answer(tool, { rel: grades, missed, k, scores: null, ids: null }).value }));
  // Equal numbers together, the lowest first; the best known tool, which comes first, speaks for its group.
  function grouped(grades) {
    const groups = [];
    for (const { tool, value } of values(grades)) {
      const same = groups.find((g) => Math.abs(g.value - value) <= CLOSE);
      if (same) same.tools.push(tool);
      else if (value !== undefined) groups.push({ value, tools: [tool] });
    }
    return groups.sort((a, b) => a.value - b.value);
  }

  // ---- The plot ----

  const dots = new Map(tools.map((tool) => [tool.name, plot.appendChild(make("i", { class: `dot dot-${formOf(tool)}` }))]));
  const ticks = plot.appendChild(make("div", { class: "ticks" }));
  const names = plot.appendChild(make("div", { class: "names" }));
  const labels = new Map();

  // Places for labels. Each is tried in the nearest row where neither a name nor a line is in the way, the largest groups
  // first; then in other orders, and the one that places most is kept. The same list always gives the same picture.
  function place(wanted, width) {
    const spots = [];
    LANES.forEach((n, side) => {
      for (let lane = 0; lane < n; lane += 1) for (const lean of [0.5, 0.08, 0.92, 0.25, 0.75]) spots.push({ side, lane, lean });
    });
    const cost = ({ side, lane, lean }) => lane * 2 + side + Math.abs(lean - 0.5) * 2;
    let seed = 7;
    const chance = () => { seed = (seed * 48271) % 2147483647; return seed / 2147483647; };
    let best = { missing: Infinity, cost: Infinity };
    for (let round = 0; round < 240 && (round < 24 || best.missing); round += 1) {
      const rows = LANES.map((n) => Array.from({ length: n }, () => []));
      const free = (row, from, to) => row.every(([a, b]) => to <= a || from >= b);
      const queue = wanted.map((one, i) => ({ one, at: round ? i + chance() * 9 : i })).sort((a, b) => a.at - b.at);
      const found = new Map();
      let [missing, sum] = [0, 0];
      for (const { one } of queue) {
        const tries = spots.map((spot) => ({ ...spot, cost: cost(spot) + (round ? chance() * (round % 2 ? 3 : 9) : 0) })).sort((a, b) => a.cost - b.cost);
        const fits = tries.find((spot) => {
          spot.left = clamp(one.x - one.wide * spot.lean, 0, Math.max(0, width - one.wide));
          const clear = free(rows[spot.side][spot.lane], spot.left - 9, spot.left + one.wide + 9);
          return clear && rows[spot.side].slice(0, spot.lane).every((row) => free(row, one.x - 5, one.x + 5));
        });
        if (!fits) { missing += one.size; continue; }
        rows[fits.side][fits.lane].push([fits.left - 9, fits.left + one.wide + 9]);
        for (const row of rows[fits.side].slice(0, fits.lane)) row.push([one.x - 5, one.x + 5]);
        found.set(one, fits);
        sum += cost(fits);
      }
      if (missing < best.missing || (missing === best.missing && sum < best.cost)) best = { missing, cost: sum, found };
    }
    for (const one of wanted) Object.assign(one, { row: null }, best.found.get(one), best.found.has(one) ? { row: best.found.get(one).lane } : {});
  }

  function draw(quick = false) {
    const groups = grouped(order.map((x) => x.grade));
    const width = plot.clientWidth;
    if (!width) return;
    plot.classList.toggle("quick", quick);
    const [least, most] = [groups[0].value, groups.at(-1).value];
    const low = Math.max(0, Math.floor((least - 0.015) * 10) / 10);
    const high = Math.min(1, Math.ceil((most + 0.005) * 20) / 20);
    const edge = Math.min(34, width * 0.05);
    const x = (value) => edge + ((width - 2 * edge) * (value - low)) / (high - low);
    const size = parseFloat(getComputedStyle(plot).getPropertyValue("--dot"));

    // Piles that would overlap stand side by side.
    groups.forEach((g) => { g.x = x(g.value); });
    for (let round = 0; round < 40; round += 1) {
      for (let i = 1; i < groups.length; i += 1) {
        const short = size + 1 - (groups[i].x - groups[i - 1].x);
        if (short > 0) { groups[i].x += short / 2; groups[i - 1].x -= short / 2; }
      }
    }
    for (const dot of dots.values()) dot.hidden = true;
    for (const g of groups) {
      g.tools.forEach((tool, i) => {
        const dot = dots.get(tool.name);
        dot.hidden = false;
        dot.style.setProperty("--x", `${g.x}px`);
        dot.style.setProperty("--up", g.tools.length > PILE ? (i * (PILE - 1)) / (g.tools.length - 1) : i);
      });
    }
    const step = high - low > 0.45 ? 0.1 : 0.05;
    ticks.replaceChildren(...Array.from({ length: Math.round((high - low) / step) + 1 }, (_, i) => low + i * step).map((at) => make("span", { style: `left: ${x(at)}px` }, at.toFixed(2).replace(/0$/, ""))));

    // A label for each pile: the best known of its tools, its number, and how many more there are.
    const wanted = groups.map((g) => {
      const key = g.tools[0].name;
      const label = labels.get(key) ?? names.appendChild(make("span", { class: "name" }));
      labels.set(key, label);
      label.hidden = false; // or it has no width
      const more = g.tools.length > 1 ? ` +${g.tools.length - 1}` : "";
      label.replaceChildren(make("b", {}, g.value.toFixed(3)), make("span", {}, g.tools[0].short), make("i", {}, more));
      label.title = g.tools.map((t) => t.title).join(", ");
      return { key, label, x: g.x, size: g.tools.length };
    }).sort((a, b) => b.size - a.size);
    for (const one of wanted) one.wide = one.label.offsetWidth; // all at once: the page is laid out once
    place(wanted, width);
    for (const one of wanted) {
      one.label.hidden = one.row === null;
      if (one.row === null) continue;
      one.label.className = `name ${one.side ? "below" : "above"}`;
      one.label.style.setProperty("--left", `${one.left}px`);
      one.label.style.setProperty("--lane", one.row);
      one.label.style.setProperty("--to", `${one.x - one.left}px`);
      one.label.style.setProperty("--pile", one.side ? 0 : Math.min(one.size, PILE));
    }
    for (const [key, label] of labels) if (!wanted.some((w) => w.key === key)) { label.remove(); labels.delete(key); }

    const numbers = [...groups].reverse();
    count.textContent = String(groups.length);
    sum.textContent = `${least.toFixed(3)} to ${most.toFixed(3)}`;
    body.replaceChildren(...numbers.map((g) => make("tr", {}, make("td", {}, g.value.toFixed(3)), make("td", {}, g.tools.map((t) => t.title).join(", ")))));
    back.disabled = order.every((one, i) => one === first[i]);
  }

  // ---- The list ----

  let timer;
  const tell = (what) => {
    clearTimeout(timer);
    timer = setTimeout(() => { live.textContent = `${what}: ${count.textContent} numbers, ${sum.textContent}.`; }, 500);
  };
  const isStill = matchMedia("(prefers-reduced-motion: reduce)");
  // Results go to their new places, and are seen to go there.
  function show(what, held) {
    const before = new Map(order.map((one) => [one, one.li.getBoundingClientRect()]));
    if (held) { // the others move around it: it keeps the focus, and the finger
      const at = order.indexOf(held);
      for (const one of order.slice(0, at)) list.insertBefore(one.li, held.li);
      for (const one of order.slice(at + 1)) list.append(one.li);
    } else list.append(...order.map((one) => one.li));
    order.forEach((one, i) => {
      one.button.querySelector(".rank").textContent = String(i + 1);
      const [a, b] = [before.get(one), one.li.getBoundingClientRect()];
      if (isStill.matches || (a.left === b.left && a.top === b.top)) return;
      one.li.animate([{ transform: `translate(${a.left - b.left}px, ${a.top - b.top}px)` }, { transform: "none" }], { duration: 180, easing: "ease-out" });
    });
    shared.textContent = "";
    draw();
    tell(what);
  }
  function move(one, to) {
    const [from, at] = [order.indexOf(one), clamp(to, 0, order.length - 1)];
    if (at === from) return;
    order = order.toSpliced(from, 1).toSpliced(at, 0, one);
    show(`Grade ${one.grade} at rank ${at + 1}`, one);
    one.button.focus({ preventScroll: true });
  }
  for (const one of first) {
    one.button.addEventListener("keydown", (event) => {
      const at = order.indexOf(one);
      onKey(event, { ArrowLeft: at - 1, ArrowUp: at - 1, ArrowRight: at + 1, ArrowDown: at + 1, Home: 0, End: Infinity }, (to) => move(one, to));
    });
    one.button.addEventListener("pointerdown", (event) => {
      if (event.button) return;
      event.preventDefault();
      one.button.focus({ preventScroll: true });
      if (event.target.hasPointerCapture?.(event.pointerId)) event.target.releasePointerCapture(event.pointerId);
      const start = order;
      const spots = order.map((x) => x.li.getBoundingClientRect()); // places do not move while results do
      const middle = ({ left, top, width, height }) => [left + width / 2, top + height / 2];
      const nearest = (px, py) => spots.map(middle).reduce((best, [mx, my], i) => { const far = Math.hypot(px - mx, py - my); return far < best.far ? { i, far } : best; }, { i: 0, far: Infinity }).i;
      hold([[root, "moves"], [one.li, "held"]], ({ clientX, clientY }) => move(one, nearest(clientX, clientY)), () => { order = start; show("As it was", one); });
    });
  }
  root.querySelector("[data-do=widest]").addEventListener("click", () => {
    const question = { rel: order.map((x) => x.grade), missed, k, scores: null, ids: null, value: null };
    const left = [...order];
    order = widest(tools, question).rel.map((grade) => left.splice(left.findIndex((x) => x.grade === grade), 1)[0]);
    show("The order with the widest disagreement");
  });
  back.addEventListener("click", () => { order = [...first]; show("As it was"); });

  // ---- The order in the address: #order=3,1,2,4,5,6 has the third result first ----

  const shared = root.querySelector(".shared");
  root.querySelector("[data-do=link]").addEventListener("click", () => {
    copyAddress("order=", `order=${order.map((one) => first.indexOf(one) + 1)}`).then((text) => { shared.textContent = text; });
  });
  const open = () => {
    const part = partOfAddress(location.hash, "order=");
    if (part === null) return;
    const wanted = part.split(",").map((x) => first[x - 1]);
    const isOrder = wanted.length === first.length && first.every((one) => wanted.includes(one));
    if (isOrder) { order = wanted; show("As in the link"); }
    shared.textContent = isOrder ? "This order came with the link." : `The link cannot be shown: it must have each number from 1 to ${first.length} once.`;
  };
  addEventListener("hashchange", open);
  open();
  root.classList.add("alive");
  draw(true);
  redrawWhenResized(plot, () => plot.clientWidth, () => draw(true));
  document.fonts?.ready.then(() => draw(true));
  // Paper is narrower than the screen: the plot is drawn for it, and again afterwards.
  addEventListener("beforeprint", () => { plot.style.width = "620px"; draw(true); });
  addEventListener("afterprint", () => { plot.style.width = ""; draw(true); });
}

// The example report's ladder, by the report's own script; where no script runs, its table stands.
function drawLadder() {
  const card = document.querySelector(".nr-ladder");
  if (!card) return;
  const { systems, view } = JSON.parse(card.querySelector("script").textContent);
  const { columns, drawn, draw } = ladderOf({ systems, views: [view] });
  card.style.setProperty("--brackets", columns);
  draw(view);
  card.querySelector("table").replaceWith(...drawn);
}

frontPage();
drawLadder();
