#!/bin/sh
# Table 1 of [STRAT06] (docs/REFERENCES.md), experiment E10: every row with all
# extras, and the rows that the paper's plain algorithm can do.  A Markdown table.
# Usage: bench/connect.sh [BUILD]
build=${1:-build}
field() { echo "$1" | sed 's/.*"'"$2"'":"*\([^,"}]*\).*/\1/'; }
echo "| board | answer | bits: nodes | bits: s | extras: nodes | extras: s | plain: nodes | plain: s | paper's QBF s | paper's SCSP s |"
echo "|---|---|---|---|---|---|---|---|---|---|"
row() {
  extras=$("$build/alea" solve --model "connect:$1" --state domains --json)
  bits=$("$build/alea" solve --model "connect:$1" --json)
  [ "$(field "$bits" status)" = "$(field "$extras" status)" ] || echo "MISMATCH $1" >&2
  nodes=-; seconds=-
  if [ "$2" = plain ]; then
    plain=$("$build/alea" solve --model "connect:$1" --plain --json)
    nodes=$(field "$plain" nodes); seconds=$(field "$plain" seconds)
    [ "$(field "$plain" status)" = "$(field "$extras" status)" ] || echo "MISMATCH $1" >&2
  fi
  echo "| $1 | $(field "$extras" status) | $(field "$bits" nodes) | $(field "$bits" seconds) | $(field "$extras" nodes) | $(field "$extras" seconds) | $nodes | $seconds | $3 | $4 |"
}
row 2:2 plain 0.00 0.00
row 3:2 plain 0.03 0.06
row 5:2 plain 4.23 0.23
row 6:2 plain 22.80 0.45
row 7:2 plain 137.59 1.72
row 3:3 plain 0.07 0.20
row 4:3 plain 8.10 1.83
row 5:3 plain 451.41 98.04
row 6:3 extras "over 3600" "over 3600"
row 4:4 plain 3.08 3.89
row 5:4 extras 703.92 "over 3600"
row 6:4 extras "over 3600" "over 3600"
row 5:5 extras - -
row 6:5 extras - -
