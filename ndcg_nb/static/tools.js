// What a tool says of one list: gains, weights, ties and scores by its conventions, which Python sends.
import { IDEALS, add, clamp, falling, hasOwnIdeal, minus, ndcg } from "./core.js";

class Refusal extends Error {
  constructor(kind, text) {
    super(text);
    this.kind = kind;
  }
}
const refuse = (kind, text) => { throw new Refusal(kind, text); };
export const nth = (i) => `${i + 1}${i % 100 > 9 && i % 100 < 13 ? "th" : ["st", "nd", "rd"][i % 10] ?? "th"}`;

const GAINS = {
  linear: (g) => g,
  exp: (g) => (Number.isInteger(g) ? 2 ** g - 1 : Math.expm1(g * Math.LN2)), // near 0, 2^g − 1 would lose its digits
  binary: (g) => (g > 0 ? 1 : 0),
};
const plain = (form) => (form === "positive" ? "linear" : form.replace("positive-", "")); // a form that counts a negative grade as 0
const log = (x, base) => (base === 2 ? Math.log2(x) : Math.log(x) / Math.log(base));
const WEIGHTS = {
  log2: (rank) => 1 / Math.log2(rank + 1),
  log: (rank, base) => 1 / log(rank + 1, base),
  jk: (rank, base) => 1 / log(Math.max(rank, base), base),
  zipf: (rank) => 1 / rank,
  power: (rank, beta) => rank ** -beta,
};
/** What each rank weighs. */
export const weightsOf = ({ discount: [form, parameter] }, count) => Array.from({ length: count }, (_, i) => WEIGHTS[form](i + 1, parameter));
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
export const byId = ({ ties }) => ties === "id" || ties === "lowest-id";
const DEEPEST = 1e6; // an ideal that fills every rank adds up that many weights
const LARGEST_SINGLE = (2 - 2 ** -23) * 2 ** 127;

/** Why a tool has no number here: a setting of its own that only Python knows; nothing, where all are known. */
export function unknownIn({ gain, discount, ideal, ties }) {
  const known = { gain: plain(gain.form) in GAINS, discount: discount[0] in WEIGHTS, ideal: IDEALS.includes(ideal), ties: ties in TIES };
  const unknown = Object.keys(known).find((setting) => !known[setting]);
  return unknown && `is computed in Python only: this page does not know its ${unknown}`;
}

/** Why a tool needs another cutoff; nothing, where this one will do. */
export const badCutoff = ({ ideal }, cut) => (ideal === "full" && cut > DEEPEST ? `needs a cutoff k of at most ${DEEPEST.toLocaleString("en")}` : "");

/** A score as a tool holds it: perhaps in 32 bits, and −inf as no more than the lowest score. */
export function held(score, { precision, minus_inf: lowest }) {
  const single = Math.fround(score);
  const kept = precision === "float64" ? score : single === -Infinity && score > -Infinity ? -LARGEST_SINGLE : single;
  return lowest === "out" ? kept : Math.max(kept, -Number.MAX_VALUE);
}

/** Which grades a gain is for, where it is not for this one; nothing, where it is. */
export function outOfRange({ from, to }, g) {
  if (to === null || (Number.isInteger(g) && g >= from && g <= to)) return "";
  return `takes whole grades${from > -(2 ** 31) ? ` from ${from}` : ""}${to < 2 ** 31 - 1 || g > to ? ` up to ${to}` : ""}`;
}
export const BELOW = "has no ideal for a gain below 0";

/** A grade as a gain counts it, and what it is worth. */
export function worth({ form }, g) {
  const grade = form.startsWith("positive") ? Math.max(g, 0) : g;
  return { grade, gain: GAINS[plain(form)](grade) };
}

/** What each grade is worth; one that the gain is not for is refused by name. */
function worths(gain, grades, name) {
  grades.forEach((g, i) => {
    const why = outOfRange(gain, g);
    if (why) refuse("range", `${why}, and the ${nth(i)} ${name} is ${minus(g)}`);
  });
  return grades.map((g) => worth(gain, g));
}

