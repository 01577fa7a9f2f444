"""The commands of `gradspec`, a module each, loaded when called."""
