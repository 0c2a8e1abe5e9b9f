"""What runs on devices with a microphone; it knows the hub by its contract alone."""

import os

# One thread for numpy's products, before numpy is loaded: they are small, and waiting threads would burn a core each.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
