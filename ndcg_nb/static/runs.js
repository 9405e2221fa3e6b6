// Whole runs, in every tool's dialect: judgements and results put together, a value for each query, and the mean by each tool's rules.
// The rules are those of `evaluate(qrels, run, like=…)`; what a dialect is, Python sends.
import { falling, hasOwnIdeal, minus, ndcg } from "./core.js";
import { BELOW, badCutoff, byId, held, inOrder, outOfRange, ranked, scaling, unknownIn, weightsOf, worth } from "./tools.js";
import { Unreadable, brief, floatText, readJoined, readRows, thousands } from "./tables.js";

const refused = (text) => { throw new Unreadable(text); };

// ---- Judgements and results, by query ----

/** The judged documents of each query, in the order of the rows: each has one grade, a finite number. */
function judgedBy({ query, document, value, place }) {
  const queries = new Map();
  const bad = value.findIndex((x) => !Number.isFinite(x));
  if (bad >= 0) refused(`${place(bad)}: the grade is ${floatText(value[bad])}, and must be a finite number`);
  query.forEach((q, i) => {
    if (!queries.has(q)) queries.set(q, new Map());
    const [documents, d] = [queries.get(q), document[i]];
    const first = documents.get(d);
    if (first === undefined) documents.set(d, { grade: value[i], row: i });
    else if (first.grade !== value[i]) {
      refused(`document ${brief(d)} of ${brief(q)} has two grades: ${first.grade} (${place(first.row)}) and ${value[i]} (${place(i)}): keep one of them`);
    }
  });
  return queries;
}

/** The results of each query, in the order of the rows: a document stands there once, with a score. */
function resultsBy({ query, document, value, place }) {
  const queries = new Map();
  const holes = value.reduce((n, x) => n + Number.isNaN(x), 0);
  if (holes) {
    refused(`${place(value.findIndex(Number.isNaN))}: the score is nan${holes > 1 ? ` (${thousands(holes)} in all)` : ""}, which cannot be ranked. `
      + "Give -inf to a document that was not retrieved, or leave it out");
  }
  const twice = [];
  query.forEach((q, i) => {
    if (!queries.has(q)) queries.set(q, new Map());
    const rows = queries.get(q);
    if (rows.has(document[i])) twice.push([rows.get(document[i]), i]);
    else rows.set(document[i], i);
  });
  if (twice.length) refuseTwice(twice, query, document, place);
  return queries;
}

function refuseTwice([[first, again], ...rest], query, document, place) {
  const more = rest.length ? `, and ${thousands(rest.length)} more` : "";
  refused(`document ${brief(document[first])} appears twice among the results of query ${brief(query[first])}: ${place(first)} and ${place(again)}${more}. Remove one of them`);
}

/** Refuse a run that has nothing in common with the judgements; null where it has. */
function strangers(judged, results, name) {
  const listed = (ids) => [...ids].slice(0, 3).map(brief).join(", ");
  const shared = [...results.keys()].filter((q) => judged.has(q));
  if (!results.size || shared.some((q) => [...results.get(q).keys()].some((d) => judged.get(q).has(d)))) return null;
  const first = (queries) => [...queries.values()].flatMap((x) => [...x.keys()].slice(0, 3));
  return shared.length
    ? `qrels and ${name} have no document in common: qrels has ${listed(first(judged))}, ${name} has ${listed(first(results))}`
    : `qrels and ${name} have no query in common: qrels has ${listed(judged.keys())}, ${name} has ${listed(results.keys())}`;
}

/** Results of a query without the document that has its id, for tools that drop it. */
const withoutSelf = (rows, q) => (rows?.has(q) ? new Map([...rows].filter(([d]) => d !== q)) : rows);

const NOTES = {
  ranks: (name) => `The scores of ${name} are 1, 2, 3, … from the top down: if these are ranks, call the column “rank”. The highest score is ranked first.`,
  swapped: (name) => `The grades have fractions, and the scores of ${name} are few whole numbers: are they swapped?`,
};

