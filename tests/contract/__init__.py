"""What the feeds look like, learned from payloads recorded byte for byte, and whether the stand-in looks the same."""
