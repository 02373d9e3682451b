#!/bin/sh
# A payment stream with removals and re-partitioning, on a local cluster of real processes.
# Usage: payments.sh [FOLDER [CLUSTER-OPTION…]]; the folder must not exist. Options such as --broker-port go to
# 'cutwater cluster start', where the default ports are in use. Needs 6 GB of free memory.
set -eu
PATH=$(cd "$(dirname "$0")/../.." && pwd):$PATH # the launcher of this clone or distribution, if it is in one
folder=${1:-payments}
[ $# -eq 0 ] || shift
mkdir "$folder"
cd "$folder"
CUTWATER_CLUSTER=$(pwd)/cluster
export CUTWATER_CLUSTER

# 12,000 payments between 2,000 accounts of ten towns; 8,000 more come later. Every 20th payment is refunded.
awk 'function random(n) { seed = (seed * 16807) % 2147483647; return seed % n }
BEGIN {
  seed = 17
  for (i = 0; i < 20000; i++) {
    payer = random(2000)
    payee = random(10) < 8 ? random(200) * 10 + payer % 10 : random(2000)
    print payer, payee > (i < 12000 ? "morning.txt" : "evening.txt")
    if (i < 12000 && i % 20 == 0) print payer, payee > "refunds.txt"; else print payer, payee > "remaining.txt"
  }
}'

# Waits until the job has committed so many edges.
wait_for() {
    tries=0
    until cutwater status --json | grep -Eq "\"edges\" : $1(,|\$)"; do
        tries=$((tries + 1))
        [ "$tries" -lt 120 ] || { echo "the job has not committed $1 edges in time" >&2; exit 1; }
        sleep 1
    done
}

cutwater cluster start "$@"
trap 'cutwater cluster stop' EXIT

# The job keeps its edges, so that they can be removed and moved.
cutwater submit --partitions 4 --keep-edges --checkpoint-interval 2s
cutwater ingest --edges morning.txt
wait_for 12000

# Refunds remove the oldest payment between the two accounts; 'csv' cannot say that, 'json' can.
cutwater ingest --op remove --event-format json --edges refunds.txt
wait_for 11400

# Six partitions instead of four: first what it would bring, then the move, while the stream may go on.
cutwater repartition --partitions 6 --dry-run
cutwater repartition --partitions 6
cutwater ingest --edges evening.txt
wait_for 19400

# Every payment that remains is in exactly one shard.
cutwater shard check --edges remaining.txt
cutwater status
cutwater shard read --shard 5 --out shard-5
cutwater stop
