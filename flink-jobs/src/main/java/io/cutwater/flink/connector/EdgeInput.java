package io.cutwater.flink.connector;

import io.cutwater.flink.connector.EdgeFileSource.EdgeFile;
import io.cutwater.kafka.event.EdgeEventFormat;
import io.cutwater.state.table.DuplicateRule;
import java.io.Serializable;
import java.util.List;
import java.util.Map;

/** Where a job's edges come from. */
public sealed interface EdgeInput extends Serializable {
    /** Files, one after the other. */
    record Files(List<EdgeFile> files) implements EdgeInput {
        public Files {
            files = List.copyOf(files);
        }
    }

    /**
     * A topic between two offsets of each of its partitions, so that every pass reads the same records.
     *
     * @param format of records that do not name theirs
     * @param from first offset by topic partition
     * @param until the offset behind the last one, by topic partition
     * @param properties more settings of the Kafka client, such as those of security
     */
    record Topic(
            String bootstrapServers,
            String topic,
            EdgeEventFormat format,
            Map<Integer, Long> from,
            Map<Integer, Long> until,
            Map<String, String> properties)
            implements EdgeInput {
        public Topic {
            from = Map.copyOf(from);
            until = Map.copyOf(until);
            properties = Map.copyOf(properties);
            if (!from.keySet().equals(until.keySet())) {
                throw new IllegalArgumentException("from and until must name the same topic partitions: %s and %s"
                        .formatted(from.keySet(), until.keySet()));
            }
        }

        /** Offsets between the two ends: records, and a few that transactions leave. */
        public long length() {
            return until.entrySet().stream()
                    .mapToLong(end -> Math.max(0, end.getValue() - from.getOrDefault(end.getKey(), 0L)))
                    .sum();
        }
    }

    /**
     * A topic between two offsets, of which the edges that are left at the end count: removals take away others.
     * Whatever the topic's format: each record may have another one.
     */
    record Net(Topic topic) implements EdgeInput {}

    /**
     * A topic without an end, and with the topic partitions that are added to it later.
     *
     * @param format of records that do not name theirs
     * @param from first offset by topic partition, of all that there are at the start; empty for their beginnings
     * @param takesRemovals whether edges may be taken away; a record that does is a dead letter otherwise
     * @param properties more settings of the Kafka client, such as those of security
     * @param rule what a restored job may do if the topic is not as it was left
     */
    record LiveTopic(
            String bootstrapServers,
            String topic,
            EdgeEventFormat format,
            Map<Integer, Long> from,
            boolean takesRemovals,
            Map<String, String> properties,
            RestoreRule rule)
            implements EdgeInput {
        public LiveTopic {
            from = Map.copyOf(from);
            properties = Map.copyOf(properties);
        }
    }

    /**
     * The history of a topic, which has an end, and then what comes behind it, without one.
     *
     * @param takesRemovals whether edges may be taken away behind the history
     * @param rule what a restored job may do if the topic is not as it was left
     */
    record Bootstrap(Topic history, boolean takesRemovals, RestoreRule rule) implements EdgeInput {
        /** From the next offset of each topic partition of the history on, and all of those that are added later. */
        public LiveTopic rest() {
            return new LiveTopic(
                    history.bootstrapServers(),
                    history.topic(),
                    history.format(),
                    history.until(),
                    takesRemovals,
                    history.properties(),
                    rule);
        }
    }

    /**
     * Another input without its duplicates: the first of equal edges, in its order. Of {@link Net} an edge is there or
     * not: a removal takes it away, and one that comes behind that is new.
     */
    record Distinct(EdgeInput input, DuplicateRule rule) implements EdgeInput {}
}
