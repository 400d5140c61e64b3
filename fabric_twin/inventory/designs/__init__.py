"""Designs as files: YAML in plain words, each mistake with its line (docs/design-files.md)."""
