// Judgements and runs as text: lines of TREC, tables with a header, JSON.
// The rules are those of ndcg_nb.hood.tables, and a line that is wrong is named in the same words.

export class Unreadable extends Error {}
const unreadable = (text) => { throw new Unreadable(text); };

// ---- How Python writes what it names ----

const ESCAPED = { "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t" };
const coded = (c) => {
  const [code, width, letter] = [c.codePointAt(0), c.length > 1 ? 8 : c > "\xff" ? 4 : 2, c.length > 1 ? "U" : c > "\xff" ? "u" : "x"];
  return `\\${letter}${code.toString(16).padStart(width, "0")}`;
};
const repr = (text) => {
  const quote = text.includes("'") && !text.includes('"') ? '"' : "'";
  const inner = text.replace(/[\\\n\r\t]/g, (c) => ESCAPED[c]).replace(/(?! )[\p{C}\p{Z}]/gu, coded);
  return `${quote}${quote === "'" ? inner.replaceAll("'", "\\'") : inner}${quote}`;
};

/** A text in quotation marks, in 60 characters at most. */
export function brief(text) {
  const points = [...text];
  const whole = repr(points.slice(0, 60).join(""));
  if ([...whole].length <= 60) return whole;
  const short = [...repr([...points.slice(0, 28), ...points.slice(points.length - 29)].join(""))];
  return `${short.slice(0, 28).join("")}...${short.slice(-29).join("")}`;
}

export const thousands = (n) => String(n).replace(/\B(?=(\d{3})+$)/g, ",");
const named = (names, most) => names.slice(0, most).map(brief).join(", ") + (names.length > most ? ` and ${thousands(names.length - most)} more` : "");

/** A float as Python writes it, which is what an id becomes that JSON has as one. */
export function floatText(x) {
  if (!Number.isFinite(x)) return Number.isNaN(x) ? "nan" : x > 0 ? "inf" : "-inf";
  const [digits, exponent] = x.toExponential().split("e").map((part, i) => (i ? Number(part) : part));
  if (exponent < -4 || exponent > 15) return `${digits}e${exponent < 0 ? "-" : "+"}${String(Math.abs(exponent)).padStart(2, "0")}`;
  const text = Object.is(x, -0) ? "-0" : String(x);
  return Number.isInteger(x) ? `${text}.0` : text;
}

// ---- Numbers ----

const DECIMAL = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i;
const WORD = /^[+-]?(?:(inf(?:inity)?)|nan)$/i;
const LARGEST = 2 ** 53;
const TOO_LARGE = "above 2**53, where a float cannot tell neighbours apart: rescale";
const bare = (text) => text.replace(/^[ \t\n\r\v\f]+|[ \t\n\r\v\f]+$/g, "");

/** A number as files have it; undefined for what is none. */
function numberIn(text) {
  const plain = bare(text);
  if (DECIMAL.test(plain)) return Number(plain);
  const word = plain.match(WORD);
  return word ? (word[1] ? (plain[0] === "-" ? -Infinity : Infinity) : NaN) : undefined;
}

/** Whether a number is written as a whole one, and is so large that a float may be another. */
function isTooLarge(text) {
  const digits = text.match(/^[+-]*(\d+)$/)?.[1];
  return digits !== undefined && BigInt(digits) > BigInt(LARGEST);
}

// ---- Lines of TREC ----

const LAYOUTS = {
  grade: { what: "judgements", fields: ["query", "iteration", "document", "grade"], at: [0, 2, 3], more: false },
  score: { what: "results", fields: ["query", "Q0", "document", "rank", "score", "tag"], at: [0, 2, 4], more: true },
};
const SWAPPED = {
  score: "This looks like a run: give judgements (QRELS) first, then the run",
  grade: "This looks like judgements: give them (QRELS) first, then the run",
};
const OTHER = { grade: "score", score: "grade" };

/** Call `act` with each line that says something and its number: neither blank, nor a comment. */
function eachLine(text, act) {
  for (let [from, number] = [0, 1]; from < text.length; number += 1) {
    const end = text.indexOf("\n", from);
    const line = text.slice(from, end < 0 ? text.length : end);
    if (line[0] !== "#" && /[^ \t\r\v\f]/.test(line)) act(line, number);
    from = end < 0 ? text.length : end + 1;
  }
}

