// Every order of a list, and what the tools say of each: where they are furthest apart.
import { falling, ndcg } from "./core.js";
import { CLOSE, answer, sameAnswer, termsOf } from "./tools.js";

export const MOST_ORDERS = 5040; // those of seven results, which a page can try while a hand waits

// Equal grades are not told apart.
export function* everyOrder(grades) {
  if (!grades.length) yield [];
  for (const first of new Set(grades)) {
    for (const rest of everyOrder(grades.toSpliced(grades.indexOf(first), 1))) yield [first, ...rest];
  }
}

export function hasFewOrders(grades) {
  let count = 0;
  for (const _ of everyOrder(grades)) if ((count += 1) > MOST_ORDERS) return false;
  return true;
}

// For each tool a function that gives its number for any order of this list; tools that always agree are asked once.
function valuesByOrder(tools, question) {
  const different = [...new Map(tools.map((tool) => [sameAnswer(tool, question), tool])).values()];
  return different.filter((tool) => !answer(tool, question).why).map((tool) => {
    const { gains, ...rest } = termsOf(tool, question); // only their order changes
    const worth = new Map(question.rel.map((grade, i) => [grade, gains[i]]));
    return (rel) => ndcg(tool, { ...rest, gains: rel.map((grade) => worth.get(grade)) }).value;
  });
}

// The order of the list in which the lowest and the highest number are furthest apart: its own, unless another is wider.
export function widest(tools, question) {
  const values = valuesByOrder(tools, question);
  const apart = (rel) => Math.max(...values.map((f) => f(rel))) - Math.min(...values.map((f) => f(rel)));
  let best = { rel: question.rel, spread: apart(question.rel) };
  for (const rel of everyOrder(question.rel)) {
    const spread = apart(rel);
    if (spread > best.spread + CLOSE) best = { rel, spread };
  }
  return best;
}

// The numbers for the worst order and the best: an axis that holds these, holds every order.
export const reach = (tools, question) => valuesByOrder(tools, question).flatMap((f) => [(a, b) => a - b, falling].map((order) => f([...question.rel].sort(order))));
