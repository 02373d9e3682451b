#!/bin/sh
# A partitioning by METIS or another tool, beside one of ours: judge both by the same count, and let a live job take the
# foreign one over. Usage: metis.sh [FOLDER [CLUSTER-OPTION…]]; the folder must not exist. Options such as --broker-port
# go to 'cutwater cluster start', where the default ports are in use. Needs 6 GB of free memory.
set -eu
PATH=$(cd "$(dirname "$0")/../.." && pwd):$PATH # the launcher of this clone or distribution, if it is in one
folder=${1:-metis}
[ $# -eq 0 ] || shift
mkdir "$folder"
cd "$folder"
CUTWATER_CLUSTER=$(pwd)/cluster
export CUTWATER_CLUSTER

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

# The live job places the roads of the topic as the foreign partitioning has them, and later ones beside them.
cutwater cluster start "$@"
trap 'cutwater cluster stop' EXIT
cutwater ingest --edges roads.metis
cutwater submit --partitions 4 --kind vertex --start-from "$(pwd)/roads.metis.part.4" --checkpoint-interval 2s
roads=$(head -n 1 roads.metis | sed 's/.* //')
tries=0
until cutwater status --json | grep -Eq "\"edges\" : $roads(,|\$)"; do
    tries=$((tries + 1))
    [ "$tries" -lt 120 ] || { echo "the job has not committed $roads edges in time" >&2; exit 1; }
    sleep 1
done
cutwater status --json >live.json
echo "edge cut of the live job:       $(cut_of live.json)"
cutwater shard check
cutwater stop
