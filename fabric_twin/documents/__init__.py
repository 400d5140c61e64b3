"""Documents: facts in, text, CSV, HTML and SVG out, through the templates at the root."""
