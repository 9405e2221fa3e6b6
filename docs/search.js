// Search: ranks the sections that search.py has collected, while one types. All of it is here; nothing is fetched.
// A section counts for how rare the words are that it has, and for how near its title, and what it is called, come.
const search = (() => {
  const [CALLED, TITLE, PAGE, CODE] = [16, 7, 4, 0.3];
  const stemmer = new Stemmer();
  const stems = new Map();
  const stem = (word) => stems.get(word) ?? stems.set(word, stemmer.stemWord(word)).get(word);
  const split = /[\p{L}\p{N}_]+/gu;
  const terms = (text) => (text.toLowerCase().match(split) ?? []).filter((word) => !stopwords.has(word)).map(stem);
  const pages = new Map();
  const sections = [];
  const found = new Map(); // term: how many sections have it

  const add = ([called, all]) => {
    for (const [page, [title, worth]] of Object.entries(called)) pages.set(page, { title, worth, name: new Set(terms(title)), terms: new Set() });
    for (const [page, to, title, text, code, names] of all) {
      const counts = new Map();
      const own = terms(text);
      for (const term of own) counts.set(term, (counts.get(term) ?? 0) + 1);
      const section = { page, to, title, text, counts, size: own.length, name: new Set(terms(title)), code: new Set(terms(code)) };
      section.called = names ? names.split("\n").map((name) => new Set(terms(name))) : [];
      section.terms = new Set([...counts.keys(), ...section.name, ...section.code, ...section.called.flatMap((name) => [...name])]);
      for (const term of section.terms) {
        pages.get(page).terms.add(term);
        found.set(term, (found.get(term) ?? 0) + 1);
      }
      sections.push(section);
    }
  };

  /** Each word of a query as the terms that it may be: one that is not known is the beginning of others. */
  const asked = (query) => [...new Set(terms(query))].map((term) => {
    if (found.has(term)) return [term];
    return [...found.keys()].filter((other) => other.startsWith(term) || (other.length > 4 && term.startsWith(other)));
  });
  const inAny = (set) => (word) => word.some((term) => set.has(term));
  const nearness = (words, name) => words.filter(inAny(name)).length ** 2 / (words.length * name.size || 1);

  const score = (words, section) => {
    const page = pages.get(section.page);
    const length = 0.5 + section.size / 200;
    let sum = 0;
    for (const word of words) {
      const count = word.reduce((total, term) => total + (section.counts.get(term) ?? 0), 0);
      const rarity = Math.log(1 + sections.length / Math.max(1, ...word.map((term) => found.get(term))));
      sum += rarity * (count / (count + length) + CODE * inAny(section.code)(word));
    }
    sum *= words.filter((word) => inAny(section.terms)(word) || inAny(page.name)(word)).length / words.length;
    sum += CALLED * Math.max(0, ...section.called.map((name) => nearness(words, name) ** 2));
    return page.worth * (sum + TITLE * nearness(words, section.name) + PAGE * nearness(words, page.name));
  };

  /** The best section of each page that has every word; if there are few, of those that lack one, too. */
  const find = (query, withHood) => {
    const words = asked(query);
    const open = [...pages.keys()].filter((page) => withHood || !page.startsWith("hood/"));
    const having = (many) => open.filter((page) => words.filter(inAny(pages.get(page).terms)).length >= many);
    let chosen = words.length ? having(words.length) : [];
    if (chosen.length < 3 && words.length > 1) chosen = having(words.length - 1);
    const best = new Map(chosen.map((page) => [page, { score: 0 }]));
    for (const section of sections) {
      const now = best.get(section.page);
      const own = now ? score(words, section) : 0;
      if (now && own > now.score) best.set(section.page, { ...section, score: own });
    }
    return { words, results: [...best.values()].filter((result) => result.page).sort((a, b) => b.score - a.score) };
  };

  /** What a section is called, and a line of it around the first word that was asked for. */
  const item = ({ page, to, title, text }, words) => {
    const make = (tag, ...inside) => { const element = document.createElement(tag); element.append(...inside); return element; };
    const isAsked = (word) => words.flat().includes(stem(word.toLowerCase()));
    const first = [...text.matchAll(split)].find(([word]) => isAsked(word))?.index ?? 0;
    const start = Math.max(0, text.lastIndexOf(" ", first - 70)) * (first > 70);
    const line = text.slice(start).match(/^.{0,220}(?!\S)|^.*/u)[0];
    const shown = line.split(/([\p{L}\p{N}_]+)/u).map((word) => (isAsked(word) ? make("mark", word) : word));
    const link = Object.assign(make("a", title), { href: `${page}.html${to && `#${to}`}` });
    const where = pages.get(page).title === title ? [] : [make("span", pages.get(page).title)];
    return make("li", link, ...where, make("p", start ? "…" : "", ...shown, start + line.length < text.length ? " …" : ""));
  };

  return Object.assign(add, { find, item });
})();

addEventListener("DOMContentLoaded", () => {
  const form = document.querySelector("#search");
  const { q, hood } = form.elements;
  const [status, list, none] = ["status", "results", "none"].map((name) => document.querySelector(`#search-${name}`));
  const given = new URLSearchParams(location.search);
  const MOST = 30;

  const show = () => {
    const query = q.value.trim();
    const { words, results } = search.find(query, hood.checked);
    const many = results.length === 1 ? "1 page" : `${results.length} pages`;
    status.textContent = !query ? "" : results.length > MOST ? `The first ${MOST} of ${many}` : results.length ? many : `Nothing is found for “${query}”.`;
    list.replaceChildren(...results.slice(0, MOST).map((result) => search.item(result, words)));
    none.hidden = !query || results.length > 0;
  };
  const ask = () => {
    const state = new URLSearchParams({ q: q.value, ...(hood.checked && { hood: 1 }) });
    try { history.replaceState(null, "", `?${state}`); } catch { /* a page from a file keeps its address */ }
    if (!hood.checked || hood.dataset.loaded) return show();
    const script = document.createElement("script");
    script.src = hood.dataset.loaded = hood.value;
    script.addEventListener("load", show);
    document.head.append(script);
  };
  let waiting;
  q.addEventListener("input", () => { clearTimeout(waiting); waiting = setTimeout(ask, 100); });
  hood.addEventListener("change", ask);
  form.addEventListener("submit", (event) => { event.preventDefault(); ask(); });
  q.value = given.get("q") ?? "";
  hood.checked = given.has("hood");
  if (q.value) ask();
  else q.focus();
});
