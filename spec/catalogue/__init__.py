"""The catalogue of operations: its entries, and the cases that are generated from them."""
