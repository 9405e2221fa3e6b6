// How search results are ordered. Sphinx gives a page 5 to 16 points, or 100 for a word that the page is found by;
// RANKS, which build.py puts in, adds what the kind of page is worth: pages of use first, pages about the code last.
const RANKS = {};
var Scorer = {
  score: ([page, , , , score]) => score + (RANKS[page] ?? RANKS[page.split("/")[0]] ?? 0),
  objNameMatch: 11,
  objPartialMatch: 6,
  objPrio: { 0: 15, 1: 5, 2: -5 },
  objPrioDefault: 0,
  title: 15,
  partialTitle: 7,
  term: 5,
  partialTerm: 2,
};
