"""Well-known models of constraint programming, in the form that modelling tools write."""
import classic_puzzles  # each registers its models
import classic_optima
import classic_hard
from writer import SET, text_of

__all__ = ["SET", "text_of", "classic_puzzles", "classic_optima", "classic_hard"]
