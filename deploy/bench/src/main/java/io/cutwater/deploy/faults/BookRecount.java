package io.cutwater.deploy.faults;

import io.cutwater.kafka.book.BookTopicReader;
import io.cutwater.kafka.book.PartitionBookEntry;
import io.cutwater.kafka.run.CommittedEnds;
import io.cutwater.kafka.topic.TopicAdmin;
import io.cutwater.kafka.topic.Topics;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Compares topic {@code partition-book} with the shards of a job that has stopped. */
final class BookRecount {
    private final String servers;
    private final Topics topics;

    BookRecount(String servers, Topics topics) {
        this.servers = servers;
        this.topics = topics;
    }

    /**
     * Returns what is wrong, as a sentence; empty if the book has each vertex of the shards, with its degree and its
     * shards, and no others.
     *
     * @throws io.cutwater.kafka.topic.BrokerException if the broker does not answer, or the topic is missing
     */
    String compare(ShardCopies shards) {
        Map<Long, String> expected = shards.vertices();
        Map<Long, String> actual = read();
        Map<Long, String> differing = new TreeMap<>();
        expected.forEach((vertex, is) -> {
            String told = actual.getOrDefault(vertex, "nothing");
            if (!told.equals(is)) {
                differing.put(vertex, "%s, but the book has %s".formatted(is, told));
            }
        });
        actual.forEach((vertex, told) -> {
            if (!expected.containsKey(vertex)) {
                differing.put(vertex, "no edges, but the book has " + told);
            }
        });
        return differing.entrySet().stream()
                .findFirst()
                .map(first -> "%d vertices of the partition book are wrong, such as %d: %s"
                        .formatted(differing.size(), first.getKey(), first.getValue()))
                .orElse("");
    }

    private Map<Long, String> read() {
        Map<Long, String> entries = new TreeMap<>();
        try (TopicAdmin admin = TopicAdmin.connect(servers, Map.of())) {
            Map<Integer, Long> ends = new CommittedEnds(servers, Map.of(), topics)
                    .of(admin, List.of(topics.partitionBook()))
                    .get(0);
            Map<Integer, Long> begins = admin.offsets().beginnings(topics.partitionBook());
            new BookTopicReader(servers, Map.of())
                    .read(topics.partitionBook(), begins, ends, new BookTopicReader.BookHandler() {
                        @Override
                        public void entry(PartitionBookEntry entry) {
                            // A vertex without edges may keep an owner for a while.
                            if (entry.degree() == 0) {
                                entries.remove(entry.vertex());
                            } else {
                                String shards = Arrays.toString(entry.replicas());
                                entries.put(entry.vertex(), ShardCopies.vertex(entry.degree(), shards));
                            }
                        }

                        @Override
                        public void gone(long vertex) {
                            entries.remove(vertex);
                        }
                    });
        }
        return entries;
    }
}
