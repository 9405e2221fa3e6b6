// Judgements and runs as text: lines of TREC, tables with a header, JSON. What cannot be read is refused, with its place.
// A table that was read has columns by their role (query, document, grade, score or rank), and knows where each row is.
export class Unreadable extends Error {}
export const unreadable = (text) => { throw new Unreadable(text); };
export const quote = (text) => `“${text.length > 60 ? `${text.slice(0, 57)}…` : text}”`;

const MOST_FAULTS = 5; // that are told at once

// ---- Numbers ----

const DECIMAL = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i;
const INFINITE = /^([+-]?)inf(?:inity)?$/i;

// A number as files have it; undefined for anything else, and for a whole number so large that its neighbours would tie.
function numberIn(text) {
  const plain = text.trim();
  if (DECIMAL.test(plain)) return /^[+-]?\d{16,}$/.test(plain) && !Number.isSafeInteger(Number(plain)) ? undefined : Number(plain);
  const infinite = plain.match(INFINITE);
  return infinite ? (infinite[1] === "-" ? -Infinity : Infinity) : undefined;
}

// ---- Columns, by their names ----

const ROLES = ["query", "document", "grade", "score", "rank"];
const isNumeric = (role) => role === "grade" || role === "score" || role === "rank";

// The column in each role, as far as there is one. Python sends the names by which columns are known, the clearest first.
function findColumns(names, known, table) {
  const key = (x) => x.trim().toLowerCase().replace(/[- ]/g, "_");
  const found = {};
  for (const role of ROLES) {
    const tiers = known[role].map((tier) => names.filter((name) => tier.includes(key(name))));
    const first = tiers.find((tier) => tier.length) ?? [];
    if (first.length > 1) unreadable(`${table} has ${first.map(quote).join(" and ")}: which is the ${role}? Rename the other`);
    if (first.length) [found[role]] = first;
  }
  return found;
}

// BEIR's files call the grades of judgements scores; their documents are in a column "corpus-id".
const gradesAreScores = ({ document, grade, score }) => !grade && score && /^\s*corpus[-_ ]id\s*$/i.test(document ?? "");
const kindIn = (found) => {
  if (gradesAreScores(found)) return "grade";
  return found.grade ? (found.score || found.rank ? "joined" : "grade") : "score";
};

// ---- Tables in cells ----

// Call `act` with the cells of each row and the number of its first line. A cell in quotation marks may hold anything.
function eachRow(text, delimiter, name, act) {
  const cell = new RegExp(`(?:"([^"]*(?:""[^"]*)*)"|([^${delimiter}\\r\\n]*))(${delimiter}|\\r\\n|\\n|\\r|$)`, "y");
  let [cells, line, lines] = [[], 1, 1];
  while (cell.lastIndex < text.length) {
    const [, quoted, plain, end] = cell.exec(text);
    if (plain?.startsWith('"')) unreadable(`${name}, line ${lines}: a quotation mark that begins a field must also end it`);
    cells.push(quoted === undefined ? plain : quoted.replaceAll('""', '"'));
    lines += (quoted?.match(/\r\n|\n|\r/g)?.length ?? 0) + (end !== delimiter);
    if (end === delimiter) continue;
    if (cells.length > 1 || cells[0]) act(cells, line);
    [cells, line] = [[], lines];
  }
}

// What is wrong with the cells of a row; nothing, if all is well.
function badRow(cells, names, wanted) {
  if (cells.length !== names.length) return `expected ${names.length} fields (${names.join(", ")}), got ${cells.length}: ${quote(cells.join(" "))}`;
  const [role, i] = wanted.find(([x, at]) => (isNumeric(x) ? cells[at] && numberIn(cells[at]) === undefined : !cells[at])) ?? [];
  return role === undefined ? "" : isNumeric(role) ? `the ${role} is ${quote(cells[i])}, not a number${/^[+-]?\d+,\d+$/.test(cells[i]) ? " (write a point, not a comma)" : ""}: ${quote(cells.join(" "))}` : `the ${role} is empty: ${quote(cells.join(" "))}`;
}

