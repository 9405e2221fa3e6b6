// A table with code that is wider than a phone is told row by row: each cell below the head of its column. So is one
// whose columns would be so narrow that a cell has a word or two a line.
const TALL = 150;
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

// What scrolls sideways can be reached, and moved, by keys.
addEventListener("load", () => {
  for (const box of document.querySelectorAll("pre:not(.checks pre), .table-wrapper, .cell_output, div.math")) if (box.scrollWidth > box.clientWidth) box.tabIndex = 0;
});

// Paper cannot be clicked: what opens is open on it, except the checks and what a widget folds, and is as it was afterwards.
addEventListener("beforeprint", () => {
  for (const closed of document.querySelectorAll("article details:not([open], .checks, .nx-static *)")) {
    closed.open = true;
    addEventListener("afterprint", () => { closed.open = false; }, { once: true });
  }
});

// Hosts the widgets of a page, by `bring` of ndcg_nb/static/host.js, which is put above these lines.
// A list can be posted: its state is in the address, after #list=, and nowhere else.
addEventListener("DOMContentLoaded", async () => {
  const hosts = document.querySelectorAll(".nx-static");
  if (!hosts.length) return;
  const modules = MODULES;
  const loaded = {};
  const load = (name) => (loaded[name] ??= import(URL.createObjectURL(new Blob([modules[name]], { type: "text/javascript" }))));
  const lists = []; // those whose state can be in the address
  await bring(hosts, load, (host, model, state) => {
    if (host.dataset.widget !== "explore") return;
    const list = { host, model, own: { ...state }, index: lists.length };
    model.share = () => share(list);
    lists.push(list);
  });

  // 3:1,1:2u/7:3 is D3 with grade 1 above D1 with a supposed 2, and D7 aside. Of the rest, only what is not the page's own is written.
  const CHOICES = ["gain", "discount"];
  const title = (own, name) => own.documents.find((d) => d.name === name)?.title ?? "";
  const OWN = /^(list|k|w|gain|discount|penalty|pair|t\d+)=/;
  const others = () => location.hash.slice(1).split("&").filter((x) => x.includes("=") && !OWN.test(x)); // what other widgets have there
  const write = ({ model, own, index }) => {
    const documents = model.get("documents");
    const one = (d) => `${d.name.slice(1)}:${d.grade}${d.unjudged ? "u" : ""}`;
    const some = (isShown) => documents.filter((d) => d.shown === isShown).map(one).join(",");
    const parts = [`list=${some(true)}/${some(false)}`, `k=${model.get("k") ?? "none"}`];
    if (index) parts.push(`w=${index}`);
    for (const name of [...CHOICES, "penalty"]) if (model.get(name) !== own[name]) parts.push(`${name}=${encodeURIComponent(model.get(name))}`);
    if (own.view === "dialects") parts.push(`pair=${model.get("pair").join(",")}`);
    for (const d of documents) if ((d.title ?? "") !== title(own, d.name)) parts.push(`t${d.name.slice(1)}=${encodeURIComponent(d.title ?? "")}`);
    return `#${[...parts, ...others()].join("&")}`;
  };

  /** What an address says of a list, checked; whatever is wrong with it is thrown, in words. */
  const read = (given, own) => {
    const must = (ok, why) => { if (!ok) throw new Error(why); };
    must(given.list.split("/").length === 2 && given.k, "it is cut short");
    const [shown, aside] = given.list.split("/");
    const documents = [shown, aside].flatMap((text, i) => text.split(",").filter(Boolean).map((token) => {
      const [, n, grade, supposed] = /^(\d{1,5}):(-?[\d.]+(?:e-?\d+)?)(u?)$/.exec(token) ?? [];
      must(n, `“${token.slice(0, 20)}” is no document with a grade`);
      must(own.levels.includes(Number(grade)), `there is no grade ${grade.slice(0, 20)} here`);
      must(!supposed || own.view === "unjudged", "every result here is judged");
      const called = (given[`t${n}`] ?? title(own, `D${n}`)).slice(0, 120);
      return { name: `D${n}`, grade: Number(grade), shown: i === 0, ...(supposed && { unjudged: true }), ...(called && { title: called }) };
    }));
    must(new Set(documents.map((d) => d.name)).size === documents.length, "a document is in it twice");
    must(documents.length <= Math.min(...Object.values(own.discounts).map((w) => w.length)), "it has too many documents");
    must(own.view !== "penalties" || documents.every((d) => d.shown), "nothing can be aside here");
    const changes = { documents, k: given.k === "none" ? null : Number(given.k) };
    must(changes.k === null || (Number.isInteger(changes.k) && changes.k > 0 && changes.k < 1e6), `k cannot be ${given.k.slice(0, 20)}`);
    for (const name of CHOICES) {
      changes[name] = given[name] ?? own[name];
      must(own.choices[name].includes(changes[name]), `there is no ${name} “${changes[name].slice(0, 20)}” here`);
    }
    changes.penalty = Number(given.penalty ?? own.penalty);
    must(changes.penalty >= 0 && changes.penalty <= 1000, "the price is none");
    changes.pair = given.pair?.split(",") ?? own.pair;
    must(changes.pair.length === 2 && changes.pair.every((x) => Object.hasOwn(own.dialects.of ?? {}, x) || own.pair.includes(x)), "one of its tools is not known");
    return changes;
  };

  async function share(list) {
    const hash = write(list);
    history.replaceState(null, "", hash);
    const copied = await Promise.resolve(navigator.clipboard?.writeText(location.href.replace(/#.*/, hash))).then(() => navigator.clipboard, () => null);
    list.model.set("note", copied ? "The link is copied: it opens this page with this list." : "The link is in the address bar: it opens this page with this list.");
  }

  function open() {
    const given = Object.fromEntries(new URLSearchParams(location.hash.slice(1)));
    if (given.list === undefined) return; // an anchor of the page, another widget's, or nothing
    const list = lists[Number(given.w ?? 0)] ?? lists[0];
    if (!list) return;
    try {
      if (list.index !== Number(given.w ?? 0)) throw new Error("there is no such list on this page");
      list.model.opening = true;
      for (const [name, value] of Object.entries(read(given, list.own))) list.model.set(name, value);
      list.model.set("note", "This list came with the link. Reset brings back the page’s own.");
    } catch (error) {
      list.model.set("note", `The link holds no list that can be shown here: ${error.message}.`);
    }
    list.model.opening = false;
    list.host.scrollIntoView({ block: list.host.offsetHeight < innerHeight ? "center" : "start" });
  }
  document.querySelector(":target")?.scrollIntoView(); // the page has grown since the browser went there
  open();
  addEventListener("hashchange", open);
});
