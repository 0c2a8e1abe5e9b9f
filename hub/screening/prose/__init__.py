"""Does a text in plain words order something that a person should look at first? Read by weights that were learnt.

``tests/bench/prose_training`` makes the weights from the labelled prompts of the training lists, and nothing else.
"""

from hub.screening.prose.features import features
from hub.screening.prose.reader import Leaning, read_prose, score_of
from hub.screening.prose.weights import KINDS, Weights, column, shipped

__all__ = ["KINDS", "Leaning", "Weights", "column", "features", "read_prose", "score_of", "shipped"]