/** What seems to be a mistake, though it can be read. */
function doubts(judged, { query, value, name }) {
  let n = 0;
  const counts = value.every((x, i) => {
    n = i && query[i] === query[i - 1] ? n + 1 : 1;
    return x === n;
  });
  const [grades, scores] = [judged.slice(0, 100), value.slice(0, 100)];
  const whole = scores.every((x) => Number.isInteger(x) && x >= 0) && new Set(scores).size <= Math.min(5, new Set(grades).size - 1);
  return [...(counts && value.length > 2 && value[2] === 3 ? [NOTES.ranks(name)] : []),
    ...(2 * grades.filter(Number.isInteger).length < grades.length && whole ? [NOTES.swapped(name)] : [])];
}

/** Judgements and runs as texts, read and put together. `runs` are [name, text]; with none, the judgements are one joined table. */
export function readProblem({ qrels, runs, roles }, progress = () => {}) {
  if (!runs.length) return joinedProblem(readJoined(qrels[1], qrels[0], roles));
  const rows = readRows(qrels[1], "grade", qrels[0], roles);
  progress(1 / (runs.length + 1));
  const judged = judgedBy(rows);
  const read = runs.map(([name, text], i) => {
    const own = readRows(text, "score", name, roles);
    const results = resultsBy(own);
    const strange = strangers(judged, results, name);
    if (strange) refused(strange);
    progress((i + 2) / (runs.length + 1));
    return { name, results, score: own.value, doubts: doubts(rows.value, own) };
  });
  return { judged, place: rows.place, runs: read };
}

function joinedProblem({ name, query, document, grade, score, place, unnamed }) {
  const some = (values) => {
    const rows = query.map((_, i) => i).filter((i) => !Number.isNaN(values[i]));
    return { name, query: rows.map((i) => query[i]), document: rows.map((i) => document[i]), value: rows.map((i) => values[i]), place: (i) => place(rows[i]) };
  };
  resultsBy({ query, document, value: query.map(() => 0), place }); // a document stands there once, retrieved or not
  const [rows, own] = [some(grade), some(score)];
  const [judged, results] = [judgedBy(rows), resultsBy(own)];
  const strange = strangers(judged, results, "the table");
  if (strange) refused(strange);
  return { judged, place: rows.place, unnamed, runs: [{ name: "run", results, score: own.value, doubts: doubts(rows.value, own) }] };
}

// ---- A value for each query ----

const first = (list, count) => (list.length > count ? list.slice(0, count) : list);

/** One query as lists: grades and scores of the results in the order of the rows, and the grades of all judged ones. */
function listsOf(documents, rows, score) {
  const [found, grades, scores] = [[], [], []];
  for (const [d, row] of rows ?? []) {
    found.push(d);
    grades.push(documents.get(d)?.grade ?? 0);
    scores.push(score[row]);
  }
  const [pool, own] = [[], []];
  for (const [d, { grade }] of documents) {
    pool.push(grade);
    if (rows?.has(d)) own.push(grade); // unjudged results add nothing to an ideal
  }
  return { found, grades, scores, pool, best: [...pool].sort(falling), own: own.sort(falling), orders: {} };
}

/** The results from the highest score to the lowest, as many bits as a tool has; equal scores as they come. */
function orderOf(list, tool) {
  return list.orders[`${tool.precision} ${tool.minus_inf}`] ??= ordered(list.scores.map((s) => held(s, tool)));
}
function ordered(scores) {
  const order = scores.map((_, i) => i);
  if (scores.some((s, i) => s > scores[i - 1])) order.sort((a, b) => scores[b] - scores[a] || (scores[a] === scores[b] ? a - b : scores[b] > scores[a] ? 1 : -1));
  const falls = order.map((i) => scores[i]);
  return { order, scores: falls, found: scores.filter((s) => s > -Infinity).length, tied: falls.some((s, i) => s > -Infinity && s === falls[i + 1]) };
}

/** The gains in the order of ranks, down to the cutoff at least. */
function gainsOf(list, tool, gain) {
  const { order, scores } = orderOf(list, tool);
  const gains = [];
  for (let i = 0; i < order.length && i < tool.cut;) {
    let end = i + 1;
    while (scores[end] === scores[i]) end += 1;
    if (end - i === 1) gains.push(scores[i] === -Infinity ? 0 : gain(list.grades[order[i]]));
    else {
      const tied = order.slice(i, end);
      for (const x of ranked(tied.map((j) => gain(list.grades[j])), scores.slice(i, end), tied.map((j) => list.found[j]), tool.ties)) gains.push(x);
    }
    i = end;
  }
  return gains;
}

