"""Pages made from published tables, and from nothing else."""
