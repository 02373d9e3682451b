#!/bin/sh
# A citation graph with classes: compare algorithms, partition, check, train on the shards, predict.
# Usage: citations.sh [FOLDER]; the folder must not exist. Needs Linux on x86-64 for training.
set -eu
PATH=$(cd "$(dirname "$0")/../.." && pwd):$PATH # the launcher of this clone or distribution, if it is in one
folder=${1:-citations}
mkdir "$folder"
cd "$folder"

# 3,000 papers of three fields, numbered by age. Each cites four to eight older ones, most of them of its own field.
# Its words (the features) hint at its field (the label). A tenth is for training, a tenth for validation.
awk 'function random(n) { seed = (seed * 16807) % 2147483647; return seed % n }
BEGIN {
  seed = 17
  print "source,target" > "citations.csv"
  for (paper = 0; paper < 3000; paper++) {
    field = paper % 3
    for (i = 4 + random(5); i > 0 && paper > 3; i--) {
      cited = random(10) < 8 ? random(int(paper / 3)) * 3 + field : random(paper)
      print paper "," cited > "citations.csv"
    }
    line = field
    for (word = 1; word <= 30; word++) if (random(100) < (word % 3 == field ? 14 : 8)) line = line " " word ":1"
    print line > "words.svm"
    print field > "fields.txt"
    n = random(10); print (n == 0 ? "train" : n == 1 ? "val" : "test") > "split.txt"
  }
}'

# How many replicas per vertex does each algorithm make, and how even are the partitions?
cutwater compare --edges citations.csv --partitions 4 --plot quality.svg

# The shards, with features, labels and split of their vertices, and the proof that no citation is missing.
cutwater partition --edges citations.csv --partitions 4 --out shards \
    --features words.svm --labels fields.txt --split split.txt
cutwater evaluate --edges citations.csv --assignment shards

# One model over all four shards, and the field of every paper by that model.
cutwater train --shards shards --epochs 30 --out model --json >training.json
cutwater predict --trained model --shards shards --out predictions --no-embeddings
cat training.json
echo "The classes are in $folder/predictions/predictions.csv, the picture is $folder/quality.svg."
