"""What can go wrong at a feed, by what the reader of the message should do about it."""


class SourceError(Exception):
    """A scope could not be fetched as it should be. The message is one line that names the place and the reason."""


class SourceUnavailable(SourceError):
    """Try later: no connection, too many requests, a server error, or a file that isn't there (yet)."""


class SourceChanged(SourceError):
    """A person must look: the answer is not laid out, or does not behave, as this code knows it."""


class SourceRefused(SourceChanged):
    """The server answered with a status that another try won't mend, 400 say."""

    status: int = 0


class SourceIncomplete(SourceError):
    """The answer stopped short: a cut body, or paging that ended early. What came before it is real."""
