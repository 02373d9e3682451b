package io.cutwater.flink.connector.input;

import io.cutwater.flink.connector.restore.FinalFailure;
import io.cutwater.format.file.FileOperations;
import io.cutwater.format.folder.Manifest;
import io.cutwater.format.folder.ShardFolder;
import io.cutwater.format.metis.PartFileReader;
import io.cutwater.format.text.EdgeAssignmentReader;
import io.cutwater.format.text.NameIds;
import io.cutwater.format.text.VertexNames;
import io.cutwater.kafka.textid.TextHash;
import io.cutwater.kafka.textid.TextIds;
import io.cutwater.state.bulk.GivenPlaces;
import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.state.partition.PartitionerOptions;
import java.io.IOException;
import java.io.Serializable;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.function.LongUnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A partitioning that a job takes over: an output folder of Cutwater, or a file of another tool. For an edge
 * partitioning it has lines {@code u v partition}, for a vertex partitioning one partition per line as METIS writes it,
 * line i for vertex i.
 *
 * @param path absolute, the same file on every machine of the Flink cluster
 * @param digest SHA-256 of the file, or of the folder's manifest, which has those of its files; empty before the first
 *     submission has read it
 */
public record StartPlaces(String path, String digest) implements Serializable {
    private static final long serialVersionUID = 1;
    private static final Pattern FIXED = Pattern.compile("(.+)#sha256=([0-9a-f]{64})");

    /**
     * Parses {@code PATH} or {@code PATH#sha256=HEX}, the format of {@link #toString}.
     *
     * @throws IllegalArgumentException if the path is not absolute; the message is meant for users
     */
    public static StartPlaces parse(String text) {
        Matcher fixed = FIXED.matcher(text);
        StartPlaces places =
                fixed.matches() ? new StartPlaces(fixed.group(1), fixed.group(2)) : new StartPlaces(text, "");
        if (!Path.of(places.path).isAbsolute()) {
            throw new IllegalArgumentException(
                    "it must be an absolute path, at which every process of the Flink cluster has the file: '%s'"
                            .formatted(places.path));
        }
        return places;
    }

    /** Returns these places with the digest of what is there now, so that every attempt reads the same. */
    public StartPlaces fixed() throws IOException {
        return digest.isEmpty() ? new StartPlaces(path, sum()) : this;
    }

    private String sum() throws IOException {
        Path file = Path.of(path);
        if (!Files.exists(file)) {
            throw new IOException("--start-from: there is no %s on this machine; every machine of the cluster needs it"
                    .formatted(file));
        }
        return FileOperations.sha256(Files.isDirectory(file) ? file.resolve(Manifest.FILE) : file);
    }

    /**
     * Reads the places into memory.
     *
     * @param options kind and number of partitions
     * @param ids how ids are made of text; null for a topic whose ids are integers
     * @throws IOException if the file cannot be read, or is not for such a partitioning; the message is meant for users
     */
    public GivenPlaces read(PartitionerOptions options, @Nullable TextIds ids) throws IOException {
        if (!digest.isEmpty() && !sum().equals(digest)) {
            throw FinalFailure.of(
                    "%s has changed since the job was submitted; restore the file, or submit the job again"
                            .formatted(path));
        }
        GivenPlaces places = new GivenPlaces(options.kind(), options.partitionCount());
        try {
            if (Files.isDirectory(Path.of(path))) {
                readFolder(ShardFolder.open(Path.of(path)), options, ids, places);
            } else if (options.kind().hasOwners() && ids != null) {
                throw new IllegalArgumentException(
                        "it has a line for each vertex number, and the ids of the topic are text; give an output folder");
            } else if (options.kind().hasOwners()) {
                int[] owners = PartFileReader.readAll(Path.of(path));
                for (int vertex = 0; vertex < owners.length; vertex++) {
                    places.addVertex(vertex, owners[vertex]);
                }
            } else {
                readTriples(ids, places);
            }
        } catch (IllegalArgumentException e) {
            throw new IOException("--start-from %s: %s".formatted(path, e.getMessage()), e);
        }
        if (places.given() == 0) {
            throw new IOException(
                    "--start-from %s has no places; leave the option out, or name another file".formatted(path));
        }
        return places;
    }

    private void readFolder(ShardFolder folder, PartitionerOptions options, @Nullable TextIds ids, GivenPlaces into)
            throws IOException {
        if (folder.kind() != options.kind()) {
            throw new IllegalArgumentException("it has a partitioning of kind %s, and the job is of kind %s"
                    .formatted(folder.kind().label(), options.kind().label()));
        }
        folder.verify();
        VertexNames names = folder.readNames().orElse(null);
        if (ids == null && names != null) {
            throw new IllegalArgumentException("its ids stand for text (ids.csv), and the topic has integer ids");
        }
        if (ids != null && names == null) {
            throw new IllegalArgumentException("its ids are integers, and the ids of the topic are text");
        }
        LongUnaryOperator id = ids == null || names == null ? LongUnaryOperator.identity() : hashes(names, ids);
        if (options.kind().hasOwners()) {
            folder.readBook((vertex, owner, replicas, replicaCount) -> into.addVertex(id.applyAsLong(vertex), owner));
        } else {
            folder.readEdges((shard, edges) -> {
                for (int i = 0; i < edges.size(); i++) {
                    into.addEdge(id.applyAsLong(edges.source(i)), id.applyAsLong(edges.target(i)), shard);
                }
            });
        }
    }

    /** Returns from the ids of a folder to those of the topic. */
    private static LongUnaryOperator hashes(VertexNames names, TextIds ids) {
        TextHash hash = TextHash.of(ids.seed());
        long[] known = new long[names.size()];
        long[] hashes = new long[names.size()];
        int[] count = {0};
        names.forEach((id, text, from, to) -> {
            known[count[0]] = id;
            hashes[count[0]++] = hash.id(text, from, to - from);
        });
        return id -> {
            int at = Arrays.binarySearch(known, id);
            if (at < 0) {
                throw new IllegalArgumentException("ids.csv has no vertex %d, which the shards have".formatted(id));
            }
            return hashes[at];
        };
    }

    private void readTriples(@Nullable TextIds ids, GivenPlaces into) throws IOException {
        TextHash hash = ids == null ? null : TextHash.of(ids.seed());
        NameIds names = hash == null ? null : (text, from, to) -> hash.id(text, from, to - from);

        EdgeBatch batch = new EdgeBatch();
        int[] partitions = new int[EdgeBatch.DEFAULT_CAPACITY];
        try (EdgeAssignmentReader reader = EdgeAssignmentReader.open(Path.of(path), names)) {
            for (int count; (count = reader.read(batch, partitions)) > 0; ) {
                for (int i = 0; i < count; i++) {
                    into.addEdge(batch.source(i), batch.target(i), partitions[i]);
                }
            }
        }
    }

    @Override
    public String toString() {
        return digest.isEmpty() ? path : path + "#sha256=" + digest;
    }
}
