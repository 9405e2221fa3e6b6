// A table with code that is wider than a phone is told row by row: each cell below the head of its column. So is one
// whose columns would be so narrow that a cell has a word or two a line.
const TALL = 140; // six lines
const phone = matchMedia("(max-width: 46em)");
function stack() {
  for (const box of document.querySelectorAll("article .table-wrapper")) {
    box.classList.remove("stacked");
    const isCut = box.scrollWidth > box.clientWidth;
    const heads = [...box.querySelectorAll("thead tr > *")].map((head) => head.innerText.trim());
    const isCrowded = heads.length > 2 && [...box.querySelectorAll("tbody tr")].some((row) => row.offsetHeight > TALL);
    if (!phone.matches || !((isCut && box.querySelector("td code")) || isCrowded)) continue;
    for (const row of box.querySelectorAll("tbody tr")) {
      [...row.children].forEach((cell, column) => {
        const isBlank = !cell.innerText.trim(); // what a row shares with the one above it
        cell.classList.toggle("blank", isBlank);
        cell.dataset.head = !isBlank && heads.length > 2 ? heads[column] : "";
      });
    }
    box.classList.add("stacked");
  }
}

// A table that is longer than a screen or two has a box that filters its rows.
const MANY = 40; // rows
for (const table of document.querySelectorAll("article .table-wrapper > table")) {
  const rows = [...table.tBodies[0].rows];
  if (rows.length < MANY) continue;
  const bar = document.createElement("div"), input = document.createElement("input"), count = document.createElement("output");
  bar.className = "filter";
  Object.assign(input, { type: "search", placeholder: "filter", ariaLabel: "Filter the rows of the table" });
  const filter = () => {
    const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
    for (const row of rows) row.hidden = !words.every((word) => row.textContent.toLowerCase().includes(word));
    const left = rows.filter((row) => !row.hidden).length;
    count.textContent = left ? `${left} of ${rows.length}` : "nothing has that";
  };
  input.addEventListener("input", filter);
  bar.append(input, count);
  table.parentElement.before(bar);
  filter();
}

// A table of an output that is wider than a phone is set closer, and scrolls only if that is not enough.
function tighten() {
  for (const table of document.querySelectorAll("article .cell_output table")) {
    table.classList.remove("tight");
    const room = table.closest(".cell_output").clientWidth;
    if (phone.matches && table.offsetWidth > room) table.classList.add("tight");
  }
}
for (const fit of [stack, tighten]) {
  phone.addEventListener("change", fit);
  addEventListener("load", fit);
}

// What scrolls sideways can be reached, and moved, by keys; a window may be made narrower, and what is folded opened.
addEventListener("load", () => {
  const reached = new ResizeObserver((seen) => {
    for (const { target: box } of seen) {
      if (box.scrollWidth > box.clientWidth) box.tabIndex = 0;
      else box.removeAttribute("tabindex");
    }
  });
  for (const box of document.querySelectorAll("pre:not(.checks pre), .table-wrapper, .cell_output, div.math")) reached.observe(box);
});

// Paper cannot be clicked: what opens is open on it, except the checks and what a widget folds, and is as it was afterwards.
addEventListener("beforeprint", () => {
  for (const closed of document.querySelectorAll("article details:not([open], .checks, .nx-static *)")) {
    closed.open = true;
    addEventListener("afterprint", () => { closed.open = false; }, { once: true });
  }
});

// Hosts the widgets of a page, by `bring` of ndcg_nb/static/host.js, which is put above these lines.
// The state of a widget is in the address, after its name, and nowhere else: #noise=queries=200, and #noise2=… for a second one.
addEventListener("DOMContentLoaded", async () => {
  const hosts = document.querySelectorAll(".nx-static");
  if (!hosts.length) return;
  const modules = MODULES;
  const loaded = {};
  const load = (name) => (loaded[name] ??= import(URL.createObjectURL(new Blob([modules[name]], { type: "text/javascript" }))));
  const shared = {}; // what opens a part of an address, by its key
  await bring(hosts, load, (name, { share }, widget) => {
    if (!share) return;
    let key = name;
    for (let n = 2; shared[key]; n += 1) key = `${name}${n}`;
    shared[key] = share({ key, ...widget });
  });

  // A list had its pieces side by side, after #list=, until 0.15: such links open, too.
  const OLD = /^(list|k|w|gain|discount|penalty|pair|t\d+)=/;
  function parts() {
    const all = location.hash.slice(1).split("&");
    if (!all.some((x) => x.startsWith("list="))) return all;
    const n = Number(all.find((x) => x.startsWith("w="))?.slice(2) ?? 0);
    return [...all.filter((x) => !OLD.test(x)), `explore${n ? n + 1 : ""}=${all.filter((x) => OLD.test(x) && !x.startsWith("w=")).join(";")}`];
  }
  function open() {
    for (const part of parts()) {
      const [, name, n, text] = /^([a-z]+)(\d*)=(.*)$/.exec(part) ?? [];
      if (shared[name + n]) shared[name + n].open(text);
      else shared[name]?.say(`The link cannot be shown: this page has no ${name} number ${n}.`);
    }
  }
  document.querySelector(":target")?.scrollIntoView(); // the page has grown since the browser went there
  open();
  addEventListener("hashchange", open);
});
