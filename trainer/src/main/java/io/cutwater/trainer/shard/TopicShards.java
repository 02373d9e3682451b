package io.cutwater.trainer.shard;

import io.cutwater.kafka.client.QualityReader;
import io.cutwater.kafka.client.ShardTopicReader;
import io.cutwater.kafka.client.TopicReader;
import io.cutwater.kafka.record.PartitionBookCodec;
import io.cutwater.kafka.record.PartitionBookEntry;
import io.cutwater.kafka.record.RunReport;
import io.cutwater.kafka.record.ShardRecordCodec;
import io.cutwater.kafka.record.ShardRecordCodec.Header;
import io.cutwater.kafka.record.VertexRecord;
import io.cutwater.kafka.record.VertexSplit;
import io.cutwater.kafka.shard.ReplayedVertices;
import io.cutwater.kafka.shard.ShardReader;
import io.cutwater.kafka.shard.ShardReplay;
import io.cutwater.kafka.topic.BrokerException;
import io.cutwater.kafka.topic.TopicAdmin;
import io.cutwater.kafka.topic.TopicMissingException;
import io.cutwater.state.graph.EdgeBatch;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The shards that a live job writes to topics {@code shards} and {@code partition-book}, as they were at a cut. A cut
 * lies between commits. The job commits the two topics one after the other, so at a cut the book may be one commit
 * ahead: a vertex that has just come or moved is then nobody's own in an edge partitioning, until the next cut.
 */
public final class TopicShards implements ShardSource {
    private static final Duration LOOK_AGAIN = Duration.ofMillis(300);

    private final TopicShardsOptions options;
    private final TopicShardsListener listener;
    private @Nullable VertexShape shape;
    private @Nullable VertexData files;

    /** Connects to nothing yet. */
    public TopicShards(TopicShardsOptions options, TopicShardsListener listener) {
        this.options = options;
        this.listener = listener;
    }

    /**
     * What the vertices have: of records, read once, nothing of which is held.
     *
     * @throws IOException with a sentence, if no features come within the patience
     */
    @Override
    public synchronized VertexShape shape() throws IOException, InterruptedException {
        VertexShape known = shape;
        if (known == null) {
            known = options.vertices() == null ? shapeOfRecords() : shapeOfFiles();
            shape = known;
        }
        return known;
    }

    private VertexShape shapeOfFiles() throws IOException {
        VertexData data = files();
        if (options.classes() != 0 && options.classes() < data.classCount()) {
            throw new IOException(
                    "--classes says %d, and the files have %d".formatted(options.classes(), data.classCount()));
        }
        return new VertexShape(data.columns(), Math.max(options.classes(), data.classCount()));
    }

    private synchronized VertexData files() throws IOException {
        VertexData known = files;
        if (known == null) {
            known = VertexData.of(Objects.requireNonNull(options.vertices()), options.scaling());
            files = known;
        }
        return known;
    }

    private VertexShape shapeOfRecords() throws IOException, InterruptedException {
        ShardCut cut = latest();
        int[] most = new int[2];
        Map<Integer, Long> begins = new HashMap<>();
        Map<Integer, Long> ends = new HashMap<>();
        for (int p = 0; p < cut.shardOffsets().size(); p++) {
            begins.put(p, 0L);
            ends.put(p, cut.shardOffsets().get(p));
        }
        new ShardTopicReader(options.bootstrapServers(), options.properties())
                .read(options.topics().shards(), begins, ends, new ShardTopicReader.ChangeHandler() {
                    @Override
                    public void edges(int shard, Header header, EdgeBatch edges) {}

                    @Override
                    public void data(int shard, VertexRecord vertex) {
                        most[0] = Math.max(most[0], vertex.features().length);
                        most[1] = Math.max(most[1], vertex.label() + 1);
                    }
                });
        if (most[0] == 0) {
            throw new IOException("topic %s has no features; submit the job with --vertex-data, or give --features FILE"
                    .formatted(options.topics().shards()));
        }
        return new VertexShape(most[0], options.classes() == 0 ? most[1] : options.classes());
    }

    /**
     * The newest cut, with as many shards as the job has reported last. While a re-partitioning goes on these are as
     * many as have edges; shards that are not used yet are empty.
     *
     * @throws IOException with a sentence, if no records come within the patience
     */
    @Override
    public ShardCut latest() throws IOException, InterruptedException {
        long start = System.nanoTime();
        String told = "";
        while (true) {
            String missing;
            try {
                RunReport report = new QualityReader(options.bootstrapServers(), options.properties())
                        .last(options.topics().quality());
                if (report != null) {
                    List<Map<Integer, Long>> ends;
                    try (TopicAdmin admin = TopicAdmin.connect(options.bootstrapServers(), options.properties())) {
                        ends = admin.consistentEndOffsets(List.of(
                                options.topics().shards(), options.topics().partitionBook()));
                    }
                    if (ends.get(0).values().stream().anyMatch(end -> end > 0)) {
                        return new ShardCut(
                                report.quality().partitions(),
                                List.copyOf(ends.get(0).values()),
                                List.copyOf(ends.get(1).values()));
                    }
                }
                missing = "no job has committed shards to topic %s yet"
                        .formatted(options.topics().shards());
            } catch (TopicMissingException e) {
                missing = String.valueOf(e.getMessage());
            } catch (BrokerException e) {
                throw new IOException(e.getMessage(), e);
            }
            if (System.nanoTime() - start > options.patience().toNanos()) {
                throw new IOException(missing);
            }
            if (!told.equals(missing)) {
                listener.waiting(missing);
                told = missing;
            }
            Thread.sleep(LOOK_AGAIN.toMillis());
        }
    }

