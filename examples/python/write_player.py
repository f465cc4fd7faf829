"""A player of one's own: tries each move with a few random plays.

    python3 write_player.py                                 a match against "random"
    python3 -m alea --with write_player tournament FILE     in a tournament, as "sampler"
"""
import alea


class Sampler(alea.Player):
    """Plays the move whose random continuations end best."""

    def choose(self, state, budget):
        moves = state.legal(self.role)
        sums = dict.fromkeys(moves, 0.0)
        if len(moves) == 1:
            return moves[0]
        for _ in range(20):
            for move in moves:
                if budget.stop():
                    break
                play = state.clone()
                play.seed(self.random.getrandbits(63))
                play.apply(*(move if role == self.role else None
                             for role in range(len(self.game.roles))))
                sums[move] += play.play_out()[self.role]
        return max(moves, key=sums.get)


alea.register(Sampler)

if __name__ == "__main__":
    game = alea.Game("tictactoe")
    score = 0
    for seed in range(10):
        result = alea.play_match(game, ["sampler", "random"], time=1, seed=seed)
        score += result.goals[0]
    print(f"sampler scores {score / 10:.0f} of 100 against random")
