"""How Sphinx makes the site of the documents. `docs/site/make` gives it a copy of them."""

project = "Detent"
author = "The Detent maintainers"
copyright = author
extensions = ["myst_parser"]
exclude_patterns = []
html_theme = "furo"
html_title = "Detent"
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_show_sphinx = False
html_copy_source = False
# The same bytes when it is made twice.
html_last_updated_fmt = None
myst_heading_anchors = 4
myst_all_links_external = False
suppress_warnings = ["myst.header", "misc.highlighting_failure"]
pygments_style = "default"
pygments_dark_style = "monokai"
