"""Questions to the published tables, and how their answers look in a terminal."""
