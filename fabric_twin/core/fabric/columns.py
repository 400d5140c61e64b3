"""Columns over ports: one number a port, and what stands there where there is none."""

import numpy as np
from numpy.typing import NDArray

Column = NDArray[np.int32]

#: What a column of ports holds where there is none. The three never equal each other or a port.
NOT_OF_DESIGN, NOT_KNOWN, NO_PORT = -1, -2, -3
