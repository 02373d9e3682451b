#!/bin/sh
# A partitioning by METIS or another tool, beside one of ours: judge both by the same count, and keep the better one.
# Usage: metis.sh [FOLDER]; the folder must not exist.
#
# It reads the graph in METIS' format, counts the quality of the foreign partitioning, and partitions the same graph
# itself. To make shards of the foreign partitioning, start a live job with it:
#   cutwater submit --partitions 4 --kind vertex --start-from roads.metis.part.4
set -eu
PATH=$(cd "$(dirname "$0")/../.." && pwd):$PATH # the launcher of this clone or distribution, if it is in one
folder=${1:-metis}
mkdir "$folder"
cd "$folder"

# A road network in METIS' format: 40 x 40 crossings, each with its neighbours, and the fast roads between towns.
awk 'function add(a, b) { if (!((a, b) in road)) { road[a, b]; road[b, a]; near[a] = near[a] " " b; near[b] = near[b] " " a; roads++ } }
BEGIN {
  side = 40
  for (row = 0; row < side; row++) for (column = 1; column <= side; column++) {
    v = row * side + column
    if (column < side) add(v, v + 1)
    if (row < side - 1) add(v, v + side)
    if (row % 8 == 0 && column + 8 <= side && column % 8 == 1) add(v, v + 8)
  }
  print side * side, roads > "roads.metis"
  for (v = 1; v <= side * side; v++) print substr(near[v], 2) > "roads.metis"
}'

# The owner of each crossing, one per line, as gpmetis writes them. Without METIS: stripes of ten rows.
if command -v gpmetis >/dev/null; then
    gpmetis roads.metis 4
else
    awk 'BEGIN { for (v = 0; v < 1600; v++) print int(v / 400) }' >roads.metis.part.4
fi

cutwater evaluate --edges roads.metis --assignment roads.metis.part.4 --kind vertex --json >foreign.json
cutwater partition --edges roads.metis --partitions 4 --kind vertex --format metis --out shards
cutwater evaluate --edges roads.metis --assignment shards --json >ours.json

# Cut edges over all edges; the balance is in the files, too.
cut_of() {
    sed -n 's/.*"edgeCutRatio" : \([0-9.eE-]*\).*/\1/p' "$1" | head -n 1
}
echo "edge cut of roads.metis.part.4: $(cut_of foreign.json)"
echo "edge cut of Cutwater's shards:  $(cut_of ours.json)"
echo "Tools that read METIS' format go on with $folder/shards/metis/graph.metis.part.4."
