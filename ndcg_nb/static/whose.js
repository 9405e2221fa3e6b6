// Whose number is it? Grades and a number that was told, and every tool's own number beside it.
// Python sends the conventions; this file computes each tool's nDCG from them, and says what sets the tools apart.
// It is a plain ES module in the form anywidget hosts, and needs nothing but a model with get, set, on and save_changes.

// ---- What a tool says ----

class Refusal extends Error {
  constructor(kind, text) {
    super(text);
    this.kind = kind;
  }
}
const refuse = (kind, text) => { throw new Refusal(kind, text); };
const nth = (i) => `${i + 1}${i % 100 > 9 && i % 100 < 13 ? "th" : ["st", "nd", "rd"][i % 10] ?? "th"}`;
const minus = (x) => String(x).replace("-", "−");

const GAINS = {
  linear: (g) => g,
  exp: (g) => (Number.isInteger(g) ? 2 ** g - 1 : Math.expm1(g * Math.LN2)), // near 0, 2^g − 1 would lose its digits
  binary: (g) => (g > 0 ? 1 : 0),
};
const log = (x, base) => (base === 2 ? Math.log2(x) : Math.log(x) / Math.log(base));
const WEIGHTS = {
  log2: (rank) => 1 / Math.log2(rank + 1),
  log: (rank, base) => 1 / log(rank + 1, base),
  jk: (rank, base) => 1 / log(Math.max(rank, base), base),
  zipf: (rank) => 1 / rank,
  power: (rank, beta) => rank ** -beta,
};
const up = (a, b) => (a > b) - (a < b); // not a − b, which is no number where both are infinite
const down = (a, b) => up(b, a);
const byCodePoint = (a, b) => { // as Python orders strings
  const [x, y] = [[...a], [...b]];
  const i = x.findIndex((c, j) => c !== y[j]);
  return i < 0 ? up(x.length, y.length) : up(x[i].codePointAt(0), y[i]?.codePointAt(0) ?? -1);
};
const TIES = { // what is done before the sort, which leaves equal scores as they are
  average: (results) => results,
  first: (results) => results,
  last: (results) => results.reverse(),
  best: (results) => results.sort((a, b) => down(a.gain, b.gain)),
  worst: (results) => results.sort((a, b) => up(a.gain, b.gain)),
  id: (results) => results.sort((a, b) => -byCodePoint(a.id ?? "", b.id ?? "")),
};
const OWN = ["list", "reached"]; // ideals made of the list alone
const LARGEST_SINGLE = (2 - 2 ** -23) * 2 ** 127;

/** A score as a tool holds it: perhaps in 32 bits, and −inf as no more than the lowest score. */
function held(score, { precision, minus_inf: lowest }) {
  const single = Math.fround(score);
  const kept = precision === "float64" ? score : single === -Infinity && score > -Infinity ? -LARGEST_SINGLE : single;
  return lowest === "out" ? kept : Math.max(kept, -Number.MAX_VALUE);
}

/** What each grade is worth; one that the gain is not for is refused by name. */
function worths({ form, from, to }, grades, name) {
  const positive = form.startsWith("positive");
  const gain = GAINS[form === "positive" ? "linear" : form.replace("positive-", "")];
  grades.forEach((g, i) => {
    if (to !== null && !(Number.isInteger(g) && g >= from && g <= to)) {
      const limit = `${from > -(2 ** 31) ? ` from ${from}` : ""}${to < 2 ** 31 - 1 || g > to ? ` up to ${to}` : ""}`;
      refuse("range", `takes whole grades${limit}, and the ${nth(i)} ${name} is ${minus(g)}`);
    }
  });
  return grades.map((g) => (positive ? Math.max(g, 0) : g)).map((g) => ({ grade: g, gain: gain(g) }));
}

/** Gains of list and pool, brought near 1 by a power of two: so no sum is too large, and the quotient stays the same. */
function toScale(form, ...lists) {
  const [grade, gain] = ["grade", "gain"].map((x) => lists.flat().reduce((most, one) => Math.max(most, one[x]), 0));
  if (form.endsWith("exp") && grade > 512) {
    const s = Math.ceil(grade) - 512;
    return lists.map((list) => list.map((x) => 2 ** (x.grade - s) - 2 ** -s));
  }
  const one = gain > 0 ? 2 ** Math.max(-1022, Math.min(1023, Math.floor(Math.log2(gain)))) : 1;
  return lists.map((list) => list.map((x) => x.gain / one));
}

/** The gains in the order of ranks. */
function ranked(gains, scores, ids, ties) {
  if (!scores) return gains;
  const results = gains.map((gain, i) => ({ gain: scores[i] === -Infinity ? 0 : gain, score: scores[i], id: ids?.[i] }));
  const order = TIES[ties](results).sort((a, b) => down(a.score, b.score));
  if (ties !== "average") return order.map((x) => x.gain);
  const groups = new Map();
  for (const { gain, score } of order) groups.get(score)?.push(gain) ?? groups.set(score, [gain]);
  return [...groups.values()].flatMap((group) => {
    const mean = group.reduce((sum, x) => sum + x, 0) / group.length;
    return group.map(() => mean);
  });
}

function quotient(tool, { rel, missed, k, scores, ids }) {
  if (!rel.length && tool.missing !== "zero") {
    refuse("missing", tool.missing === "error" ? "stops where a query has no results" : "leaves out a query without results");
  }
  const holding = scores?.map((s) => held(s, tool));
  if (holding && tool.ties === "id" && !ids) {
    const sorted = holding.filter((s) => s > -Infinity).sort(up);
    const same = sorted.find((s, i) => s === sorted[i + 1]);
    if (same !== undefined) refuse("ties", `settles ties by id, and two results have the score ${minus(same)}: give their ids`);
  }
  const own = OWN.includes(tool.ideal);
  const shown = worths(tool.gain, rel, "grade");
  const others = own ? [] : worths(tool.gain, missed, "grade of those not shown");
  for (const [list, grades, name] of [[shown, rel, "grade"], [others, missed, "grade of those not shown"]]) {
    const i = list.findIndex((x) => x.gain < 0);
    if (i >= 0) refuse("negative", `has no ideal for a gain below 0, and the ${nth(i)} ${name} is ${minus(grades[i])}`);
  }
  const [gains, judged] = toScale(tool.gain.form, shown, [...shown, ...others]);
  const cut = k ?? tool.default_k ?? Infinity;
  const [form, parameter] = tool.discount;
  const add = (list, end) => list.slice(0, end).reduce((sum, gain, i) => sum + gain * WEIGHTS[form](i + 1, parameter), 0);
  const hits = holding ? holding.filter((s) => s > -Infinity).length : rel.length;
  const best = add(judged.sort(down), tool.ideal === "hits" ? Math.min(cut, hits) : cut);
  const reached = tool.ideal !== "reached" || cut === Infinity || cut <= hits;
  const top = reached ? add(ranked(gains, holding, ids, tool.ties), cut) : 0;
  if (best > 0) return (tool.ideal === "given" ? top : Math.min(top, best)) / best; // what rounding adds beyond it is taken off
  return typeof tool.empty === "number" ? tool.empty : refuse("empty", "leaves out a query with nothing relevant");
}

/** A tool's nDCG: a `value`, or that it `refused`, and why. */
export function answer(tool, question) {
  try {
    return { value: quotient(tool, question) };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return { refused: error.kind, why: error.message };
  }
}
