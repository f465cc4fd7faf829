#!/bin/sh
# All solutions of every instance of ../shared/cp with dom/wdeg, beside
# fzn-gecode (Debian package flatzinc); CPU seconds of whole processes.
# Usage: bench/csp.sh [BUILD]    prints a Markdown table
build=${1:-build}
shared=$(dirname "$0")/../../shared/cp
command -v fzn-gecode >/dev/null || { echo "fzn-gecode is missing: apt-get install flatzinc" >&2; exit 5; }

echo "| instance | solutions | ours: nodes | ours: CPU s | gecode: nodes | gecode: CPU s |"
echo "|---|---|---|---|---|---|"
total_ours=0
total_theirs=0
for file in "$shared"/*.xml; do
  name=$(basename "$file" .xml)
  ours=$(mktemp); theirs=$(mktemp)
  a=$(bash -c 'TIMEFORMAT="%U %S"; time "$@" > '"$ours" x "$build/alea" solve "$file" --count --json 2>&1 | awk 'END { printf "%.3f", $1 + $2 }')
  b=$(bash -c 'TIMEFORMAT="%U %S"; time "$@" > '"$theirs" x fzn-gecode -a -s "$shared/$name.fzn" 2>&1 | awk 'END { printf "%.3f", $1 + $2 }')
  solutions=$(sed 's/.*"solutions":\([0-9]*\).*/\1/' "$ours")
  nodes=$(sed 's/.*"nodes":\([0-9]*\).*/\1/' "$ours")
  gsolutions=$(sed -n 's/.*solutions=\([0-9]*\)/\1/p' "$theirs")
  gnodes=$(sed -n 's/.*nodes=\([0-9]*\)/\1/p' "$theirs")
  [ "$solutions" = "$gsolutions" ] || echo "MISMATCH in $name: $solutions and $gsolutions" >&2
  echo "| $name | $solutions | $nodes | $a | $gnodes | $b |"
  total_ours=$(echo "$total_ours + $a" | bc -l 2>/dev/null || awk "BEGIN { print $total_ours + $a }")
  total_theirs=$(echo "$total_theirs + $b" | bc -l 2>/dev/null || awk "BEGIN { print $total_theirs + $b }")
  rm -f "$ours" "$theirs"
done
echo "| total | | | $total_ours | | $total_theirs |"