    @Override
    public ShardStore make(int shard, ShardCut cut, Path folder) throws IOException, InterruptedException {
        VertexShape shape = shape();
        ShardReplay replay;
        Map<Long, PartitionBookEntry> book;
        try {
            int topicPartition =
                    ShardRecordCodec.topicPartition(shard, cut.shardOffsets().size());
            replay = new ShardReader(
                            options.bootstrapServers(),
                            options.properties(),
                            options.topics().shards())
                    .readAt(shard, cut.shardOffsets().get(topicPartition))
                    .shard();
            book = book(cut);
        } catch (BrokerException e) {
            throw new IOException(e.getMessage(), e);
        }
        ReplayedVertices vertices = replay.vertices();
        ShardInput input = new ShardInput() {
            @Override
            public void readVertices(VertexConsumer consumer) throws IOException {
                for (int i = 0; i < vertices.size(); i++) {
                    PartitionBookEntry entry = book.get(vertices.vertex(i));
                    boolean isOwned = vertices.owner(i) == ReplayedVertices.NO_OWNER
                            ? entry != null && entry.owner() == shard
                            : vertices.isOwned(i);
                    consumer.accept(vertices.vertex(i), isOwned, entry == null ? vertices.degree(i) : entry.degree());
                }
            }

            @Override
            public void readEdges(EdgeConsumer consumer) throws IOException {
                IOException[] failure = new IOException[1];
                replay.edges().forEach(batch -> {
                    try {
                        consumer.accept(batch);
                    } catch (IOException e) {
                        failure[0] = e;
                    }
                });
                if (failure[0] != null) {
                    throw failure[0];
                }
            }
        };
        int[] beyond = new int[1];
        VertexData data = options.vertices() == null
                ? VertexData.of(rows(replay, vertices, shape, beyond), options.scaling())
                : files();
        int[] unknown = new int[1];
        beyond[0] = 0;
        ShardStore store = ShardBuilder.build(shard, input, data, folder, (count, example) -> unknown[0] = count);
        listener.made(new MadeShard(
                shard, cut, replay.edges().copies(), store.vertexCount(), store.ownedCount(), unknown[0], beyond[0]));
        return store;
    }

    private static VertexRows rows(ShardReplay replay, ReplayedVertices vertices, VertexShape shape, int[] beyond) {
        return new VertexRows() {
            @Override
            public int columns() {
                return shape.features();
            }

            @Override
            public void readAll(RowConsumer consumer) throws IOException {
                beyond[0] = 0;
                for (int i = 0; i < vertices.size(); i++) {
                    VertexRecord row = replay.data(vertices.vertex(i)).orElse(null);
                    if (row != null && row.features().length == shape.features()) {
                        boolean hasClass = row.label() >= 0 && row.label() < shape.classes();
                        beyond[0] += row.label() >= shape.classes() ? 1 : 0;
                        consumer.accept(
                                row.vertex(),
                                row.features(),
                                hasClass ? row.label() : -1,
                                hasClass ? row.split() : VertexSplit.NONE);
                    }
                }
            }

            @Override
            public void readShard(int shard, RowConsumer consumer) throws IOException {
                readAll(consumer);
            }

            @Override
            public VertexIds alone() {
                return VertexIds.firstOf(0);
            }
        };
    }

    private Map<Long, PartitionBookEntry> book(ShardCut cut) {
        Map<Integer, Long> begins = new HashMap<>();
        Map<Integer, Long> ends = new HashMap<>();
        for (int p = 0; p < cut.bookOffsets().size(); p++) {
            begins.put(p, 0L);
            ends.put(p, cut.bookOffsets().get(p));
        }
        Map<Long, PartitionBookEntry> book = new HashMap<>();
        PartitionBookCodec codec = new PartitionBookCodec();
        new TopicReader(options.bootstrapServers(), options.properties())
                .read(options.topics().partitionBook(), begins, ends, record -> {
                    if (record.value() == null) {
                        book.remove(ByteBuffer.wrap(record.key()).getLong());
                    } else {
                        PartitionBookEntry entry = codec.decode(record.key(), record.value());
                        book.put(entry.vertex(), entry);
                    }
                });
        return book;
    }

    @Override
    public void close() throws IOException {}
}
