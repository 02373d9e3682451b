package io.cutwater.trainer.journal;

import io.cutwater.format.vertex.VertexRecord;
import io.cutwater.format.vertex.VertexRecordCodec;
import io.cutwater.kafka.shard.ShardRecordCodec.Header;
import io.cutwater.kafka.shard.ShardTopicReader.ChangeHandler;
import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.trainer.journal.file.BlockWriter;
import io.cutwater.trainer.journal.file.DamagedJournalException;
import io.cutwater.trainer.journal.file.Journal;
import io.cutwater.trainer.journal.file.Position;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The contents of one shard, from the records of its topic partition. Not thread-safe.
 *
 * <p>Uses up to 1 MB of buffers while the topic is read, another 13 MB while edges are read, and 24 bytes per vertex of
 * a sixteenth of the shard while rows are read.
 */
public final class ShardJournal {
    /** Edges that are summed in memory at a time: 13 MB. */
    private static final int ROWS = 1 << 18;
    /** File size in bytes below which a file is not compacted. */
    private static final int SLACK = 256 << 10;

    private final int shard;
    private final Journal journal;
    private final EdgeLog edges;
    private final VertexLog rows;
    private Position position;

    /** Reads the records of a topic partition between two offsets. */
    @FunctionalInterface
    public interface Feed {
        /**
         * @param from first offset, inclusive
         * @param to last offset, exclusive
         */
        void read(long from, long to, ChangeHandler into) throws IOException, InterruptedException;
    }

    /** Receives edges with their number of copies. */
    @FunctionalInterface
    public interface EdgeConsumer {
        /**
         * Receives the next edge.
         *
         * @param place owners of its endpoints, see {@link io.cutwater.state.graph.Place}, or
         *     {@link EdgeBatch#NO_PLACE}
         * @param copies at least 1
         */
        void accept(long source, long target, int place, int copies) throws IOException;
    }

    /** Receives the data of vertices. */
    @FunctionalInterface
    public interface RowConsumer {
        void accept(VertexRecord row) throws IOException;
    }

    /**
     * Opens the journal of a shard, or creates an empty one.
     *
     * @param folder folder of this journal alone; created if missing
     * @param identity identity of the topic; a journal of another topic is discarded
     * @param lost receives a message for users if the contents of the folder are discarded
     */
    public ShardJournal(Path folder, int shard, String identity, Consumer<String> lost) throws IOException {
        this(folder, shard, identity, lost, ROWS, SLACK);
    }

    ShardJournal(Path folder, int shard, String identity, Consumer<String> lost, int maxRows, long slack)
            throws IOException {
        this.shard = shard;
        journal = new Journal(folder, identity, 1, EdgeLog.BUCKETS + VertexLog.BUCKETS, slack, lost);
        edges = new EdgeLog(journal, 0, maxRows);
        rows = new VertexLog(journal, EdgeLog.BUCKETS);
        position = Position.start(1, EdgeLog.BUCKETS + VertexLog.BUCKETS);
    }

    /**
     * Moves to the shard at an offset of its topic partition. One of the last requested offsets needs no reading of the
     * topic; otherwise reading continues from the last kept offset before it, or from the beginning.
     *
     * @throws DamagedJournalException if files are damaged; the journal is then empty, and a second call reads the
     *     topic again
     */
    public void moveTo(long offset, Feed feed) throws IOException, InterruptedException {
        position = journal.moveTo(List.of(offset), (from, to) -> append(from.get(0), to.get(0), feed), this::rewrite);
    }

    private void append(long from, long to, Feed feed) throws IOException, InterruptedException {
        read(feed, from, to, new Appender());
    }

