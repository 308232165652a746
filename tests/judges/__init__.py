"""The on-demand prices of SkyPilot's and gpuhunt's own fetchers, beside ours, from the same stand-in: `make judges`."""