// The columns that have a role. `each` calls a function with the cells of each row and its line.
function readCells(each, names, found, name) {
  const wanted = Object.entries(found).map(([role, column]) => [role, names.indexOf(column)]);
  const [columns, lines, faults] = [Object.fromEntries(wanted.map(([role]) => [role, []])), [], []];
  each((cells, line) => {
    const fault = badRow(cells, names, wanted);
    if (fault) faults.push(`${name}, line ${line}: ${fault}`);
    if (faults.length === MOST_FAULTS) unreadable([...faults, "and perhaps more"].join("\n"));
    if (faults.length) return;
    for (const [role, i] of wanted) columns[role].push(isNumeric(role) ? (cells[i] ? numberIn(cells[i]) : NaN) : cells[i]);
    lines.push(line);
  });
  if (faults.length) unreadable(faults.join("\n"));
  return { columns, names, found, place: (i) => `${name}, line ${lines[i]}` };
}

// A table with a header, which names a query and a number; null for other texts.
function readDelimited(text, known, name) {
  const [line] = text.slice(0, 2 ** 16).split(/[\r\n]/, 1);
  for (const delimiter of [",", "\t", ";"].filter((x) => line.includes(x))) {
    let names = [];
    eachRow(line, delimiter, name, (cells) => { names = cells; });
    const found = findColumns(names, known, name);
    const below = (act) => eachRow(text, delimiter, name, (cells, at) => { if (at > 1) act(cells, at); });
    if (found.query && Object.keys(found).some(isNumeric)) return readCells(below, names, found, name);
  }
  return null;
}

const LAYOUTS = { grade: ["query", "iteration", "document", "grade"], score: ["query", "Q0", "document", "place", "score", "tag"] };
const fieldsOf = (line) => line.match(/[^ \t\r\v\f]+/g) ?? [];

// Whether the fields of a line are those of judgements or of a run.
function fits(fields, kind) {
  const enough = kind === "grade" ? fields.length === 4 : fields.length >= 6;
  return enough && numberIn(fields[LAYOUTS[kind].indexOf(kind)]) !== undefined;
}

