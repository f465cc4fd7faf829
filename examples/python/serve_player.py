"""Serves a Python player to a GGP game manager: python3 serve_player.py [PORT [OPTION...]]

It prints its address; `alea host tictactoe --player ADDRESS --player random`
plays against it, as does any other manager.
"""
import sys

import alea
import write_player

PORT = int(sys.argv[1]) if len(sys.argv) > 1 else 9147
sys.exit(alea.serve(write_player.Sampler, PORT, *sys.argv[2:]))