/** What is wrong with a line; nothing, if all is well. */
function faultOf(line, fields, value) {
  const { fields: wanted, at, more } = LAYOUTS[value];
  if (fields.length < wanted.length || (fields.length > wanted.length && !more)) {
    return `expected ${wanted.length} fields (${wanted.join(", ")}), got ${fields.length}: ${brief(bare(line))}`;
  }
  if (line.includes("\r") && bare(line).includes("\r")) return `a carriage return within the line, which ends no line here: ${brief(bare(line))}`;
  const [written, number] = [fields[at[2]], numberIn(fields[at[2]])];
  if (number === undefined) return `the ${value} is ${brief(written)}, not a number: ${brief(bare(line))}`;
  if (Math.abs(number) >= LARGEST && isTooLarge(written)) return `the ${value} is ${brief(written).slice(1, -1)}, ${TOO_LARGE}`;
  return Number.isNaN(number) ? `the ${value} is nan: ${brief(bare(line))}` : "";
}

function whatElse(line, fields, value) {
  if (fields.length === 1 && line.includes(",")) return `: if this is a header, rename its columns, e.g. 'query,document,${value}'; if not, add one`;
  return fields.length === LAYOUTS[OTHER[value]].fields.length ? `. ${SWAPPED[OTHER[value]]}` : "";
}

/** Five faults at most, and how many more there are. */
class Faults {
  first = [];
  count = 0;
  add(fault) {
    this.count += 1;
    if (this.count <= 5) this.first.push(fault);
  }
  tell() {
    if (this.count) unreadable([...this.first, ...(this.count > 5 ? [`… and ${thousands(this.count - 5)} more lines`] : [])].join("\n"));
  }
}

function readLines(text, value, name) {
  const rows = { query: [], document: [], value: [] };
  const [faults, { at, what }] = [new Faults(), LAYOUTS[value]];
  let last = "";
  eachLine(text, (line, number) => {
    const fields = line.match(/[^ \t\r\v\f]+/g);
    const fault = faultOf(line, fields, value);
    if (fault) {
      const other = rows.value.length || faults.count ? "" : whatElse(line, fields, value);
      if (other) unreadable(`${name}:${number}: ${fault}${other}`);
      faults.add(`${name}:${number}: ${fault}`);
    } else if (!faults.count) {
      last = fields[at[0]] === last ? last : fields[at[0]]; // one string for all rows of a query
      rows.query.push(last);
      rows.document.push(fields[at[1]]);
      rows.value.push(numberIn(fields[at[2]]));
    }
  });
  faults.tell();
  if (!rows.value.length) unreadable(`${name} has no ${what} in it, only blank lines or comments`);
  return { ...rows, place: (i) => `${name}:${lineOf(text, i)}` };
}

/** The number of the line in which a row stands, which is looked for only when it is asked for. */
function lineOf(text, row) {
  let [count, found] = [0, 0];
  eachLine(text, (_, number) => {
    if (count === row) found = number;
    count += 1;
  });
  return found;
}

// ---- Columns, by their names ----

/** The column in each role, as far as it is there. */
function findColumns(names, wanted, roles, table) {
  const key = (x) => x.trim().toLowerCase().replace(/[- ]/g, "_");
  const found = {};
  for (const role of wanted) {
    const tiers = roles[role].map((tier) => tier.flatMap((x) => [...new Set(names)].filter((name) => key(name) === x)));
    const known = tiers.find((tier) => tier.length) ?? [];
    if (known.length > 1) unreadable(`${table} has ${known.map(repr).join(" and ")}: which is the ${role}? Rename the other`);
    if (known.length) [found[role]] = known;
  }
  return found;
}

function refuseColumns(found, needed, names, roles, table, hint = "") {
  const lacking = needed.filter((role) => !(role in found));
  if (!lacking.length) return;
  unreadable(`${table} has no column for ${lacking.join(" and ")}, only ${named(names, 10)}. Known names are ${roles[lacking[0]].at(-1).join(", ")}, …${hint}`);
}

function findNeeded(names, value, roles, table) {
  const found = findColumns(names, ["query", "document", value, "rank"], roles, table);
  const beir = value === "grade" && !found.grade && names.includes("score") && /^\s*corpus[-_ ]id\s*$/i.test(found.document ?? "");
  if (beir) found.grade = "score"; // whose tables call grades scores
  const ranked = value === "score" && !found.score && found.rank;
  const hint = OTHER[value] in findColumns(names, [OTHER[value]], roles, table) ? `. ${SWAPPED[OTHER[value]]}` : "";
  refuseColumns(found, ["query", "document", ranked ? "rank" : value], names, roles, table, hint);
  return found;
}

