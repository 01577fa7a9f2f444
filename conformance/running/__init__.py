"""Runs cases on an engine, one verdict for each, and keeps them in a journal."""
