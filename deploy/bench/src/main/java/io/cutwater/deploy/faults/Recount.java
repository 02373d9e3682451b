package io.cutwater.deploy.faults;

import io.cutwater.kafka.run.CommittedEnds;
import io.cutwater.kafka.shard.ShardTopicReader;
import io.cutwater.kafka.topic.TopicAdmin;
import io.cutwater.kafka.topic.Topics;
import java.util.HashMap;
import java.util.Map;

/** Counts the edges of the committed records of topic {@code shards}, independently of what the job reports. */
public final class Recount {
    private final String servers;
    private final String topic;
    private final ShardCopies copies = new ShardCopies();
    private final Map<Integer, Long> read = new HashMap<>();

    /** @param servers of the broker, at an address that no fault affects */
    public Recount(String servers, String topic) {
        this.servers = servers;
        this.topic = topic;
    }

    /**
     * Reads what was committed since the last call.
     *
     * @return the counts of everything read so far
     * @throws io.cutwater.kafka.topic.BrokerException if the broker does not answer, or the topic is missing; then
     *     nothing was counted
     */
    public ShardCopies readOn() {
        Map<Integer, Long> ends;
        try (TopicAdmin admin = TopicAdmin.connect(servers, Map.of())) {
            ends = new CommittedEnds(servers, Map.of(), Topics.ofShards(topic).orElseThrow()).ofShards(admin);
        }
        if (!ends.equals(read)) {
            ShardCopies added = new ShardCopies();
            new ShardTopicReader(servers, Map.of()).read(topic, read, ends, added::add);
            copies.addAll(added);
            read.putAll(ends);
        }
        return copies;
    }

    /** Returns the counts of everything read so far. */
    public ShardCopies copies() {
        return copies;
    }
}
