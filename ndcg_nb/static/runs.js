// Whole runs by the rules of every tool: judgements and results put together, a value for each query, and the mean.
// The rules are those of `evaluate(qrels, run, like=…)`; Python sends the settings of each tool.
import { add, falling, idealIsTheList, minus, ndcg, pairedT } from "./core.js";
import { badGrade, cannotAnswer, gainOf, inOrder, ranked, scoreIn, tiesById, weightsOf } from "./tools.js";
import { quote, readTable, rowsOf, unreadable } from "./tables.js";

// ---- Judgements and results, by query ----

const byQuery = (queries, q) => queries.get(q) ?? queries.set(q, new Map()).get(q);

// The judged documents of each query, in the order of the rows: each has one grade, a finite number. Grades below 0 may count as 0.
function judgedBy({ query, document, value, place }, noNegatives) {
  const queries = new Map();
  const bad = value.findIndex((x) => !Number.isFinite(x));
  if (bad >= 0) unreadable(`${place(bad)}: the grade is ${Number.isNaN(value[bad]) ? "missing" : minus(value[bad])}, and must be a finite number`);
  query.forEach((q, i) => {
    const [documents, d] = [byQuery(queries, q), document[i]];
    const grade = noNegatives ? Math.max(0, value[i]) : value[i];
    const first = documents.get(d);
    if (first === undefined) documents.set(d, { grade, row: i });
    else if (first.grade !== grade) unreadable(`${place(i)}: document ${quote(d)} of ${quote(q)} has grade ${grade}, and ${first.grade} before: keep one of them`);
  });
  return queries;
}

// The results of each query, in the order of the rows: each document once, with a score.
function resultsBy({ query, document, value, place }) {
  const queries = new Map();
  const bad = value.findIndex(Number.isNaN);
  if (bad >= 0) unreadable(`${place(bad)} has no score: give -inf to a document that was not retrieved, or leave it out`);
  query.forEach((q, i) => {
    const rows = byQuery(queries, q);
    if (rows.has(document[i])) unreadable(`${place(i)}: document ${quote(document[i])} is among the results of ${quote(q)} already: remove one of them`);
    rows.set(document[i], i);
  });
  return queries;
}

// The results, unless they have nothing in common with the judgements.
function withoutStrangers(judged, results, name) {
  const some = (ids) => [...ids].slice(0, 3).map(quote).join(", ");
  const shared = [...results.keys()].filter((q) => judged.has(q));
  if (shared.some((q) => [...results.get(q).keys()].some((d) => judged.get(q).has(d)))) return results;
  const [all, other] = [judged, results].map((queries) => new Set([...queries.values()].flatMap((x) => [...x.keys()])));
  const elsewhere = [...other].find((d) => all.has(d));
  if (shared.length && elsewhere !== undefined) unreadable(`No result of ${name} is judged for its query, but document ${quote(elsewhere)} is judged for another: check the ids of queries`);
  const [what, one, two] = shared.length ? ["document", all, other] : ["query", judged.keys(), results.keys()];
  return unreadable(`The judgements and ${name} have no ${what} in common: the judgements have ${some(one)}, ${name} has ${some(two)}`);
}

// Whether the scores of every query are 1, 2, 3 …, which are ranks: then the last result would be ranked first.
function lookLikeRanks({ query, value }) {
  let n = 0;
  return value.length > 2 && value[2] === 3 && value.every((x, i) => {
    n = i && query[i] === query[i - 1] ? n + 1 : 1;
    return x === n;
  });
}

const runOf = (rows, judged) => ({ name: rows.name, results: withoutStrangers(judged, resultsBy(rows), rows.name), score: rows.value, ranks: lookLikeRanks(rows), inVain: new Set(rows.inVain) });

// Judgements and runs as texts, read and put together. `qrels` and `runs` are [name, text]; a run without a name is called by its
// tag. With no run, the judgements are one joined table.
export function readProblem({ qrels: [name, text], runs, known, noNegatives }) {
  const table = readTable(text, name, known, "grade");
  if (!runs.length) return joinedProblem(table, known, noNegatives);
  const rows = rowsOf(table, "grade", known);
  const judged = judgedBy(rows, noNegatives);
  const read = runs.map(([called, lines], i) => {
    const one = rowsOf(readTable(lines, called || `run ${"AB"[i]}`, known, "score"), "score", known);
    return { ...one, name: called || one.tag || one.name };
  });
  if (read.length > 1 && read[0].name === read[1].name) read.forEach((one, i) => { one.name = `${one.name} (${"AB"[i]})`; });
  return { judged, negatives: countNegatives(rows), place: rows.place, runs: read.map((one) => runOf(one, judged)) };
}
const countNegatives = ({ value }) => value.reduce((n, x) => n + (x < 0), 0);

