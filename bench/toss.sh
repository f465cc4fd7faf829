#!/bin/sh
# bench/toss.sh ALEA FOLDER [K [PLAYS [SEED]]]: the table of learnt evaluations (E11).
# Learns an evaluation of Gomoku and of Breakthrough, both on 8 by 8, then lets
# toss-uct-eval with it play against toss-uct, PLAYS games with each colour and K
# iterations of the search per move.  Everything is kept in FOLDER.
set -eu
alea=$1
folder=$2
k=${3:-100}
plays=${4:-200}
seed=${5:-1000}
mkdir -p "$folder"

# learn GAME ROUNDS PLAYS ITERATIONS SEED
learn() {
  bash -c 'TIMEFORMAT="learning took %U CPU seconds"; time "$@"' x "$alea" learn "toss-$1" \
    --rounds "$2" --plays "$3" --iterations "$4" --threshold 3 --variables 2 --literals 4 --seed "$5" \
    --out "$folder/$1.eval" 2>&1
  cat "$folder/$1.eval"
}

# cell GAME COLOUR FIRST SECOND: the players in role order
cell() {
  echo "== $1: $2 uses the evaluation, K = $k, $plays plays"
  "$alea" match "toss-$1" --player "$3" --player "$4" --sims "$k" --matches "$plays" \
    --seed "$seed" --eval "$folder/$1.eval" | tee "$folder/$1-$2.txt"
}

learn gomoku 1 40 500 2
learn breakthrough 2 30 400 1
cell gomoku white toss-uct toss-uct-eval:e-n=0
cell gomoku black toss-uct-eval:e-n=0 toss-uct
cell breakthrough white toss-uct-eval:e-n=0 toss-uct
cell breakthrough black toss-uct toss-uct-eval:e-n=0
