// What a tool says of one list: gains, weights, ties and scores by its settings, which Python sends.
// A setting that is not in the tables below is refused by name: then the tool is computed in Python only.
import { IDEALS, add, falling, idealIsTheList, make, minus, ndcg } from "./core.js";

class Refusal extends Error {}
const refuse = (text) => { throw new Refusal(text); };
export const nth = (i) => `${i + 1}${i % 100 > 9 && i % 100 < 13 ? "th" : ["st", "nd", "rd"][i % 10] ?? "th"}`;

const GAINS = {
  linear: (g) => g,
  exp: (g) => (Number.isInteger(g) ? 2 ** g - 1 : Math.expm1(g * Math.LN2)), // near 0, 2^g − 1 would lose its digits
  binary: (g) => (g > 0 ? 1 : 0),
};
const plain = (form) => (form === "positive" ? "linear" : form.replace("positive-", "")); // "positive" counts a grade below 0 as 0
const log = (x, base) => (base === 2 ? Math.log2(x) : Math.log(x) / Math.log(base));
const WEIGHTS = {
  log2: (rank) => 1 / Math.log2(rank + 1),
  log: (rank, base) => 1 / log(rank + 1, base),
  jk: (rank, base) => 1 / log(Math.max(rank, base), base),
  zipf: (rank) => 1 / rank,
  power: (rank, beta) => rank ** -beta,
};
const rising = (a, b) => a - b;
const byCodePoint = (a, b) => { // as Python orders strings
  const [x, y] = [[...a], [...b]];
  const i = x.findIndex((c, j) => c !== y[j]);
  return i < 0 ? x.length - y.length : rising(x[i].codePointAt(0), y[i]?.codePointAt(0) ?? -1);
};
const TIES = { // what is done before the sort, which leaves equal scores as they are
  average: (results) => results,
  first: (results) => results,
  last: (results) => results.reverse(),
  best: (results) => results.sort((a, b) => falling(a.gain, b.gain)),
  worst: (results) => results.sort((a, b) => rising(a.gain, b.gain)),
  id: (results) => results.sort((a, b) => -byCodePoint(a.id ?? "", b.id ?? "")),
  "lowest-id": (results) => results.sort((a, b) => byCodePoint(a.id ?? "", b.id ?? "")),
};
export const tiesById = ({ ties }) => ties === "id" || ties === "lowest-id";
const DEEPEST = 1e6; // an ideal that fills every rank adds up that many weights
const LARGEST_SINGLE = (2 - 2 ** -23) * 2 ** 127;

// Why a tool has no number at this cutoff, whatever the list: nothing, where it may have one.
export function cannotAnswer({ gain, discount, ideal, ties }, cut) {
  const known = { gain: plain(gain.form) in GAINS, discount: discount[0] in WEIGHTS, ideal: IDEALS.includes(ideal), ties: ties in TIES };
  const unknown = Object.keys(known).find((setting) => !known[setting]);
  if (unknown) return `is computed in Python only: this page does not know its ${unknown}`;
  return ideal === "full" && cut > DEEPEST ? `needs a cutoff k of at most ${DEEPEST.toLocaleString("en")}` : "";
}

// What each rank weighs.
export const weightsOf = ({ discount: [form, parameter] }, count) => Array.from({ length: count }, (_, i) => WEIGHTS[form](i + 1, parameter));

// A score as a tool holds it: perhaps in 32 bits, and −inf as no more than the lowest score.
export function scoreIn({ precision, minus_inf: lowest }, score) {
  const single = Math.fround(score);
  const held = precision === "float64" ? score : single === -Infinity && score > -Infinity ? -LARGEST_SINGLE : single;
  return lowest === "out" ? held : Math.max(held, -Number.MAX_VALUE);
}

// What a grade is worth.
export const gainOf = ({ form }, grade) => GAINS[plain(form)](form.startsWith("positive") ? Math.max(grade, 0) : grade);

// Why a tool cannot take a grade; nothing, where it can.
export function badGrade(gain, grade) {
  const { from, to } = gain;
  if (to !== null && !(Number.isInteger(grade) && grade >= from && grade <= to)) {
    return `takes whole grades${from > -(2 ** 31) ? ` from ${from}` : ""}${to < 2 ** 31 - 1 || grade > to ? ` up to ${to}` : ""}`;
  }
  const worth = gainOf(gain, grade);
  if (worth < 0) return "has no ideal for a gain below 0";
  return worth && (worth < 1e-100 || worth > 1e100) ? "takes gains from 1e-100 to 1e100" : "";
}

// What each grade is worth; one that the tool cannot take is refused by its place.
const gainsOf = (gain, grades, name) => grades.map((grade, i) => {
  const why = badGrade(gain, grade);
  return why ? refuse(`${why}, and the ${nth(i)} ${name} is ${minus(grade)}`) : gainOf(gain, grade);
});

