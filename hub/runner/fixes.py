"""What to do about what the shell could not take in, in words."""

LOST = "Something else keeps changing this at the same time."
LOST_FIX = "Try again in a second."
BUG_FIX = "This is our bug: please report it with the output of `pulse doctor`."
STORE_FIX = "Free space or repair the disk that holds $PULSE_HOME, then try again: `pulse doctor`."