    private static void read(Feed feed, long from, long to, ChangeHandler into)
            throws IOException, InterruptedException {
        try {
            feed.read(from, to, into);
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }

    /** Returns whether {@link #moveTo} can reach an offset without reading the topic. */
    public boolean hasCut(long offset) {
        return journal.hasCut(List.of(offset));
    }

    /**
     * Moves several shards of one topic partition to an offset, as {@link #moveTo} does with each, and reads every
     * record once for all of them.
     *
     * @param journals journals of different shards
     */
    public static void moveAll(List<ShardJournal> journals, long offset, Feed feed)
            throws IOException, InterruptedException {
        List<Reading> behind = new ArrayList<>();
        for (ShardJournal journal : journals) {
            List<Long> from = journal.journal.prepare(List.of(offset));
            if (from != null && from.get(0) < offset) {
                behind.add(new Reading(journal, from.get(0)));
            }
        }
        while (!behind.isEmpty()) {
            long from = behind.stream().mapToLong(reading -> reading.at).min().orElseThrow();
            long to = Math.min(offset, from + Journal.STEP);
            List<Reading> now = new ArrayList<>();
            for (Reading reading : behind) {
                if (reading.at == from) {
                    now.add(reading);
                } else {
                    to = Math.min(to, reading.at);
                }
            }
            readPart(now, from, to, to == offset, feed);
            behind.removeIf(reading -> reading.at == offset);
        }
    }

    private static void readPart(List<Reading> now, long from, long to, boolean isCut, Feed feed)
            throws IOException, InterruptedException {
        now.forEach(reading -> reading.journal.journal.begin());
        read(feed, from, to, new Distributor(now));
        for (Reading reading : now) {
            reading.journal.journal.commit(List.of(to), isCut, reading.journal::rewrite);
            reading.at = to;
        }
    }

    /** A journal, and the offset that it has reached. */
    private static final class Reading {
        private final ShardJournal journal;
        private long at;

        Reading(ShardJournal journal, long at) {
            this.journal = journal;
            this.at = at;
        }
    }

    /** Passes each record to the journal of its shard. */
    private static final class Distributor implements ChangeHandler {
        private final @Nullable Appender[] appenders;

        Distributor(List<Reading> readings) {
            int last = readings.stream()
                    .mapToInt(reading -> reading.journal.shard)
                    .max()
                    .orElse(-1);
            appenders = new Appender[last + 1];
            for (Reading reading : readings) {
                appenders[reading.journal.shard] = reading.journal.new Appender();
            }
        }

        private @Nullable Appender of(int shard) {
            return shard < appenders.length ? appenders[shard] : null;
        }

        @Override
        public boolean wants(int shard) {
            return of(shard) != null;
        }

        @Override
        public void edges(int shard, Header header, EdgeBatch edges) {
            Appender appender = of(shard);
            if (appender != null) {
                appender.edges(shard, header, edges);
            }
        }

        @Override
        public void data(int shard, VertexRecord vertex) {
            Appender appender = of(shard);
            if (appender != null) {
                appender.data(shard, vertex);
            }
        }

        @Override
        public void gone(int shard, long vertex) {
            Appender appender = of(shard);
            if (appender != null) {
                appender.gone(shard, vertex);
            }
        }
    }

    private void rewrite(Position of, int file, BlockWriter into) throws IOException {
        if (file < EdgeLog.BUCKETS) {
            edges.rewrite(of, file, into);
        } else {
            rows.rewrite(of, file, into);
        }
    }

    /**
     * Reads the edges, in an order that depends only on the edges themselves.
     *
     * @throws IOException if an edge was removed more often than added; the message is meant for users
     */
    public void readEdges(EdgeConsumer consumer) throws IOException {
        edges.read(position, (source, target, place, count) -> {
            if (count < 0) {
                throw new IOException(
                        "edge (%d, %d) is removed from shard %d but was never added: records of the topic are missing, or two jobs wrote it"
                                .formatted(source, target, shard));
            }
            consumer.accept(source, target, place, count);
        });
    }

    /** Reads the data of vertices, once per vertex; some vertices may have no edges. */
    public void readRows(RowConsumer consumer) throws IOException {
        VertexRecordCodec codec = new VertexRecordCodec();
        rows.read(position, (vertex, known) -> {
            byte[] value = new byte[known.remaining()];
            known.get(value);
            consumer.accept(codec.decode(VertexRecordCodec.key(vertex), value));
        });
    }

    private final class Appender implements ChangeHandler {
        @Override
        public boolean wants(int of) {
            return of == shard;
        }

        @Override
        public void edges(int of, Header header, EdgeBatch batch) {
            try {
                edges.append(batch, header.kind().change().isEntering() ? 1 : -1);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        @Override
        public void data(int of, VertexRecord vertex) {
            byte[] value = VertexRecordCodec.value(vertex);
            try {
                rows.append(vertex.vertex(), value.length).put(value);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        @Override
        public void gone(int of, long vertex) {
            try {
                rows.appendGone(vertex);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}
