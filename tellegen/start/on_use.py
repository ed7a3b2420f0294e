"""SciPy, imported when something of it is used: most runs of small models need none of it.

    from tellegen.start.on_use import scipy

SciPy itself imports its parts on first use; this is the same for the package.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import scipy as scipy
else:

    class _Scipy:
        def __getattr__(self, name: str) -> Any:
            import scipy as package

            return getattr(package, name)

    scipy = _Scipy()