// One table with grades and scores: a row without a grade is unjudged, and one without a score was not retrieved.
function joinedProblem(table, known, noNegatives) {
  const isJoined = !table.isNested && table.columns.grade && (table.columns.score || table.columns.rank);
  if (!isJoined) unreadable("Now a run; or give one table with grades and scores.");
  const unnamed = !table.columns.document;
  const columns = unnamed ? { ...table.columns, document: table.columns.query.map((_, i) => `row ${i}`) } : table.columns;
  const some = (kind) => {
    const rows = rowsOf({ ...table, columns }, kind, known);
    const at = rows.value.map((_, i) => i).filter((i) => !Number.isNaN(rows.value[i]));
    const take = (column) => at.map((i) => column[i]);
    return { name: "run", query: take(rows.query), document: take(rows.document), value: take(rows.value), place: (i) => rows.place(at[i]) };
  };
  resultsBy({ ...columns, value: columns.query.map(() => 0), place: table.place }); // each document once, retrieved or not
  const rows = some("grade");
  const judged = judgedBy(rows, noNegatives);
  return { judged, negatives: countNegatives(rows), place: rows.place, unnamed, runs: [runOf(some("score"), judged)] };
}

// ---- A value for each query ----

// Results of a query without the document that has its id, for tools that drop it.
const withoutSelf = (rows, q) => (rows?.has(q) ? new Map([...rows].filter(([d]) => d !== q)) : rows);

// One query as lists: grades and scores of the results in the order of the rows, and the grades of all judged ones.
function listsOf(documents, rows, score) {
  const found = [...(rows ?? [])].map(([id, row]) => ({ id, grade: documents.get(id)?.grade ?? 0, score: score[row] }));
  const pool = [...documents.values()].map((x) => x.grade);
  const retrieved = [...documents].filter(([d]) => rows?.has(d)).map(([, x]) => x.grade); // unjudged results add nothing to an ideal
  return { found, pool, best: [...pool].sort(falling), retrieved: retrieved.sort(falling), orders: {} };
}

// The results from the highest score to the lowest, in as many bits as a tool has; equal scores as they come.
function orderOf(list, tool) {
  return list.orders[`${tool.precision} ${tool.minus_inf}`] ??= inOrder(list.found.map((x) => ({ ...x, score: scoreIn(tool, x.score) })), "first");
}

// The gains in the order of ranks, down to the cutoff at least. Ties are rare, and only they need the tie rule.
function gainsInOrder(list, tool) {
  const [order, gains] = [orderOf(list, tool), []];
  const gain = (x) => tool.worths.get(x.grade);
  for (let i = 0; i < order.length && i < tool.cut;) {
    let end = i + 1;
    while (order[end]?.score === order[i].score) end += 1;
    const tied = order.slice(i, end);
    if (tied.length === 1) gains.push(tied[0].score === -Infinity ? 0 : gain(tied[0]));
    else for (const x of ranked(tied.map(gain), tied.map((y) => y.score), tied.map((y) => y.id), tool.ties)) gains.push(x);
    i = end;
  }
  return gains;
}

// A tool's nDCG of one query, NaN where it leaves the query out; and whether the ideal is 0.
function valueIn(list, tool) {
  const ideal = idealIsTheList(tool) ? list.retrieved : tool.ideal === "given" ? list.pool : list.best;
  const judged = ideal.slice(0, tool.ideal === "uncut" ? undefined : tool.cut).map((g) => tool.worths.get(g));
  const found = orderOf(list, tool).filter((x) => x.score > -Infinity).length;
  const { best, value } = ndcg(tool, { gains: gainsInOrder(list, tool), judged, weights: tool.weights, cut: tool.cut, found, sorted: true });
  return { value, isEmpty: !(best > 0) };
}

// Why a tool has no number for a run, whatever its lists are like; nothing, if it may have one.
function refusal(tool, { judged, levels, place }, { name, results, inVain }) {
  const why = cannotAnswer(tool, tool.cut);
  if (why) return why;
  const rowsFor = (q) => (tool.ignore_self ? withoutSelf(results.get(q), q) : results.get(q));
  if (tool.ignore_self && ![...judged].some(([q, documents]) => [...documents.keys()].some((d) => rowsFor(q)?.has(d)))) {
    return "drops documents that have the id of their query, and then no result was judged";
  }
  const absent = tool.missing === "error" ? [...judged.keys()].find((q) => !rowsFor(q)?.size && !inVain.has(q)) : undefined;
  if (absent !== undefined) return `stops where a judged query has no results: ${quote(absent)} is missing from ${name}`;
  if (![...levels].some((g) => badGrade(tool.gain, g))) return "";
  for (const [q, documents] of judged) {
    for (const [d, { grade, row }] of documents) {
      const wrong = badGrade(tool.gain, grade);
      if (wrong && (!idealIsTheList(tool) || rowsFor(q)?.has(d))) return `${wrong}, and the grade of ${quote(d)} of ${quote(q)} is ${minus(grade)} (${place(row)})`;
    }
  }
  return "";
}

// ---- Means ----

