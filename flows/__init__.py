"""What runs when: the only folder that knows Prefect, the clock and the environment."""
