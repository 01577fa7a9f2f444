"""The suite, as pytest sees it: `gradspec.conformance.pytest_plugin.plugin` collects, in place of this
file, one item for each case of the specification."""