// ---- Tables with a header ----

/** The fields of a line are added to those before; what is given back is the text of a quoted field that goes on. */
function addFields(fields, line, delimiter, open, fail) {
  for (let i = 0; ;) {
    if (open === null && line[i] !== '"') {
      const j = line.indexOf(delimiter, i);
      fields.push(line.slice(i, j < 0 ? line.length : j));
      if (j < 0) return null;
      i = j + 1;
    } else {
      if (open === null) [open, i] = ["", i + 1];
      const j = line.indexOf('"', i);
      if (j < 0) return open + line.slice(i);
      open += line.slice(i, j);
      if (line[j + 1] === '"') [open, i] = [`${open}"`, j + 2];
      else {
        let end = j + 1;
        if (end < line.length && line[end] !== delimiter) {
          fail?.(`'${delimiter}' expected after '"'`);
          end = line.indexOf(delimiter, end);
          open += line.slice(j + 1, end < 0 ? line.length : end);
        }
        fields.push(open);
        if (end < 0 || end === line.length) return null;
        [open, i] = [null, end + 1];
      }
    }
  }
}

/** Call `act` with the fields of each row and the number of its last line. */
function eachRow(text, delimiter, name, act) {
  const ends = /\r\n|\n|\r/g;
  let [fields, open, number] = [[], null, 0];
  for (let from = 0; from < text.length;) {
    const end = ends.exec(text);
    const line = text.slice(from, end ? end.index : text.length);
    number += 1;
    from = end ? ends.lastIndex : text.length;
    if (line || open !== null) {
      open = addFields(fields, line, delimiter, open, (why) => unreadable(`${name}:${number}: ${why}`));
      if (open !== null) open += end?.[0] ?? "";
      else {
        act(fields, number);
        fields = [];
      }
    }
  }
  if (open !== null) unreadable(`${name}:${number}: unexpected end of data`);
}

function headerOf(text, roles, name) {
  const [line] = text.slice(0, 2 ** 16).split(/[\r\n]/, 1);
  for (const delimiter of [",", "\t", ";"].filter((x) => line.includes(x))) {
    const names = [];
    const open = addFields(names, line, delimiter, null);
    if (open !== null) names.push(open);
    const found = findColumns(names, ["query", "grade", "score", "rank"], roles, name);
    if (found.query && Object.keys(found).length > 1) return { names, delimiter };
  }
  return null;
}

function readDelimited(text, { names, delimiter }, roles, name) {
  if (new Set(names).size < names.length) unreadable(`${name}:1: two columns have the same name: ${names.join(", ")}`);
  const found = findColumns(names, ["query", "document", "grade", "score", "rank"], roles, name);
  const at = (some) => some.filter((role) => role in found).map((role) => names.indexOf(found[role]));
  const [ids, numbers, faults] = [at(["query", "document"]), at(["grade", "score", "rank"]), new Faults()];
  const [columns, lines] = [names.map(() => []), []];
  const wrong = (fields) => {
    if (fields.length !== names.length) return `expected ${names.length} fields (${names.join(", ")}), got ${fields.length}: ${brief(fields.join(","))}`;
    const empty = ids.find((i) => !fields[i]);
    if (empty !== undefined) return `${names[empty]} is empty: ${brief(fields.join(","))}`;
    for (const i of numbers) {
      const value = fields[i] ? numberIn(fields[i]) : 0;
      if (value === undefined) return `${names[i]} is ${brief(fields[i])}, not a number`;
      if (Math.abs(value) >= LARGEST && isTooLarge(fields[i])) return `${names[i]} is ${brief(fields[i]).slice(1, -1)}, ${TOO_LARGE}`;
    }
    return "";
  };
  let header = true;
  eachRow(text, delimiter, name, (fields, number) => {
    if (header) {
      header = false;
      return;
    }
    const fault = wrong(fields);
    if (fault) faults.add(`${name}:${number}: ${fault}`);
    else if (!faults.count) {
      lines.push(number);
      for (const i of [...ids, ...numbers]) columns[i].push(numbers.includes(i) ? (fields[i] ? numberIn(fields[i]) : NaN) : fields[i]);
    }
  });
  faults.tell();
  const column = (x) => columns[names.indexOf(x)];
  return { names, size: lines.length, ids: column, numbers: column, place: (i) => `${name}:${lines[i]}` };
}

