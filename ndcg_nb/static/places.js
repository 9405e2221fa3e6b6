// Where things are in a report: ticks, names that would overlap, and brackets beside a ladder; and words that can be seen.

// What would turn the direction of writing, or cannot be seen, is shown as in Python; \0 is before and after bold letters.
const HIDDEN = /[\x01-\x09\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ud800-\udfff]/gu;
const escaped = (sign) => { const code = sign.charCodeAt(0).toString(16); return code.length < 3 ? `\\x${code.padStart(2, "0")}` : `\\u${code}`; };
export const visible = (text) => text.replace(HIDDEN, (sign) => ({ "\t": "\\t", "\r": "\\r" }[sign] ?? escaped(sign)));

// Round numbers, two to seven, that enclose a range; their decimals; and where between the first and the last a number is.
export const axisOf = (numbers) => {
  const low = numbers.reduce((a, b) => Math.min(a, b));
  const high = numbers.reduce((a, b) => Math.max(a, b));
  const span = Math.max(high - low, 1e-4);
  const power = 10 ** Math.floor(Math.log10(span / 5));
  const step = [1, 2, 5, 10].map((x) => x * power).find((x) => x * 5 >= span);
  const first = Math.floor(low / step + 1e-9);
  const last = Math.max(Math.ceil(high / step - 1e-9), first + 1);
  const digits = Math.max(0, -Math.floor(Math.log10(step) + 1e-9));
  const ticks = Array.from({ length: last - first + 1 }, (_, i) => Number(((first + i) * step).toFixed(digits)));
  return { ticks, digits, place: (x) => (x - ticks[0]) / (ticks.at(-1) - ticks[0]) };
};

// Whole numbers from the first to the last, at most ten.
export const wholeTicks = ([first, last]) => {
  const [from, to] = [Math.ceil(first), Math.floor(last)];
  const step = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000].find((x) => (to - from) / x <= 9) ?? to - from;
  const between = Array.from({ length: to - from }, (_, i) => from + i).filter((x) => x % step === 0 && x - from >= step / 2 && to - x >= step / 2);
  return [...new Set([from, ...between, to])];
};

// Places in a column, moved until none is nearer to the next than a line of text.
export const movedApart = (places, gap, most) => {
  const order = places.map((_, i) => i).sort((i, j) => places[i] - places[j]);
  const moved = [...places];
  order.forEach((i, n) => { if (n) moved[i] = Math.max(moved[i], moved[order[n - 1]] + gap); });
  order.reverse().forEach((i, n) => { moved[i] = Math.min(moved[i], n ? moved[order[n - 1]] - gap : most); });
  return moved;
};

// The systems from the highest mean down.
export const orderOf = ({ rungs }) => rungs.map((_, i) => i).sort((i, j) => rungs[j].at[0] - rungs[i].at[0]);

// The systems of each bracket, from the top down, by the letters of their groups.
const BRACKETS = 8; // more would be no picture
export const bracketsOf = ({ groups }, order) => {
  const between = groups.some((x) => x.includes(",")) ? "," : ""; // after Z, letters are doubled
  const members = {};
  for (const i of order) for (const letter of new Set(groups[i].split(between))) if (letter) (members[letter] ??= []).push(i);
  const found = Object.values(members).filter((x) => x.length > 1);
  return found.length <= BRACKETS ? found : [];
};

// What is drawn beside each place, in as few columns as there can be: begin, end, a tooth, the line between them, or nothing.
export const marksOf = (order, brackets) => {
  const columns = [];
  for (const bracket of brackets) {
    const at = bracket.map((i) => order.indexOf(i));
    const [first, last] = [at[0], at.at(-1)];
    let column = columns.find((marks) => marks.slice(first, last + 1).every((mark) => mark === "n"));
    if (!column) columns.push(column = order.map(() => "n"));
    for (let i = first; i <= last; i += 1) column[i] = { [first]: "b", [last]: "e" }[i] ?? (at.includes(i) ? "t" : "g");
  }
  return order.map((_, place) => columns.map((marks) => marks[place]));
};