// What lines of TREC are: what was asked for, unless the first is one of the other kind.
function kindOfLines(text, wanted) {
  const fields = fieldsOf(text.match(/^(?!#)[^\n]*\S[^\n]*/m)?.[0] ?? "");
  if (!wanted) return fields.length > 4 ? "score" : "grade";
  const other = wanted === "grade" ? "score" : "grade";
  return fits(fields, other) ? other : wanted;
}

// Lines of TREC, of judgements or of a run; blank lines and comments do not count, and tags may have spaces.
function readTrec(text, name, wanted) {
  let [tag, number] = ["", 0];
  const each = (act) => {
    for (let from = 0; from < text.length;) {
      const end = text.indexOf("\n", from) < 0 ? text.length : text.indexOf("\n", from);
      const fields = text[from] === "#" ? [] : fieldsOf(text.slice(from, end));
      [from, number] = [end + 1, number + 1];
      if (!fields.length) continue;
      tag ||= fields.slice(5).join(" ");
      act(fields.length > 5 ? [...fields.slice(0, 5), fields.slice(5).join(" ")] : fields, number);
    }
  };
  const kind = kindOfLines(text, wanted);
  const found = Object.fromEntries(["query", "document", kind].map((role) => [role, role]));
  return { ...readCells(each, LAYOUTS[kind], found, name), tag };
}

// ---- JSON ----

const MARK = "\u0001"; // before a key that is a whole number: JavaScript would move it to the front
const keyOf = (key) => key.replace(MARK, "");

function parse(text, name) {
  try {
    return JSON.parse(text.replace(/"(\d+)"(?=\s*:)/g, '"\\u0001$1"'));
  } catch (error) {
    return unreadable(`${name} is not JSON: ${error.message}`);
  }
}

// An id in a list: a text, or a whole number that JavaScript keeps.
const idIn = (id, place) => (typeof id === "string" || Number.isSafeInteger(id) ? String(id) : unreadable(`${place} is ${quote(JSON.stringify(id))}: give each id as a text`));

// Queries with their documents: {query: {document: number}}, or {query: [best, …]}.
function readJson(text, name) {
  const parsed = parse(text, name);
  if (Array.isArray(parsed)) unreadable(`${name} is a list: give {query: {document: number}} or a table with a header, or use evaluate(…) in Python`);
  const [query, document, value] = [[], [], []];
  const place = (q, id) => `${name}, document ${quote(keyOf(String(id)))} of ${quote(keyOf(q))}`;
  let keys = Object.keys(parsed).length;
  for (const [q, inner] of Object.entries(parsed)) {
    if (typeof inner !== "object" || inner === null) unreadable(`${name} has ${quote(String(inner))} for ${quote(keyOf(q))}: give {document: number}`);
    keys += Array.isArray(inner) ? 0 : Object.keys(inner).length;
    const pairs = Array.isArray(inner) ? inner.map((id, rank) => [idIn(id, place(q, rank + 1)), -rank - 1]) : Object.entries(inner);
    for (const [id, x] of pairs) {
      const number = typeof x === "string" ? numberIn(x) : x;
      if (typeof number !== "number") unreadable(`${place(q, id)} is ${quote(JSON.stringify(x))}, not a number`);
      query.push(keyOf(q));
      document.push(keyOf(id));
      value.push(number);
    }
  }
  if (text.match(/"(?:[^"\\]|\\.)*"\s*:/g)?.length > keys) unreadable(`${name} has the same key twice in an object`);
  const isRanking = Object.values(parsed).some(Array.isArray);
  const inVain = Object.keys(parsed).filter((q) => !Object.keys(parsed[q]).length).map(keyOf); // asked, and nothing was found
  return { columns: { query, document, score: value, ...(isRanking ? {} : { grade: value }) }, place: (i) => place(query[i], document[i]), isNested: true, inVain };
}

// ---- Any of these ----

const isJson = (text) => /^\s*[{[]/.test(text.slice(0, 64));

// The table in a text, whatever its form. `wanted` says what it should be, "grade" or "score", so that a refusal names its fields.
export function readTable(text, name, known, wanted) {
  const plain = text[0] === "\ufeff" ? text.slice(1) : text;
  const table = isJson(plain) ? readJson(plain, name) : readDelimited(plain, known, name) ?? readTrec(plain, name, wanted);
  if (!table.columns.query?.length) unreadable(`${name} has no rows`);
  return { name, ...table };
}

const SWAPPED = { grade: "These look like judgements: put them into the first box", score: "This looks like a run: put it into a box for runs" };

// The rows of a table with one value each: its grade, or its score, for which a rank will do.
export function rowsOf({ name, columns, names, found, place, tag, inVain = [] }, kind, known) {
  const { query, document, rank } = columns;
  const instead = kind === "score" ? rank?.map((x) => -x) : found && gradesAreScores(found) ? columns.score : undefined;
  const value = columns[kind] ?? instead;
  const other = kind === "grade" ? "score" : "grade";
  const lacking = Object.entries({ query, document, [kind]: value }).filter(([, column]) => !column).map(([role]) => role);
  if (lacking.length) unreadable(`${name} has no ${lacking.join(" and no ")}. ${columns[other] ? SWAPPED[other] : `Its columns are ${(names ?? []).map(quote).join(", ")}; known names are ${known[lacking[0]].at(-1).join(", ")} …`}`);
  return { name, query, document, value, place, tag, inVain };
}

// What a text seems to be: "joined", "grade" or "score"; null where it cannot be told. Of lines, some are enough.
export function kindOf(text, known) {
  const head = isJson(text) || text.length < 2 ** 16 ? text : text.slice(0, text.lastIndexOf("\n", 2 ** 16));
  try {
    const { columns, found, isNested } = readTable(head, "", known);
    if (isNested) return columns.grade?.every(Number.isInteger) ? "grade" : "score";
    return kindIn(found ?? columns);
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error;
    return null;
  }
}

// ---- Files ----

const MAGIC = { Parquet: [80, 65, 82, 49], "a ZIP or Excel file": [80, 75, 3, 4], "packed with bzip2": [66, 90, 104], "packed with xz": [253, 55, 122, 88, 90, 0], "packed with zstd": [40, 181, 47, 253] };

// The text of a file; what is no text is refused.
export function textOf(bytes, name) {
  const kind = Object.keys(MAGIC).find((x) => MAGIC[x].every((byte, i) => bytes[i] === byte));
  if (kind) unreadable(`${name} is ${kind}, which this page cannot read: use evaluate(…) in Python`);
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return unreadable(`${name} is not UTF-8: save it as UTF-8`);
  }
}