// ---- JSON, which JavaScript's own would read in another order and with other numbers ----

class Digits {
  constructor(text) {
    this.text = text;
  }
  get whole() {
    return /^-?\d+$/.test(this.text);
  }
  get id() {
    return this.whole ? String(BigInt(this.text)) : floatText(Number(this.text));
  }
}
const STRING = /"[^"\\\x00-\x1f]*"/y;
const ESCAPES = /"(?:[^"\\\x00-\x1f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/y;
const NUMERAL = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|-?Infinity|NaN/y;
const LITERALS = { true: true, false: false, null: null };

/** The value in a text, and where it ends: objects are Maps, which keep their order. */
function parseJson(text) {
  let at = 0;
  const fail = (why) => {
    const line = text.slice(0, at).split("\n");
    unreadable(`${why}: line ${line.length} column ${line.at(-1).length + 1} (char ${at})`);
  };
  const skip = () => { while (" \t\n\r".includes(text[at] ?? "x")) at += 1; };
  const take = (pattern) => {
    pattern.lastIndex = at;
    const found = pattern.exec(text)?.[0];
    if (found !== undefined) at += found.length;
    return found;
  };
  const string = () => {
    const plain = take(STRING);
    if (plain !== undefined) return plain.slice(1, -1);
    const escaped = take(ESCAPES);
    return escaped === undefined ? fail("Unterminated or invalid string starting at") : JSON.parse(escaped);
  };
  const each = (end, one) => {
    at += 1;
    skip();
    if (text[at] === end) { at += 1; return; }
    for (;;) {
      one();
      skip();
      if (text[at] === end) { at += 1; return; }
      if (text[at] !== ",") fail("Expecting ',' delimiter");
      at += 1;
      skip();
    }
  };
  const value = () => {
    const c = text[at];
    if (c === '"') return string();
    if (c === "{") {
      const made = new Map();
      each("}", () => {
        if (text[at] !== '"') fail("Expecting property name enclosed in double quotes");
        const key = string();
        skip();
        if (text[at] !== ":") fail("Expecting ':' delimiter");
        at += 1;
        skip();
        const inner = value();
        if (made.has(key)) unreadable(`${brief(key)} appears twice in the same object`);
        made.set(key, inner);
      });
      return made;
    }
    if (c === "[") {
      const made = [];
      each("]", () => made.push(value()));
      return made;
    }
    const numeral = take(NUMERAL);
    if (numeral !== undefined) return new Digits(numeral);
    const literal = Object.keys(LITERALS).find((x) => text.startsWith(x, at));
    if (literal === undefined) fail("Expecting value");
    at += literal.length;
    return LITERALS[literal];
  };
  skip();
  const whole = value();
  skip();
  return { whole, end: at, fail };
}

const attempt = (what, act) => {
  try {
    return act();
  } catch (error) {
    if (!(error instanceof Unreadable) && !(error instanceof RangeError)) throw error; // it is nested too deep
    return unreadable(`${what} is no JSON that can be read: ${error.message}`);
  }
};
const written = (x) => {
  if (x instanceof Map || Array.isArray(x)) return x instanceof Map ? "an object" : "a list";
  return x instanceof Digits ? x.text : typeof x === "string" ? brief(x) : String(x);
};

function jsonItems(text, name) {
  return attempt(name, () => {
    const { whole, end, fail } = parseJson(text);
    if (end < text.length && !text.slice(0, end).includes("\n")) fail("Extra data");
    if (end === text.length) return Array.isArray(whole) ? [whole, (i) => `${name}[${i}]`] : [[whole], () => name];
    return null;
  }) ?? jsonLines(text, name);
}

function jsonLines(text, name) {
  const [items, lines] = [[], []];
  eachLine(text, (line, number) => {
    lines.push(number);
    items.push(attempt(`${name}:${number}`, () => {
      const { whole, end, fail } = parseJson(bare(line));
      return end < bare(line).length ? fail("Extra data") : whole;
    }));
  });
  return [items, (i) => `${name}:${lines[i]}`];
}

