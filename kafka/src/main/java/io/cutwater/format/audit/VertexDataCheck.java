package io.cutwater.format.audit;

import io.cutwater.format.folder.ShardFolder;
import io.cutwater.format.input.VertexFileReader;
import io.cutwater.format.input.VertexFiles;
import io.cutwater.format.input.VertexShape;
import io.cutwater.format.vertex.ShardVertexData;
import io.cutwater.format.vertex.VertexDataFiles;
import io.cutwater.format.vertex.VertexDataRow;
import io.cutwater.format.vertex.VertexDataSummary;
import java.io.IOException;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Checks that all shards that have a vertex have the same data of it, equal to the input's. It holds a fingerprint of
 * each vertex in memory, about 40 bytes with its id.
 */
public final class VertexDataCheck {
    private final ShardFolder folder;
    private final VertexDataSummary summary;
    private final ReplicaMap vertices = new ReplicaMap(1);
    private long[] fingerprints = new long[1 << 10];
    private @Nullable String difference;

    private VertexDataCheck(ShardFolder folder, VertexDataSummary summary) {
        this.folder = folder;
        this.summary = summary;
    }

    /**
     * Compares the vertex data of a folder.
     *
     * @param input the files that it was made of; null: shards are compared only with one another
     * @return a description of the first difference, empty if there is none
     * @throws IOException if a file cannot be read, or has the wrong shape; the message is meant for users
     */
    public static Optional<String> firstDifference(ShardFolder folder, @Nullable VertexFiles input) throws IOException {
        Optional<VertexDataSummary> summary = folder.vertexData();
        if (summary.isEmpty()) {
            return input == null
                    ? Optional.empty()
                    : Optional.of("the folder has no features, labels or split to compare with the files");
        }
        VertexDataCheck check = new VertexDataCheck(folder, summary.get());
        for (int shard = 0; shard < folder.shardCount(); shard++) {
            check.readShard(shard);
        }
        if (input != null && check.difference == null) {
            check.compare(input);
        }
        return Optional.ofNullable(check.difference);
    }

    private void readShard(int shard) throws IOException {
        long count = folder.manifest().counts().shards().get(shard).vertices();
        VertexDataRow row = new VertexDataRow(summary.features());
        try (ShardVertexData data = new ShardVertexData(folder.root(), shard, summary, count)) {
            folder.readVertices(shard, (number, vertex, isHome, degree) -> {
                data.next(row);
                add(shard, vertex, row.fingerprint());
            });
        }
    }

    private void add(int shard, long vertex, long fingerprint) {
        int before = vertices.size();
        int at = vertices.findOrAdd(vertex);
        if (at == fingerprints.length) {
            fingerprints = Arrays.copyOf(fingerprints, at + (at >> 1));
        }
        if (at == before) {
            fingerprints[at] = fingerprint;
        } else if (fingerprints[at] != fingerprint) {
            differ("shard %d knows something else of vertex %d than a shard before it".formatted(shard, vertex));
        }
    }

    private void compare(VertexFiles input) throws IOException {
        VertexShape shape = input.measure();
        if (shape.featureCount() != summary.features()
                || shape.hasLabels() != summary.labels()
                || shape.hasSplit() != summary.split()) {
            differ("the shards have %s, and the files have %s"
                    .formatted(
                            columns(summary.features(), summary.labels(), summary.split()),
                            columns(shape.featureCount(), shape.hasLabels(), shape.hasSplit())));
            return;
        }
        BitSet seen = new BitSet(vertices.size());
        long withoutEdge = compareRows(input, shape, seen);
        long unknown = new VertexDataRow(summary.features()).fingerprint();
        for (int at = seen.nextClearBit(0); at < vertices.size(); at = seen.nextClearBit(at + 1)) {
            if (fingerprints[at] != unknown) {
                differ("the shards know something of vertex %d, and the files do not".formatted(vertices.vertex(at)));
            }
        }
        long withoutRow = vertices.size() - seen.cardinality();
        if (summary.rowsWithoutEdge() != withoutEdge || summary.verticesWithoutRow() != withoutRow) {
            differ("%s counts %d rows without an edge and %d vertices without a row, and there are %d and %d"
                    .formatted(
                            VertexDataFiles.SUMMARY,
                            summary.rowsWithoutEdge(),
                            summary.verticesWithoutRow(),
                            withoutEdge,
                            withoutRow));
        }
    }

    private long compareRows(VertexFiles input, VertexShape shape, BitSet seen) throws IOException {
        VertexDataRow row = new VertexDataRow(summary.features());
        long withoutEdge = 0;
        try (VertexFileReader reader = input.open(shape)) {
            while (reader.next()) {
                int at = vertices.find(reader.vertex());
                if (at < 0) {
                    withoutEdge++;
                } else {
                    seen.set(at);
                    if (fingerprints[at] != row.take(reader).fingerprint()) {
                        differ("the shards know something else of vertex %d than the files".formatted(reader.vertex()));
                    }
                }
            }
        }
        return withoutEdge;
    }

    private static String columns(int features, boolean labels, boolean split) {
        return "%d features, %s and %s"
                .formatted(features, labels ? "labels" : "no labels", split ? "a split" : "no split");
    }

    private void differ(String sentence) {
        if (difference == null) {
            difference = sentence;
        }
    }
}
