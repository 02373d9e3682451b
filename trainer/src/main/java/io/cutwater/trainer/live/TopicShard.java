package io.cutwater.trainer.live;

import io.cutwater.kafka.replay.ReplayedVertices;
import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.state.graph.Place;
import io.cutwater.trainer.journal.BookJournal;
import io.cutwater.trainer.journal.BookTable;
import io.cutwater.trainer.journal.ShardJournal;
import io.cutwater.trainer.journal.file.BlockWriter;
import io.cutwater.trainer.journal.file.Blocks;
import io.cutwater.trainer.shard.ShardInput;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;

/** A shard of a topic at a cut: vertices in memory, 50 bytes each, and edges in a file, 20 bytes per distinct edge. */
final class TopicShard implements ShardInput {
    private static final int EDGE_BYTES = 2 * Long.BYTES + Integer.BYTES;
    private static final int NOWHERE = -1;

    private final int shard;
    private final Path file;
    private final ReplayedVertices vertices;
    private int[] owners = {}; // by row
    private long[] degrees = {};
    private long fileBytes;
    private long edges;

    private TopicShard(int shard, Path file) {
        this.shard = shard;
        this.file = file;
        vertices = new ReplayedVertices(shard);
    }

    /**
     * Reads the edges.
     *
     * @param file file to create
     * @throws IOException if the edges are not those of one shard at a commit; the message is meant for users
     */
    static TopicShard of(int shard, ShardJournal journal, Path file) throws IOException {
        TopicShard read = new TopicShard(shard, file);
        try {
            read.readEdges(journal);
        } catch (IllegalStateException e) {
            throw new IOException(e.getMessage(), e);
        }
        return read;
    }

    private void readEdges(ShardJournal journal) throws IOException {
        BlockWriter writer = new BlockWriter(file, 0);
        journal.readEdges((source, target, place, copies) -> {
            if (place != EdgeBatch.NO_PLACE && Place.ofSource(place) != shard && Place.ofTarget(place) != shard) {
                throw new IOException(
                        "edge (%d, %d) is in shard %d, which owns neither endpoint: two jobs wrote the topic"
                                .formatted(source, target, shard));
            }
            vertices.add(source, target, place, copies);
            writer.room(EDGE_BYTES).putLong(source).putLong(target).putInt(copies);
            edges += copies;
        });
        fileBytes = writer.flush();
        vertices.sort();
        owners = new int[vertices.size()];
        degrees = new long[vertices.size()];
        Arrays.fill(owners, NOWHERE);
        for (int i = 0; i < vertices.size(); i++) {
            degrees[vertices.row(i)] = vertices.degree(i);
            if (vertices.owner(i) != ReplayedVertices.NO_OWNER) {
                owners[vertices.row(i)] = vertices.owner(i);
            }
        }
    }

    /** Adds what only the book has: degrees of vertices with edges elsewhere, and masters in an edge partitioning. */
    void look(BookTable book) throws IOException {
        boolean[] hasOwners = new boolean[owners.length];
        for (int row = 0; row < owners.length; row++) {
            hasOwners[row] = owners[row] != NOWHERE;
        }
        BookJournal.EntryConsumer entry = (vertex, owner, degree) -> {
            int row = vertices.find(vertex);
            if (!hasOwners[row]) {
                owners[row] = owner;
                degrees[row] = degree;
            } else if (owners[row] != shard) {
                degrees[row] = degree;
            }
        };
        for (int i = 0; i < vertices.size(); i++) { // ascending, for locality of the mapped pages
            book.find(vertices.vertex(i), entry);
        }
    }

    /** Returns the number of edges, copies included. */
    long edges() {
        return edges;
    }

    boolean hasVertex(long vertex) {
        return vertices.find(vertex) >= 0;
    }

    @Override
    public void readVertices(VertexConsumer consumer) throws IOException {
        for (int i = 0; i < vertices.size(); i++) {
            int row = vertices.row(i);
            consumer.accept(vertices.vertex(i), owners[row] == shard, degrees[row]);
        }
    }

    @Override
    public void readEdges(EdgeConsumer consumer) throws IOException {
        EdgeBatch batch = new EdgeBatch();
        Blocks.read(file, fileBytes, (at, block) -> {
            while (block.hasRemaining()) {
                long source = block.getLong();
                long target = block.getLong();
                for (int copies = block.getInt(); copies > 0; copies--) {
                    batch.add(source, target);
                    if (batch.size() == EdgeBatch.DEFAULT_CAPACITY) {
                        consumer.accept(batch);
                        batch.clear();
                    }
                }
            }
        });
        if (!batch.isEmpty()) {
            consumer.accept(batch);
        }
    }

    /** Deletes the file of edges. */
    void delete() throws IOException {
        Files.deleteIfExists(file);
    }
}