/** What brings gains near 1 by a power of two: so no sum is too large, and the quotient stays the same. */
export function scaling(form, judged) {
  let [grade, gain] = [0, 0];
  for (const x of judged) [grade, gain] = [Math.max(grade, x.grade), Math.max(gain, x.gain)];
  const s = Math.ceil(grade) - 512;
  const one = 2 ** clamp(Math.floor(Math.log2(gain)), -1022, 1023);
  const large = form.endsWith("exp") && s > 0; // 2^grade might not fit
  return (x) => (large ? 2 ** (x.grade - s) - 2 ** -s : x.gain / one);
}

/** Results from the highest score to the lowest, equal ones as a tie rule has them. */
export const inOrder = (results, ties) => TIES[ties](results).sort((a, b) => falling(a.score, b.score));

/** The gains in the order of ranks. */
export function ranked(gains, scores, ids, ties) {
  if (!scores) return gains;
  const results = gains.map((gain, i) => ({ gain: scores[i] === -Infinity ? 0 : gain, score: scores[i], id: ids?.[i] }));
  const order = inOrder(results, ties);
  if (ties !== "average") return order.map((x) => x.gain);
  const groups = new Map();
  for (const { gain, score } of order) groups.get(score)?.push(gain) ?? groups.set(score, [gain]);
  return [...groups.values()].flatMap((group) => {
    const mean = add(group) / group.length;
    return group.map(() => mean);
  });
}

/** What a tool's nDCG is made of; a question the tool has no number for is refused. */
export function termsOf(tool, { rel, missed, k, scores, ids }) {
  if (unknownIn(tool)) refuse("unknown", unknownIn(tool));
  if (!rel.length && tool.missing !== "zero") {
    refuse("missing", tool.missing === "error" ? "stops where a query has no results" : "leaves out a query without results");
  }
  const holding = scores?.map((s) => held(s, tool));
  if (holding && byId(tool) && !ids) {
    const sorted = holding.filter((s) => s > -Infinity).sort(rising);
    const same = sorted.find((s, i) => s === sorted[i + 1]);
    if (same !== undefined) refuse("ties", `settles ties by id, and two results have the score ${minus(same)}: give their ids`);
  }
  const shown = worths(tool.gain, rel, "grade");
  const others = hasOwnIdeal(tool) ? [] : worths(tool.gain, missed, "grade of those not shown");
  for (const [list, grades, name] of [[shown, rel, "grade"], [others, missed, "grade of those not shown"]]) {
    const i = list.findIndex((x) => x.gain < 0);
    if (i >= 0) refuse("negative", `${BELOW}, and the ${nth(i)} ${name} is ${minus(grades[i])}`);
  }
  const scaled = scaling(tool.gain.form, [...shown, ...others]);
  const judged = [...shown, ...others].map(scaled);
  const cut = k ?? tool.default_k ?? Infinity;
  if (badCutoff(tool, cut)) refuse("cutoff", badCutoff(tool, cut));
  return {
    gains: ranked(shown.map(scaled), holding, ids, tool.ties),
    judged,
    weights: weightsOf(tool, tool.ideal === "full" ? cut : judged.length),
    cut,
    found: holding ? holding.filter((s) => s > -Infinity).length : rel.length,
  };
}

function valueOf(tool, question) {
  const { value } = ndcg(tool, termsOf(tool, question));
  return Number.isNaN(value) ? refuse("empty", `${tool.empty === "raise" ? "stops at" : "leaves out"} a query with nothing relevant`) : value;
}

/** A tool's nDCG: a `value`, or that it `refused`, and why. */
export function answer(tool, question) {
  try {
    return { value: valueOf(tool, question) };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return { refused: error.kind, why: error.message };
  }
}