const isNested = (x) => x instanceof Map || Array.isArray(x);
const idIn = (x, place) => {
  if (typeof x === "string") return x;
  if (x === null || x === undefined || x?.text === "NaN") return unreadable(`${place()} has no id, but ${x?.text ? "nan" : "None"}`);
  return x instanceof Digits ? x.id : unreadable(`${place()} is ${written(x)}: an id is a string or a number`);
};
const numberOf = (x, place) => {
  if (x === null || x === undefined) return NaN;
  if (typeof x === "boolean") return Number(x);
  if (!(x instanceof Digits)) unreadable(`${place()} is ${written(x)}, not a number${typeof x === "string" ? ": write it without quotation marks" : ""}`);
  if (x.whole && isTooLarge(x.text)) unreadable(`${place()} is ${x.text.length > 40 ? "a number of more than 40 digits" : x.text}, ${TOO_LARGE}`);
  return Number(x.text);
};

/** A table with an object in each row; or else queries, each with its documents. */
function readJson(text, roles, name) {
  const [items, place] = jsonItems(text, name);
  const other = items.findIndex((x) => !(x instanceof Map));
  if (other >= 0) unreadable(`${place(other)} is ${written(items[other])}: give {query: {document: number}}, or an object for each row, such as {"query": …, "document": …, "score": …}`);
  const first = items[0] ?? new Map();
  const nested = [...first.values()].map(isNested);
  const hasQuery = () => {
    const { query } = findColumns([...first.keys()], ["query"], roles, name);
    return query !== undefined && !isNested(first.get(query));
  };
  if (nested.every(Boolean) || (nested.some(Boolean) && !hasQuery())) return { pairs: items.flatMap((item) => [...item]) };
  const column = (x, read) => items.map((item, i) => read(item.get(x), () => `${place(i)}, column ${repr(x)}`));
  return {
    names: [...new Set(items.flatMap((item) => [...item.keys()]))], size: items.length, place,
    ids: (x) => column(x, idIn), numbers: (x) => column(x, numberOf),
  };
}

const isRanking = (x) => Array.isArray(x) && x.every((id) => typeof id === "string" || typeof id === "boolean" || (id instanceof Digits && id.whole));

function rowsOfPairs(pairs, value, name) {
  const rows = { query: [], document: [], value: [], called: [] };
  for (const [query, inner] of pairs) {
    if (!(inner instanceof Map) && !(value === "score" && isRanking(inner))) {
      const list = value === "score" ? ", or a list of documents, the best first" : "";
      unreadable(`${name}[${repr(query)}] is ${written(inner)}: give {document: ${value}}${list}${isRanking(inner) ? `. ${SWAPPED.score}` : ""}`);
    }
  }
  for (const [query, inner] of pairs) {
    let rank = 0;
    for (const [document, x] of inner instanceof Map ? inner : inner.map((id) => [id, null])) {
      rank += 1;
      const id = idIn(document, () => `${name}[${repr(query)}], a document`);
      rows.query.push(query);
      rows.document.push(id);
      rows.called.push(document);
      rows.value.push(inner instanceof Map ? numberOf(x, () => `${name}[${repr(query)}][${repr(id)}]`) : -rank);
    }
  }
  return { ...rows, place: (i) => `${name}[${repr(rows.query[i])}][${rows.called[i].text ?? repr(rows.called[i])}]` };
}

// ---- Whatever it is ----

