"""Documents of slices and of plans that change them."""
