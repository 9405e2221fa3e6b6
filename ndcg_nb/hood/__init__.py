"""Under the hood, in reading order: lists, rankings, sums, forms, ideals, short, conventions, queries,
gradings, tables, columns, files, matches, measures, scores, reports, inputs, evaluations,
estimates, answers, arrays, tensors, soft, clauses, streams, engines, differences,
families, rivals, verdicts, door, exactness; and pages.

A chapter adds one word to the book; whatever it takes to compute it for any input, fast and to the last bit, is here.
"""