const isJson = (text) => /^[\ufeff \t\r\n]*[{[]/.test(text.slice(0, 64));
const withoutMark = (text) => (text[0] === "\ufeff" ? text.slice(1) : text);

function tableIn(text, roles, name) {
  if (isJson(text)) return readJson(withoutMark(text), roles, name);
  const header = headerOf(withoutMark(text), roles, name);
  return header && readDelimited(withoutMark(text), header, roles, name);
}

/** The rows of judgements (value is "grade") or of results ("score"). */
export function readRows(text, value, name, roles) {
  const { what } = LAYOUTS[value];
  if (!text.length) unreadable(`${name} is empty: there are no ${what} in it`);
  const table = tableIn(text, roles, name);
  if (!table) return { name, ...readLines(withoutMark(text), value, name) };
  const rows = table.pairs ? rowsOfPairs(table.pairs, value, name) : rowsOfTable(table, value, name, roles);
  if (!rows.value.length) unreadable(`${name} has no ${what} in it`);
  return { name, ...rows };
}

function rowsOfTable(table, value, name, roles) {
  const found = findNeeded(table.names, value, roles, name);
  const [query, document] = [table.ids(found.query), table.ids(found.document)];
  if (value in found) return { query, document, value: table.numbers(found[value]), place: table.place };
  const rank = table.numbers(found.rank);
  const bad = rank.findIndex((x) => !Number.isFinite(x));
  if (bad >= 0) unreadable(`${table.place(bad)}: the rank is ${floatText(rank[bad])}. Leave out what was not retrieved`);
  return { query, document, value: rank.map((x) => -x), place: table.place };
}

/** The rows of one table with grades and scores, NaN where there is none. */
export function readJoined(text, name, roles) {
  if (!text.length) unreadable(`${name} is empty: there are no lines in it`);
  const table = tableIn(text, roles, name);
  if (!table || table.pairs) unreadable(`${name} has no header: give judgements and a run, or one table with grades and scores`);
  const found = findColumns(table.names, Object.keys(roles), roles, name);
  const ranked = !found.score && found.rank;
  refuseColumns(found, ["query", "grade", ranked ? "rank" : "score"], table.names, roles, name);
  const query = table.ids(found.query);
  const document = found.document === undefined ? query.map((_, i) => `row ${i}`) : table.ids(found.document);
  const [grade, score] = [table.numbers(found.grade), table.numbers(found[ranked ? "rank" : "score"])];
  const neither = grade.findIndex((g, i) => Number.isNaN(g) && Number.isNaN(score[i]));
  if (neither >= 0) unreadable(`${table.place(neither)} has neither a grade nor a score`);
  return { name, query, document, grade, score: ranked ? score.map((x) => -x) : score, place: table.place, unnamed: found.document === undefined };
}

const inRoles = ({ grade, score, rank, document }) => {
  if (grade !== undefined) return score !== undefined || rank !== undefined ? "joined" : "grade";
  return score !== undefined && /^\s*corpus[-_ ]id\s*$/i.test(document ?? "") ? "grade" : "score";
};

/** What a text seems to be, by its beginning: "joined", "grade" or "score"; null where it cannot be told. */
export function kindOf(text, roles) {
  const head = withoutMark(text.slice(0, 2 ** 16));
  try {
    if (isJson(head)) return kindOfJson(head, roles);
    const header = headerOf(head, roles, "");
    if (header) return inRoles(findColumns(header.names, Object.keys(roles), roles, ""));
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error;
    return null;
  }
  let fields = 0;
  eachLine(head, (line) => { fields ||= line.match(/[^ \t\r\v\f]+/g).length; });
  return fields === LAYOUTS.grade.fields.length ? "grade" : fields >= LAYOUTS.score.fields.length ? "score" : null;
}

function kindOfJson(head, roles) {
  if (/^\s*\{\s*"(?:[^"\\]|\\.)*"\s*:\s*\[/.test(head)) return "score";
  const inner = head.match(/\{([^{}[\]]*)(?:\}|$)/)?.[1] ?? "";
  const pairs = [...inner.matchAll(/"((?:[^"\\]|\\.)*)"\s*:\s*([^,]*)/g)];
  const found = findColumns(pairs.map((x) => x[1]), Object.keys(roles), roles, "");
  if (found.query !== undefined && Object.keys(found).length > 1) return inRoles(found);
  return pairs.every((x) => /^\d+\s*$/.test(x[2])) ? "grade" : "score";
}

/** The text of a file; what is no text is refused. */
export function textOf(bytes, name) {
  const magic = { "Parquet": [80, 65, 82, 49], "packed with bzip2": [66, 90, 104], "packed with xz": [253, 55, 122, 88, 90, 0], "packed with zstd": [40, 181, 47, 253] };
  const kind = Object.keys(magic).find((x) => magic[x].every((byte, i) => bytes[i] === byte));
  if (kind) unreadable(`${name} is ${kind}, which a page cannot read: evaluate(…) in Python can`);
  const decode = (some) => new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(some);
  try {
    return decode(bytes);
  } catch {
    let [from, line] = [0, 1];
    for (; ; line += 1) {
      const end = bytes.indexOf(10, from);
      try { decode(bytes.subarray(from, end < 0 ? bytes.length : end)); } catch { break; }
      from = end + 1;
    }
    return unreadable(`${name}:${line}: this line is no UTF-8: save the file as UTF-8`);
  }
}
