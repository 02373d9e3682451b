package io.cutwater.kafka.replay;

import io.cutwater.format.audit.VertexPartitionAudit;
import io.cutwater.kafka.reader.ReadListener;
import io.cutwater.kafka.run.QualityReader;
import io.cutwater.kafka.shard.ShardRecordCodec.Header;
import io.cutwater.kafka.shard.ShardTopicReader;
import io.cutwater.kafka.topic.BrokerException;
import io.cutwater.kafka.topic.TopicAdmin;
import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.state.graph.Place;
import io.cutwater.state.partition.PartitioningKind;
import io.cutwater.state.placement.ShardChange;
import io.cutwater.state.text.Counted;
import java.util.Collections;
import java.util.Map;
import java.util.Optional;

/**
 * Reads all shards of a topic while a job writes them, and checks whether an edge is lost or doubled in the committed
 * records. It holds all edges in memory, and each call continues where the last one stopped.
 *
 * <p>Between two commits a move takes an edge from one shard and gives it to another, so each edge has as many adopted
 * as evicted copies: with fewer, edges are lost; with more, they are doubled. In a vertex partitioning this holds for
 * the copies in the shards of their sources' owners. Also, each edge must be in the shards of both owners, with the
 * same owners in both, and every vertex must have one owner.
 */
public final class ShardCheck {
    private final String bootstrapServers;
    private final Map<String, ?> properties;
    private final String topic;
    private final Applying replays;
    private final EdgeMultiset moved = new EdgeMultiset();
    private Map<Integer, Long> offsets = Map.of();
    private long edges;

    /**
     * The result at one committed cut through all topic partitions.
     *
     * @param offsets after the last record of each topic partition
     * @param generation the latest plan of any record
     * @param edges of the graph that are in the shards, a cut edge counted once
     * @param lost copies that left a shard and entered none
     * @param doubled copies that entered a shard and left none
     * @param problem a description of the first problem
     */
    public record Findings(
            Map<Integer, Long> offsets,
            long generation,
            long edges,
            long lost,
            long doubled,
            Optional<String> problem) {}

    /**
     * Creates a check from the beginning of the topic.
     *
     * @param properties further client properties, such as those of TLS
     */
    public ShardCheck(String bootstrapServers, Map<String, ?> properties, String topic) {
        this(bootstrapServers, properties, topic, ReadListener.NONE);
    }

    /** Creates a check that reports its progress to a listener. */
    public ShardCheck(String bootstrapServers, Map<String, ?> properties, String topic, ReadListener listener) {
        replays = new Applying(listener);
        this.bootstrapServers = bootstrapServers;
        this.properties = Map.copyOf(properties);
        this.topic = topic;
    }

    /**
     * Reads up to the last commit and checks the shards.
     *
     * @throws BrokerException if the topic cannot be read, its beginning is deleted, or an edge leaves a shard that
     *     does not have it
     */
    public Findings readOn() {
        Map<Integer, Long> ends;
        int topicPartitions;
        try (TopicAdmin admin = TopicAdmin.connect(bootstrapServers, properties)) {
            new WholeTopic(bootstrapServers, properties, topic).require(admin);
            topicPartitions = ShardTopicPartitions.of(admin, new QualityReader(bootstrapServers, properties), topic);
            ends = ShardTopicPartitions.ends(admin, bootstrapServers, properties, topic, topicPartitions);
        }
        new ShardTopicReader(bootstrapServers, properties)
                .read(topic, topicPartitions, offsets, ends, replays.begin(sum(ends) - sum(offsets)));
        offsets = ends;
        return findings();
    }

    private static long sum(Map<Integer, Long> offsets) {
        return offsets.values().stream().mapToLong(Long::longValue).sum();
    }

    private final class Applying extends Replays {
        Applying(ReadListener listener) {
            super(listener);
        }

        @Override
        public void edges(int shard, Header header, EdgeBatch batch) {
            super.edges(shard, header, batch);
            count(shard, header, batch);
        }
    }

    private void count(int shard, Header header, EdgeBatch batch) {
        ShardChange change = header.kind().change();
        boolean isMove = change == ShardChange.ADOPT || change == ShardChange.EVICT;
        int by = change.isEntering() ? 1 : -1;
        for (int i = 0; i < batch.size(); i++) {
            if (isFirst(shard, batch.place(i))) {
                edges += by;
                if (isMove) {
                    moved.change(batch, i, EdgeBatch.NO_PLACE, by);
                }
            }
        }
    }

    /** The copy of a cut edge in the shard that owns its source counts. */
    private static boolean isFirst(int shard, int owners) {
        return owners == EdgeBatch.NO_PLACE || Place.ofSource(owners) == shard;
    }

    private Findings findings() {
        long lost = moved.missing();
        long doubled = moved.copies() + lost;
        long generation = shards().values().stream()
                .mapToLong(ShardReplay::generation)
                .max()
                .orElse(0);
        String problem = moved.isEmpty() ? null : "%s: adopted less evicted".formatted(moved.example());
        if (problem == null && isOfVertices()) {
            problem = inBothShards().orElse(null);
        }
        return new Findings(offsets, generation, edges, lost, doubled, Optional.ofNullable(problem));
    }

    private boolean isOfVertices() {
        return shards().values().stream().anyMatch(shard -> shard.kind().equals(Optional.of(PartitioningKind.VERTEX)));
    }

    private Optional<String> inBothShards() {
        int last = shards().keySet().stream().mapToInt(Integer::intValue).max().orElse(0);
        VertexPartitionAudit recount = new VertexPartitionAudit(last + 1);
        shards().forEach((number, shard) -> shard.edges().forEach(edges -> recount.add(number, edges)));
        return recount.firstDifference();
    }

    /** Returns the edges of the graph in all shards, each as often as the graph has it, without places. */
    public EdgeMultiset edges() {
        EdgeMultiset edges = new EdgeMultiset();
        shards().forEach((number, shard) -> shard.edges().forEach(batch -> {
            for (int i = 0; i < batch.size(); i++) {
                if (isFirst(number, batch.place(i))) {
                    edges.change(batch, i, EdgeBatch.NO_PLACE, 1);
                }
            }
        }));
        return edges;
    }

    /** Returns the content of each shard with a record, by its number. */
    public Map<Integer, ShardReplay> shards() {
        return Collections.unmodifiableMap(replays.shards());
    }

    /**
     * Compares the edges read so far with the expected edges.
     *
     * @param input without places
     * @return a description of how many edges are missing and how many are too many, empty if none is
     */
    public Optional<String> differenceFrom(EdgeMultiset input) {
        EdgeMultiset difference = edges();
        difference.addAll(input, -1);
        if (difference.isEmpty()) {
            return Optional.empty();
        }
        long lost = difference.missing();
        return Optional.of("%s %s lost and %,d doubled or nobody's: %s"
                .formatted(
                        Counted.of(lost, "edge"), Counted.are(lost), difference.copies() + lost, difference.example()));
    }
}