const TINY = 2 ** -960; // a sum below this may have lost digits

/** A tool's nDCG of one query, NaN where it leaves the query out; and whether the query is `empty`. */
function valueIn(list, tool) {
  const [own, worthOf] = [hasOwnIdeal(tool), tool.worths];
  const ideal = first(own ? list.own : tool.ideal === "given" ? list.pool : list.best, tool.ideal === "uncut" ? Infinity : tool.cut);
  const scaled = scaling(tool.gain.form, (own ? list.own : list.best).slice(0, 1).map((g) => worthOf.get(g)));
  const gain = (g) => scaled(worthOf.get(g));
  const { best, value } = ndcg(tool, {
    gains: gainsOf(list, tool, gain), judged: ideal.map(gain), weights: tool.weights, cut: tool.cut, found: orderOf(list, tool).found, sorted: true,
  });
  // An ideal that is no best order need not show the highest gain, and may be nothing beside it.
  const far = value === Infinity || (tool.ideal === "given" && best < TINY && ideal.some((g) => worthOf.get(g).gain > 0));
  return { value: far ? Infinity : value, empty: !(best > 0) };
}

/** Why a tool has no number for a run, whatever its lists are like; nothing, if it may have one. */
function refusal(tool, problem, run) {
  if (unknownIn(tool)) return unknownIn(tool);
  if (badCutoff(tool, tool.cut)) return badCutoff(tool, tool.cut);
  const results = (q) => (tool.ignore_self ? withoutSelf(run.results.get(q), q) : run.results.get(q));
  if (tool.ignore_self && ![...problem.judged].some(([q, documents]) => [...documents.keys()].some((d) => results(q)?.has(d)))) {
    return "drops documents that have the id of their query, and then no result was judged";
  }
  const absent = tool.missing === "error" ? [...problem.judged.keys()].find((q) => !results(q)?.size) : undefined;
  if (absent !== undefined) return `stops where a judged query has no results: ${brief(absent)} is missing from ${run.name}`;
  const own = hasOwnIdeal(tool);
  const wrong = (g) => outOfRange(tool.gain, g) || (worth(tool.gain, g).gain < 0 ? BELOW : "");
  if (![...problem.levels].some(wrong)) return "";
  for (const [q, documents] of problem.judged) {
    for (const [d, { grade, row }] of documents) {
      if (wrong(grade) && (!own || results(q)?.has(d))) return `${wrong(grade)}, and the grade of ${brief(d)} of ${brief(q)} is ${minus(grade)} (${problem.place(row)})`;
    }
  }
  return "";
}

// ---- Means ----

/** The sum of numbers, rounded once: the same in whatever order. */
export function exactSum(numbers) {
  const parts = [];
  for (let x of numbers) {
    let n = 0;
    for (const y of parts) {
      const [large, small] = Math.abs(x) < Math.abs(y) ? [y, x] : [x, y];
      const high = large + small;
      const low = small - (high - large);
      if (low) parts[n++] = low;
      x = high;
    }
    parts.length = n;
    parts.push(x);
  }
  let n = parts.length - 1;
  let [sum, low] = [parts[n] ?? 0, 0];
  while (n > 0 && !low) {
    const [x, y] = [sum, parts[n -= 1]];
    sum = x + y;
    low = y - (sum - x);
  }
  if (n > 0 && ((low < 0 && parts[n - 1] < 0) || (low > 0 && parts[n - 1] > 0))) { // half way: the rest decides
    const twice = low * 2;
    if (twice === sum + twice - sum) sum += twice;
  }
  return sum;
}

/** A number to so many decimals, as Python rounds it: from half way to the even digit. */
export function rounded(x, decimals) {
  const [up, whole] = [Number(x.toFixed(decimals)), x.toFixed(Math.min(100, decimals + 60))];
  const half = /^50*$/.test(whole.slice(whole.indexOf(".") + 1 + decimals));
  const down = Number(whole.slice(0, whole.indexOf(".") + 1 + decimals));
  return half && Number(whole[whole.indexOf(".") + decimals]) % 2 === 0 ? down : up;
}

