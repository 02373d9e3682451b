package io.cutwater.flink.connector.input;

import io.cutwater.flink.connector.file.EdgeFileSource.EdgeFile;
import io.cutwater.flink.connector.restore.RestoreRule;
import io.cutwater.kafka.event.RecordFormat;
import io.cutwater.kafka.textid.TextIds;
import io.cutwater.state.edges.DuplicateRule;
import java.io.Serializable;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Input of a job. */
public sealed interface EdgeInput extends Serializable {
    /** Returns how ids are made of text; null for ids that are integers. */
    default @Nullable TextIds textIds() {
        return null;
    }

    /**
     * Returns the length of the input in the unit of {@link io.cutwater.state.graph.EdgeBatch#progress}: bytes of
     * files, offsets of a topic.
     *
     * @throws IllegalStateException if it has no end
     */
    default long length() {
        throw new IllegalStateException("an input without an end has no length: " + this);
    }

    /** Files, read one after the other. */
    record Files(List<EdgeFile> files) implements EdgeInput {
        public Files {
            files = List.copyOf(files);
        }

        @Override
        public long length() {
            return files.stream().mapToLong(EdgeFile::bytes).sum();
        }
    }

    /**
     * A topic between two offsets of each of its partitions, so that every pass reads the same records.
     *
     * @param format of records that do not name theirs
     * @param from first offset by topic partition
     * @param until end offset (exclusive) by topic partition
     * @param properties further settings of the Kafka client, such as those of security
     */
    record Topic(
            String bootstrapServers,
            String topic,
            RecordFormat format,
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

        @Override
        public @Nullable TextIds textIds() {
            return format.textIds();
        }

        /**
         * Returns one of several pieces of about equally many offsets, which follow each other in the order in which
         * the topic is read.
         *
         * @param number of the piece, 0 to {@code pieces} − 1
         */
        public Topic piece(int number, int pieces) {
            long first = length() / pieces * number + Math.min(number, length() % pieces);
            long end = first + length() / pieces + (number < length() % pieces ? 1 : 0);
            Map<Integer, Long> pieceFrom = new HashMap<>();
            Map<Integer, Long> pieceUntil = new HashMap<>();
            long before = 0;
            for (int topicPartition : new TreeSet<>(from.keySet())) {
                long begin = from.getOrDefault(topicPartition, 0L);
                long offsets = Math.max(0, until.getOrDefault(topicPartition, 0L) - begin);
                long some = Math.max(first, before);
                long last = Math.min(end, before + offsets);
                if (some < last) {
                    pieceFrom.put(topicPartition, begin + some - before);
                    pieceUntil.put(topicPartition, begin + last - before);
                }
                before += offsets;
            }
            return new Topic(bootstrapServers, topic, format, pieceFrom, pieceUntil, properties);
        }

        /** Returns the number of offsets between the two ends: records, and a few transaction markers. */
        @Override
        public long length() {
            return until.entrySet().stream()
                    .mapToLong(end -> Math.max(0, end.getValue() - from.getOrDefault(end.getKey(), 0L)))
                    .sum();
        }
    }

    /**
     * A topic between two offsets whose removals are applied: its edges are those that are left at the end, whatever
     * the format of its records.
     *
     * @param removesVertices whether removals of vertices are accepted; otherwise they are dead letters
     */
    record Net(Topic topic, boolean removesVertices) implements EdgeInput {
        @Override
        public @Nullable TextIds textIds() {
            return topic.textIds();
        }

        @Override
        public long length() {
            return topic.length();
        }
    }

    /**
     * An unbounded topic, with topic partitions that are added later.
     *
     * @param format of records that do not name theirs
     * @param from first offset by topic partition, of all that exist at the start; empty for their beginnings
     * @param takesRemovals whether removals are accepted; otherwise they are dead letters
     * @param removesVertices whether also removals of vertices are accepted
     * @param expiry when edges are removed again; null for never
     * @param properties further settings of the Kafka client, such as those of security
     * @param rule what a restored job may do if the topic has changed
     * @param readers tasks that read the topic, each some of its partitions; 1, whatever is given, if one task must see
     *     all edges: for keys, texts, expiry and removals of vertices
     */
    record LiveTopic(
            String bootstrapServers,
            String topic,
            RecordFormat format,
            Map<Integer, Long> from,
            boolean takesRemovals,
            boolean removesVertices,
            @Nullable Expiry expiry,
            Map<String, String> properties,
            RestoreRule rule,
            int readers)
            implements EdgeInput {
        public LiveTopic {
            boolean isSeenByOne = format.hasKeys() || format.textIds() != null || removesVertices || expiry != null;
            readers = isSeenByOne ? 1 : readers;
            from = Map.copyOf(from);
            properties = Map.copyOf(properties);
        }

        @Override
        public @Nullable TextIds textIds() {
            return format.textIds();
        }
    }

    /**
     * The history of a topic, which is bounded, followed by the unbounded rest of the topic.
     *
     * @param takesRemovals whether removals are accepted after the history
     * @param removesVertices whether removals of vertices are accepted, also in the history
     * @param expiry when edges are removed again; null for never
     * @param given places that edges or vertices of the history have already; null for none
     * @param rule what a restored job may do if the topic has changed
     */
    record Bootstrap(
            Topic history,
            boolean takesRemovals,
            boolean removesVertices,
            @Nullable Expiry expiry,
            @Nullable StartPlaces given,
            RestoreRule rule)
            implements EdgeInput {
        @Override
        public @Nullable TextIds textIds() {
            return history.textIds();
        }

        /**
         * Returns the rest of the topic: from the end of the history in each topic partition, and all topic partitions
         * that are added later.
         */
        public LiveTopic rest() {
            return new LiveTopic(
                    history.bootstrapServers(),
                    history.topic(),
                    history.format(),
                    history.until(),
                    takesRemovals,
                    removesVertices,
                    expiry,
                    history.properties(),
                    rule,
                    1);
        }
    }

    /**
     * Another input without duplicates: the first of equal edges, in its order. In a {@link Net} an edge is there or
     * not: a removal takes it away, and a later one is new.
     */
    record Distinct(EdgeInput input, DuplicateRule rule) implements EdgeInput {
        @Override
        public long length() {
            return input.length();
        }
    }
}
