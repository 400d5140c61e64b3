"""A digital twin of optically switched TPU pods: what should be, what is recorded, what is seen."""

__version__ = "0.1.0"
