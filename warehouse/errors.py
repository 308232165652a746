"""What can go wrong with the warehouse.

    WarehouseError            the warehouse or its files can't be used
    ├── WarehouseBusy         another process writes; try again when it is done
    ├── LoadFailed            a landing file can't be read or folded; its scope stays as it was
    └── CheckFailed           an invariant doesn't hold; nothing was published

Every message is one line that says what to do; the command line prints it as it is.
"""


class WarehouseError(Exception):
    """The warehouse or one of its files can't be used."""


class WarehouseBusy(WarehouseError):
    """Another process holds the writer's lock or the DuckDB file."""


class LoadFailed(WarehouseError):
    """A landing file can't be read or folded."""


class CheckFailed(WarehouseError):
    """An invariant check returned rows, so nothing was published."""
