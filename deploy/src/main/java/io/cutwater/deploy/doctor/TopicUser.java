package io.cutwater.deploy.doctor;

import io.cutwater.kafka.topic.TopicOperation;
import io.cutwater.kafka.topic.Topics;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** Processes that use the topics of a graph, with the rights that they need. */
enum TopicUser {
    JOB,
    TRAINER,
    PAGE;

    private static final Set<TopicOperation> READS = EnumSet.of(TopicOperation.DESCRIBE, TopicOperation.READ);
    private static final Set<TopicOperation> WRITES =
            EnumSet.of(TopicOperation.DESCRIBE, TopicOperation.READ, TopicOperation.WRITE);

    /**
     * What a process does with a topic.
     *
     * @param condition option that makes the process need it; empty if it always does
     * @param creates whether the process creates the topic if it does not exist
     */
    record Need(String topic, Set<TopicOperation> operations, String condition, boolean creates) {}

    /** Returns {@code job}, {@code trainer} or {@code page}. */
    String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Returns what the process does with the topics of a graph. */
    List<Need> needs(Topics topics) {
        List<Need> needs = new ArrayList<>();
        switch (this) {
            case JOB -> {
                List<String> written = List.of(
                        topics.shards(),
                        topics.partitionBook(),
                        topics.report(),
                        topics.quality(),
                        topics.deadLetters(),
                        topics.commands(),
                        topics.plans(),
                        topics.owner(),
                        topics.runs(),
                        topics.vertexUpdates(),
                        topics.commits());
                // It checks the settings of its topics.
                for (String topic : List.of(topics.edges(), topics.vertices())) {
                    needs.add(new Need(topic, with(READS, TopicOperation.DESCRIBE_CONFIGS), "", true));
                }
                for (String topic : written) {
                    needs.add(new Need(topic, with(WRITES, TopicOperation.DESCRIBE_CONFIGS), "", true));
                }
                needs.add(new Need(
                        topics.ids(), with(WRITES, TopicOperation.DESCRIBE_CONFIGS), "submit --ids text", true));
            }
            case TRAINER -> {
                for (String topic : List.of(
                        topics.shards(),
                        topics.partitionBook(),
                        topics.report(),
                        topics.quality(),
                        topics.owner(),
                        topics.runs(),
                        topics.commits())) {
                    needs.add(new Need(topic, READS, "", false));
                }
                needs.add(new Need(topics.ids(), READS, "submit --ids text", false));
                for (String topic : List.of(topics.trainingRounds(), topics.models(), topics.modelUpdates())) {
                    needs.add(new Need(topic, WRITES, "", true));
                }
            }
            case PAGE -> {
                for (String topic : List.of(
                        topics.quality(),
                        topics.report(),
                        topics.plans(),
                        topics.partitionBook(),
                        topics.deadLetters(),
                        topics.trainingRounds(),
                        topics.shards(),
                        topics.edges(),
                        topics.vertices())) {
                    needs.add(new Need(topic, READS, "", false));
                }
                needs.add(new Need(topics.ids(), READS, "submit --ids text", false));
                needs.add(
                        new Need(topics.commands(), EnumSet.of(TopicOperation.WRITE), "page --allow-commands", false));
            }
        }
        return needs;
    }

    private static Set<TopicOperation> with(Set<TopicOperation> operations, TopicOperation one) {
        Set<TopicOperation> all = EnumSet.copyOf(operations);
        all.add(one);
        return all;
    }
}
