"""Issue work orders, keep ports dark, test bundles by light."""
