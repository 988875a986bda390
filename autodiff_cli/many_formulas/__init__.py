"""Many formulas, one a line, each with its own result or its own error."""
