// The measures of one list that can be moved. Python sends grades, gains and discounts; this file only orders, multiplies and adds.
import { add, dcg, falling } from "./core.js";

const quotient = (top, best) => (best > 0 ? Math.min(top, best) / best : NaN);
const sumDownTo = (rows, field, cut) => rows[Math.min(cut, rows.length) - 1]?.sums[field] ?? 0;

// Documents at ranks 1, 2, 3 …, each with what it adds and the sums so far. A bad result costs its price.
function inRanks(documents, worth, weights, penalty) {
  const sums = { gain: 0, part: 0, charge: 0 };
  return documents.map((d, i) => {
    const price = d.grade < 0 ? -penalty : worth(d);
    const row = { ...d, gain: worth(d), weight: weights[i], price, part: worth(d) * weights[i], charge: price * weights[i] };
    for (const field of Object.keys(sums)) sums[field] += row[field];
    return { ...row, sums: { ...sums } };
  });
}

// Everything a view shows, from the state alone. Sums run from rank 1 downwards, as they do in Python.
export function measure({ documents, levels, gains, discounts, gain, discount, k, penalty }) {
  const cut = k ?? Infinity;
  const weights = discounts[discount];
  const worth = (d) => gains[gain][levels.indexOf(d.grade)];
  const rows = (list) => inRanks(list, worth, weights, penalty);
  const best = (list) => rows([...list].sort((a, b) => worth(b) - worth(a)));
  const listed = documents.filter((d) => d.shown);
  const [shown, ideal, bestShown] = [rows(listed), best(documents), best(listed)];
  const at = (end, field = "part", compared = ideal) => quotient(sumDownTo(shown, field, end), sumDownTo(compared, field, end));
  const [DCG, IDCG] = [shown, ideal].map((list) => sumDownTo(list, "part", cut));
  const [least, most] = band(documents, worth, gains[gain], weights, cut);
  return {
    shown,
    ideal,
    missed: documents.filter((d) => !d.shown),
    CG: sumDownTo(shown, "gain", cut),
    DCG,
    IDCG,
    nDCG: at(cut),
    curve: documents.map((_, i) => at(i + 1)),
    penalised: quotient(sumDownTo(shown, "charge", cut), IDCG),
    "min-max": minMax(documents, shown, rows, cut),
    "own ideal": at(cut, "part", bestShown),
    "nDCG at R": at(Math.max(1, documents.filter((d) => worth(d) > 0).length)),
    nCG: at(cut, "gain"),
    "gain recall": quotient(sumDownTo(shown, "gain", cut), sumDownTo(ideal, "gain", Infinity)),
    least,
    most,
    lost: 1 - at(cut),
    ...lossesOf(documents, shown, ideal, cut, IDCG),
  };
}

// Where the list is between the worst order, 0, and the best, 1; a bad result costs its price.
function minMax(documents, shown, rows, cut) {
  const priced = rows(documents).sort((a, b) => b.price - a.price);
  const [high, low] = [priced, [...priced].reverse()].map((list) => sumDownTo(rows(list), "charge", cut));
  const span = high - low > 1e-15 * documents.length * (Math.abs(high) + Math.abs(low)) ? high - low : 0; // or only rounding is left
  return quotient(Math.max(0, sumDownTo(shown, "charge", cut) - low), span);
}

// What was lost against the ideal, in shares of it: by rank, and by document.
function lossesOf(documents, shown, ideal, cut, IDCG) {
  const share = (x) => (IDCG > 0 ? x / IDCG : 0);
  const ranks = Math.min(cut, Math.max(shown.length, ideal.length));
  const losses = Array.from({ length: ranks }, (_, i) => share((ideal[i]?.part ?? 0) - (shown[i]?.part ?? 0)));
  const adds = (list, { name }) => list.slice(0, cut).find((d) => d.name === name)?.part ?? 0;
  const costs = documents.map((d) => ({ name: d.name, loss: share(adds(ideal, d) - adds(shown, d)) }));
  return { losses, costs: costs.sort((a, b) => b.loss - a.loss) };
}

// ---- Unjudged documents ----

const unique = (list) => [...new Set(list)].sort((a, b) => a - b);

// The least and the greatest nDCG over every grading of the unjudged documents.
export function band(documents, worth, gains, weights, cut) {
  const counted = documents.map((_, i) => (i < cut ? weights[i] : 0));
  const shown = documents.filter((d) => d.shown);
  const problem = {
    levels: unique(gains),
    pool: documents.filter((d) => !d.unjudged).map(worth),
    holes: documents.filter((d) => d.unjudged).length,
    placed: shown.map((d, i) => (d.unjudged ? counted[i] : -1)).filter((w) => w >= 0).sort(falling),
    known: add(shown.map((d, i) => (d.unjudged ? 0 : worth(d) * counted[i]))),
    counted,
  };
  const least = leastPossible(problem);
  return least === Infinity ? [NaN, NaN] : [least, Math.min(1, greatestPossible(problem))];
}

const idealOf = ({ pool, counted }, more) => dcg([...pool, ...more].sort(falling), counted);
const times = (gain, count) => Array(count).fill(gain);

// m documents have the highest grade and the others the lowest, the worst placed first: the least is among these.
function leastPossible(problem) {
  const { levels, holes, placed, known } = problem;
  const [lowest, highest] = [levels[0], levels.at(-1)];
  let least = Infinity;
  for (let m = 0; m <= holes; m += 1) {
    const paid = placed.slice(Math.max(0, holes - m)); // those not shown weigh nothing, and go first
    const best = idealOf(problem, [...times(highest, m), ...times(lowest, holes - m)]);
    if (best > 0) least = Math.min(least, (known + lowest * add(placed) + (highest - lowest) * add(paid)) / best);
  }
  return least;
}

// One problem for each layer of the ideal, solved again for the quotient just found until it rises no more (Dinkelbach, 1967).
function greatestPossible(problem) {
  const { levels, pool, holes, placed, known, counted } = problem;
  const ends = unique([...pool, ...levels]).filter((v) => v > 0);
  const layers = ends.map((v, j) => ({
    level: levels.findIndex((l) => l >= v), height: v - (ends[j - 1] ?? 0), reach: pool.filter((g) => g >= v).length,
  }));
  const base = idealOf(problem, times(levels[0], holes));
  let [most, before] = [0, -1];
  while (most > before) {
    before = most;
    let [top, best] = [known + levels[0] * add(placed), base];
    for (let l = 1; l < levels.length; l += 1) {
      const layer = layers.filter((x) => x.level === l);
      const won = placed.map((w) => w * add(layer.map((x) => x.height)));
      const cost = placed.map((_, a) => add(layer.map((x) => x.height * (counted[x.reach + a] ?? 0))));
      let [sum, finest, take] = [0, 0, 0];
      placed.forEach((_, a) => {
        sum += won[a] - before * cost[a];
        if (sum >= finest) [finest, take] = [sum, a + 1];
      });
      top += add(won.slice(0, take));
      best += add(cost.slice(0, take));
    }
    if (best > 0) most = Math.max(most, top / best);
  }
  return most;
}
