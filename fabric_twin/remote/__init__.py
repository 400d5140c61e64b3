"""A Nautobot somewhere else, as one of its users sees it: by pynautobot, over HTTP alone."""