// A number to so many decimals, as Python rounds it: half way goes to the even digit.
export function rounded(x, decimals) {
  const [digits, more] = [x.toFixed(decimals + 60), 60];
  const kept = digits.slice(0, -more);
  const isHalf = /^50*$/.test(digits.slice(-more));
  return Number(isHalf && Number(kept.replace(".", "").at(-1)) % 2 === 0 ? kept : x.toFixed(decimals));
}

function meanOf(values, rounding) {
  const counted = values.filter((x) => !Number.isNaN(x));
  const mean = add(counted) / counted.length;
  return rounding === null || !counted.length ? mean : rounded(mean, rounding);
}

// A tool with its cutoff, what each rank weighs and what each grade is worth.
function prepare(tool, { levels, longest }, k) {
  const cut = k ?? tool.default_k ?? Infinity;
  if (cannotAnswer(tool, cut)) return { ...tool, cut };
  const count = { full: cut, uncut: longest }[tool.ideal] ?? Math.min(longest, cut);
  return { ...tool, cut, worths: new Map([...levels].map((g) => [g, gainOf(tool.gain, g)])), weights: weightsOf(tool, count) };
}

// Add what a tool says of one query. One that was asked, and found nothing, is not missing.
function addValue(says, tool, list, { unnamed, isInVain }) {
  const isAbsent = !list.found.length;
  if (unnamed && tiesById(tool) && orderOf(list, tool).some((x, i, all) => x.score > -Infinity && x.score === all[i + 1]?.score)) says.why = "breaks ties by id, and the table has no column of documents";
  else if (isAbsent && !isInVain && tool.missing !== "zero") says.values.push(NaN);
  else if (isAbsent && tool.needs_list) says.values.push(0); // or it would be 0/0, whatever was judged
  else {
    const { value, isEmpty } = valueIn(list, tool);
    if (isEmpty && tool.empty === "raise") says.why = "stops at a query with nothing relevant";
    says.values.push(value);
  }
}

function conclude({ why, values }, rounding) {
  const mean = why ? NaN : meanOf(values, rounding);
  if (Number.isNaN(mean)) return { why: why || "leaves out every query" };
  return { mean, values, queries: values.filter((x) => !Number.isNaN(x)).length };
}

// What each tool says of each run: its mean and the values of the queries; or `why` it has none.
export function evaluate(problem, tools, k = null) {
  const { judged, runs, unnamed } = problem;
  const sizes = [...judged.values(), ...runs.flatMap(({ results }) => [...results.values()])].map((x) => x.size);
  const levels = new Set([0]);
  for (const documents of judged.values()) for (const { grade } of documents.values()) levels.add(grade);
  const all = { ...problem, levels, longest: sizes.reduce((a, b) => Math.max(a, b), 1) };
  const every = tools.map((tool) => prepare(tool, all, k));
  const says = every.map((tool) => runs.map((run) => ({ why: refusal(tool, all, run), values: [] })));
  runs.forEach((run, r) => {
    for (const [q, documents] of judged) {
      const rows = run.results.get(q);
      const list = listsOf(documents, rows, run.score);
      const others = rows?.has(q) ? listsOf(documents, withoutSelf(rows, q), run.score) : list;
      const isInVain = run.inVain.has(q);
      every.forEach((tool, t) => { if (!says[t][r].why) addValue(says[t][r], tool, tool.ignore_self ? others : list, { unnamed, isInVain }); });
    }
  });
  return { queries: [...judged.keys()], says: says.map((one, t) => one.map((x) => conclude(x, every[t].rounding))) };
}

// The paired t-test of two runs, over the queries that both have a value for; nothing where there are too few, as in `compare`.
const FEWEST = 5;
export function compareRuns(problem, ours, k) {
  const [[a, b]] = evaluate(problem, [ours], k).says;
  const differences = a.values && b?.values ? b.values.map((x, i) => x - a.values[i]).filter((x) => !Number.isNaN(x)) : [];
  return differences.length < FEWEST ? null : { ...pairedT(differences), queries: differences.length };
}

// One query's results in the order of a tool, with their grades and scores, and the judged ones that were not retrieved.
export function listIn(problem, run, query, tool) {
  const [documents, { results, score }] = [problem.judged.get(query), problem.runs[run]];
  const all = results.get(query) ?? new Map();
  const rows = tool.ignore_self ? withoutSelf(all, query) : all;
  const graded = (id) => ({ id, grade: documents.get(id)?.grade ?? 0, judged: documents.has(id) });
  const shown = [...rows].map(([id, row]) => ({ ...graded(id), gain: gainOf(tool.gain, graded(id).grade), score: scoreIn(tool, score[row]) }));
  const missed = [...documents.keys()].filter((id) => !rows.has(id)).map(graded).sort((a, b) => falling(a.grade, b.grade));
  return { shown: inOrder(shown, tool.ties).filter((x) => x.score > -Infinity), missed };
}
