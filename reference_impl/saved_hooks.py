"""Hooks on what is saved for backward."""
