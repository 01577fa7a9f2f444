"""Reads specification folders: YAML, tables, chapters."""
