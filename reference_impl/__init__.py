"""gradspec."""
