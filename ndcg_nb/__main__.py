"""`python -m ndcg_nb` is the command `ndcg`."""

import sys

from ndcg_nb.hood.reports.cli import main

sys.exit(main())
