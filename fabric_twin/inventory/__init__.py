"""Where recorded facts come from: cut sheets and lists of substitutions."""
