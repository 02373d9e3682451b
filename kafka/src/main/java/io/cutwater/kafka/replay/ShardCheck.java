package io.cutwater.kafka.replay;

import io.cutwater.format.audit.VertexPartitionAudit;
import io.cutwater.kafka.reader.ReadListener;
import io.cutwater.kafka.run.QualityReader;
import io.cutwater.kafka.shard.ShardRecordCodec.Header;
import io.cutwater.kafka.shard.ShardTopicPartitions;
import io.cutwater.kafka.shard.ShardTopicReader;
import io.cutwater.kafka.topic.BrokerException;
import io.cutwater.kafka.topic.TopicAdmin;
import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.state.graph.OwnerPair;
import io.cutwater.state.partition.PartitioningKind;
import io.cutwater.state.placement.ShardChange;
import java.util.Collections;
import java.util.Map;
import java.util.Optional;

/**
 * Reads all shards of a topic as a job writes them, and finds out whether an edge is lost or doubled at what is
 * committed. It holds all edges in memory, and reads on from where it was.
 *
 * <p>Between two commits a move takes an edge from one shard and gives it to another, so of each edge as many copies
 * have been adopted as evicted: fewer and edges are lost, more and they are doubled. In a vertex partitioning that
 * holds for the copies in the shards of their sources' owners, and each edge must be in the shards of both owners, with
 * the same owners in both, and every vertex must have one owner.
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
     * What was found, at one committed cut through all topic partitions.
     *
     * @param offsets behind the last record of each topic partition
     * @param generation the latest plan that a record was of
     * @param edges of the graph that are in the shards, a cut one counted once
     * @param lost copies that left a shard and entered none
     * @param doubled copies that entered a shard and left none
     * @param problem one sentence on the first thing that is wrong
     */
    public record Findings(
            Map<Integer, Long> offsets,
            long generation,
            long edges,
            long lost,
            long doubled,
            Optional<String> problem) {}

    /**
     * A check from the beginning of the topic.
     *
     * @param properties further client properties, such as those of TLS
     */
    public ShardCheck(String bootstrapServers, Map<String, ?> properties, String topic) {
        this(bootstrapServers, properties, topic, ReadListener.NONE);
    }

    /** The same, with somebody who is told how far it is. */
    public ShardCheck(String bootstrapServers, Map<String, ?> properties, String topic, ReadListener listener) {
        replays = new Applying(listener);
        this.bootstrapServers = bootstrapServers;
        this.properties = Map.copyOf(properties);
        this.topic = topic;
    }

    /**
     * Reads on to what is committed now, and looks at it.
     *
     * @throws BrokerException with one sentence if the topic cannot be read, its beginning is deleted, or an edge
     *     leaves a shard that is not there
     */
    public Findings readOn() {
        Map<Integer, Long> ends;
        int topicPartitions;
        try (TopicAdmin admin = TopicAdmin.connect(bootstrapServers, properties)) {
            new WholeTopic(bootstrapServers, properties, topic).require(admin);
            topicPartitions = ShardTopicPartitions.of(admin, new QualityReader(bootstrapServers, properties), topic);
            ends = ShardTopicPartitions.only(topicPartitions, admin.offsets().consistentEnds(topic));
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

    /** Of a cut edge the copy in the shard that owns its source counts. */
    private static boolean isFirst(int shard, int owners) {
        return owners == EdgeBatch.NO_PLACE || OwnerPair.ofSource(owners) == shard;
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

    /** The edges of the graph as the shards have them, each as often as the graph has it, without places. */
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

    /** What each shard holds, by its number; those of which there was a record. */
    public Map<Integer, ShardReplay> shards() {
        return Collections.unmodifiableMap(replays.shards());
    }

    /**
     * Compares what was read last with the edges that should be there.
     *
     * @param input without places
     * @return one sentence with how many edges are missing and how many are too many, empty if none is
     */
    public Optional<String> differenceFrom(EdgeMultiset input) {
        EdgeMultiset difference = edges();
        difference.addAll(input, -1);
        if (difference.isEmpty()) {
            return Optional.empty();
        }
        long lost = difference.missing();
        return Optional.of("%d edges are lost and %d are doubled or nobody's: %s"
                .formatted(lost, difference.copies() + lost, difference.example()));
    }
}
