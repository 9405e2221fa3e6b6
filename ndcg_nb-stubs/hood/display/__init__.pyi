"""Made by docs/stubs.py from the notebooks; not edited by hand."""
