"""Under the hood: what it takes to compute a measure for any input, fast, and within 1e-12 of what the tools print.

core         one list or many: read, ranked, added up, divided; the conventions tools disagree on
display      tables, accounts of one list, and figures, as people see them
tensors      the same measures on PyTorch, JAX and CuPy; soft ranks
door         the entry point of a measure: `like=`, short lists, tensors
limits       grades that are missing or many: bounds, samples, intents
inputs       judgements and runs as they come: columns, files, reading, matching
stats        statistics of numbers: tests, intervals and weights
runs         measures in writing, their values and means
engines      what is evaluated where it is: Parquet, DuckDB, Spark; the SQL
evaluations  what `evaluate` hands back: notes, gates, files and the class
comparisons  what `compare` hands back: facts, verdicts, tables, notes, gates and the class
judging      what to judge next, and by whom
evaluator    the entry point of runs: `evaluate`, and the readers of files
checks       all faults of judgements and runs at once: `check`
batches      queries that come in batches
tuning       a scorer and rankers for scikit-learn
probes       problems that tell the settings of a function
reports      figures, the report and the command `ndcg`; it stands on the chapters, too

A folder imports from those above it, never from those below.
"""
