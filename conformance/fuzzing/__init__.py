"""Generated programs: drawn at random, run on two engines, and shrunk where the engines differ."""
