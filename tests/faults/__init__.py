"""Faults that users of other tools reported in public: each is tried on this product, at the table a user reads."""