function meanOf(values, rounding) {
  const there = values.filter((x) => !Number.isNaN(x));
  if (!there.length) return NaN;
  const mean = exactSum(there) / there.length;
  return rounding === null ? mean : rounded(mean, rounding);
}

// ---- Every run in every dialect ----

/** A tool with what it is asked: its cutoff, what each rank weighs and what each grade is worth. */
function asked(tool, problem, k, longest) {
  const cut = k ?? tool.default_k ?? Infinity;
  if (unknownIn(tool) || badCutoff(tool, cut)) return { ...tool, cut };
  const weighed = { full: cut, uncut: longest }[tool.ideal] ?? Math.min(longest, cut);
  return { ...tool, cut, worths: new Map([...problem.levels].map((g) => [g, worth(tool.gain, g)])), weights: weightsOf(tool, weighed) };
}

/** Add what a tool says of one query. */
function take(says, tool, list, unnamed) {
  const absent = !list.found.length;
  if (unnamed && byId(tool) && orderOf(list, tool).tied) says.refused = "settles ties by id, and the table has no column of documents";
  else if (absent && tool.missing !== "zero") {
    says.missing += 1;
    says.values.push(NaN);
  } else if (absent && tool.needs_list) says.values.push(0); // or it would be 0/0, whatever was judged
  else {
    const { value, empty } = valueIn(list, tool);
    if (value === Infinity) says.refused = "compares with an ideal that collects too little beside the highest gain";
    if (empty && tool.empty === "raise") says.refused = "stops at a query with nothing relevant";
    says.empty += empty;
    says.values.push(value);
  }
}

function concluded({ refused: why, values, missing, empty }, rounding) {
  const mean = why ? NaN : meanOf(values, rounding);
  if (Number.isNaN(mean)) return { refused: why || "leaves out every query" };
  return { mean, values, missing, empty, queries: values.filter((x) => !Number.isNaN(x)).length };
}

/** What each tool says of each run: its mean, the values of the queries, and how many it left out; or why it has no number. */
export function evaluate(problem, tools, k = null, progress = () => {}) {
  const { judged, runs, unnamed } = problem;
  problem.levels = new Set([0]);
  let longest = 1;
  for (const documents of judged.values()) {
    longest = Math.max(longest, documents.size);
    for (const { grade } of documents.values()) problem.levels.add(grade);
  }
  for (const { results } of runs) for (const rows of results.values()) longest = Math.max(longest, rows.size);
  const every = tools.map((tool) => asked(tool, problem, k, longest));
  const says = every.map((tool) => runs.map((run) => ({ refused: refusal(tool, problem, run), values: [], missing: 0, empty: 0 })));
  runs.forEach((run, r) => {
    let done = 0;
    for (const [q, documents] of judged) {
      const rows = run.results.get(q);
      const all = listsOf(documents, rows, run.score);
      const others = rows?.has(q) ? listsOf(documents, withoutSelf(rows, q), run.score) : all;
      every.forEach((tool, t) => { if (!says[t][r].refused) take(says[t][r], tool, tool.ignore_self ? others : all, unnamed); });
      done += 1;
      progress((r + done / judged.size) / runs.length);
    }
  });
  return { queries: [...judged.keys()], says: says.map((one, t) => one.map((x) => concluded(x, every[t].rounding))) };
}

/** One query's results in the order of a tool, with their grades and scores, and the judged ones that were not retrieved. */
export function listIn(problem, run, query, tool) {
  const [documents, { results, score }] = [problem.judged.get(query), problem.runs[run]];
  const all = results.get(query) ?? new Map();
  const rows = tool.ignore_self ? withoutSelf(all, query) : all;
  const graded = (id) => ({ id, grade: documents.get(id)?.grade ?? 0, judged: documents.has(id) });
  const shown = [...rows].map(([id, row]) => ({ ...graded(id), gain: worth(tool.gain, graded(id).grade).gain, score: held(score[row], tool) }));
  const missed = [...documents.keys()].filter((id) => !rows.has(id)).map(graded).sort((a, b) => falling(a.grade, b.grade));
  return { shown: inOrder(shown, tool.ties).filter((x) => x.score > -Infinity), missed };
}