// Results from the highest score to the lowest, equal ones as a tie rule has them.
export const inOrder = (results, ties) => TIES[ties](results).sort((a, b) => falling(a.score, b.score));

// The gains in the order of ranks.
export function ranked(gains, scores, ids, ties) {
  if (!scores) return gains;
  const results = gains.map((gain, i) => ({ gain: scores[i] === -Infinity ? 0 : gain, score: scores[i], id: ids?.[i] }));
  const order = inOrder(results, ties);
  if (ties !== "average") return order.map((x) => x.gain);
  const groups = new Map();
  for (const { gain, score } of order) groups.get(score)?.push(gain) ?? groups.set(score, [gain]);
  return [...groups.values()].flatMap((group) => group.map(() => add(group) / group.length));
}

// What a tool's nDCG is made of; a question the tool has no number for is refused.
export function termsOf(tool, { rel, missed, k, scores, ids }) {
  const cut = k ?? tool.default_k ?? Infinity;
  const why = cannotAnswer(tool, cut);
  if (why) refuse(why);
  if (!rel.length && tool.missing !== "zero") refuse(tool.missing === "error" ? "stops where a query has no results" : "leaves out a query without results");
  const held = scores?.map((s) => scoreIn(tool, s));
  const tied = ids || !tiesById(tool) ? undefined : held?.find((s, i) => s > -Infinity && held.indexOf(s) < i);
  if (tied !== undefined) refuse(`breaks ties by id, and two results have the score ${minus(tied)}: give their ids`);
  const shown = gainsOf(tool.gain, rel, "grade");
  const judged = idealIsTheList(tool) ? shown : [...shown, ...gainsOf(tool.gain, missed, "grade of those not shown")];
  return {
    gains: ranked(shown, held, ids, tool.ties),
    judged,
    weights: weightsOf(tool, tool.ideal === "full" ? cut : judged.length),
    cut,
    found: held ? held.filter((s) => s > -Infinity).length : rel.length,
  };
}

// A tool's nDCG, its `value`, and what each rank adds to it; or `why` it has none.
export function answer(tool, question) {
  try {
    const terms = termsOf(tool, question);
    const { value, best, end } = ndcg(tool, terms);
    if (Number.isNaN(value)) refuse(`${tool.empty === "raise" ? "stops at" : "leaves out"} a query with nothing relevant`);
    return { value, parts: terms.gains.map((gain, i) => (i < end ? (gain * terms.weights[i]) / best : 0)) };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return { why: error.message };
  }
}

// ---- What a tool compares a list with ----

// A tool's dot tells it by its form: a ring, a full one, a pale one.
export const DOTS = { list: "compared with the list alone", judged: "with all judged", "yes-no": "grades as yes or no" };
export const formOf = ({ gain, ideal }) => (plain(gain.form) === "binary" ? "yes-no" : idealIsTheList({ ideal }) ? "list" : "judged");
export const dotOf = (form) => make("i", { class: `nx-dot nx-dot-${form}`, title: DOTS[form] });
export const keysOfDots = () => make("p", { class: "nx-keys" }, ...Object.entries(DOTS).map(([form, words]) => make("span", {}, dotOf(form), words)));

// ---- Which settings make two tools differ ----

// From the least telling to the most: those that can be taken back without effect are, in this order.
const SETTINGS = ["default_k", "missing", "empty", "minus_inf", "precision", "ties", "decimals", "ideal", "discount", "gain"];
export const TELLING = [...SETTINGS].reverse();
export const CLOSE = 1e-9;
export const differing = (one, other) => SETTINGS.filter((x) => one.says[x] !== other.says[x]);

// What tools have in common that give the same number for this list, and for every other order of it.
export function sameAnswer(tool, { scores, k }) {
  const ranking = scores ? [tool.ties, tool.precision, tool.minus_inf] : [];
  return JSON.stringify([tool.gain, tool.discount, tool.ideal, tool.empty, tool.missing, k ?? tool.default_k, tool.decimals, ...ranking]);
}

// The answers to one question; tools, and mixtures of tools, that this list cannot tell apart are asked once.
export function asker(question) {
  const known = new Map();
  return (tool) => {
    const key = sameAnswer(tool, question);
    if (!known.has(key)) known.set(key, answer(tool, question));
    return known.get(key);
  };
}

// The settings of `other` that are enough to turn the number of `one` into its own, on this list.
export function reasons(one, other, question, ask = asker(question)) {
  const { value } = ask(other);
  const withSettings = (settings) => ask({ ...one, ...Object.fromEntries(settings.map((x) => [x, other[x]])) }).value;
  let needed = differing(one, other);
  for (const setting of needed) {
    const fewer = needed.filter((x) => x !== setting);
    if (Math.abs(withSettings(fewer) - value) <= CLOSE) needed = fewer;
  }
  return needed.reverse();
}
