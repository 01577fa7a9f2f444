"""The suite under pytest. `plugin` is what pytest loads; it imports the rest only when it is needed."""
