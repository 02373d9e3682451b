package io.cutwater.deploy.cluster.job;

import io.cutwater.flink.job.option.JobOption;
import io.cutwater.flink.job.option.LiveJobOptions;
import io.cutwater.flink.job.topology.Topology;
import io.cutwater.kafka.event.RecordFormatOptions;
import io.cutwater.state.algorithm.Algorithms;
import io.cutwater.state.partition.PartitionerOptions;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** Computes the options with which a job continues. */
final class ResumedOptions {
    private static final String BOOTSTRAP_TASKS = "bootstrap-tasks";
    private static final String TOPOLOGY = "topology";
    private static final String START_OFFSETS = "start-offsets";

    /** Options that the state of a job depends on. */
    private static final Set<String> FIXED = Set.of(
            "algorithm",
            "bootstrap",
            BOOTSTRAP_TASKS,
            "bootstrap-threads",
            RecordFormatOptions.EDGE_KEY,
            "keep-edges",
            "kind",
            "max-parallelism",
            "partitions",
            "remove-vertices",
            "seed",
            "set",
            RecordFormatOptions.IDS,
            RecordFormatOptions.IDS_SEED,
            START_OFFSETS,
            "topic-prefix",
            "ttl",
            "ttl-from",
            "vertex-data");

    private ResumedOptions() {}

    /**
     * Returns the options of the submission, with those that are given now in their place.
     *
     * @throws IllegalArgumentException if an option cannot change or is invalid; the message names it
     */
    static LiveJobOptions of(JobRecord past, Map<String, String> changed) {
        Map<String, String> options = new TreeMap<>(past.options());
        // A loss that was accepted once was accepted for that state only.
        options.keySet()
                .removeAll(Set.of(
                        LiveJobOptions.ACCEPT_LOSS, LiveJobOptions.ACCEPT_NEW_TOPIC, LiveJobOptions.REPLAY_LOST));
        if (changed.containsKey(LiveJobOptions.ACCEPT_NEW_TOPIC)) {
            options.remove(START_OFFSETS); // of the topic before
        }
        // The defaults of the builds that did not store them.
        options.putIfAbsent("algorithm", "hdrf");
        options.putIfAbsent(BOOTSTRAP_TASKS, "1");
        refuseFixed(options, changed);
        options.putAll(changed);
        keepSpread(past, options, changed);
        return LiveJobOptions.of(options);
    }

    /**
     * Keeps a distributed job distributed, unless the fused topology is asked for: with one task of each kind, too, its
     * state is that of vertex tables and assigners.
     */
    private static void keepSpread(JobRecord past, Map<String, String> options, Map<String, String> changed) {
        Map<String, String> before = new TreeMap<>(past.options());
        before.remove(LiveJobOptions.KAFKA_PROPERTIES); // may have moved since
        boolean wasFused = LiveJobOptions.of(before).spread() == null;
        if (!wasFused && changed.getOrDefault(TOPOLOGY, "").equals(Topology.FUSED.toString())) {
            gather(options, changed);
            return;
        }
        LiveJobOptions after = LiveJobOptions.of(options);
        if (wasFused && after.spread() != null) {
            refuseSpreading(after);
        }
        if (wasFused || after.spread() != null) {
            return;
        }
        options.put(TOPOLOGY, Topology.DISTRIBUTED.toString());
    }

    /** Has one task go on with the state of several, and refuses what it does not read of that. */
    private static void gather(Map<String, String> options, Map<String, String> changed) {
        for (String tasks : List.of("parallelism", "assigners")) {
            if (!changed.containsKey(tasks)) {
                options.remove(tasks);
            }
        }
        options.remove(TOPOLOGY); // which is auto, so that a later resume with more tasks need not say so
        options.put(BOOTSTRAP_TASKS, "1"); // the source refuses that before the history is placed
        LiveJobOptions after = LiveJobOptions.of(options);
        if (after.spread() != null) {
            throw new IllegalArgumentException(
                    "--topology fused uses one task; leave --parallelism and --assigners out, or --topology");
        }
    }

    /** Refuses what several tasks do not read of the state of one. */
    private static void refuseSpreading(LiveJobOptions after) {
        PartitionerOptions partitioner = after.partitioner();
        if (Algorithms.of(partitioner).needsOneAssigner(partitioner)) {
            throw new IllegalArgumentException(
                    "a job of one task with --algorithm %s keeps state beside the vertices, which several tasks do not read; resume it without --parallelism and --topology, or submit a new job with them"
                            .formatted(partitioner.algorithm()));
        }
    }

    private static void refuseFixed(Map<String, String> past, Map<String, String> changed) {
        for (String name : new TreeSet<>(changed.keySet())) {
            String before = past.getOrDefault(name, JobOption.defaultOf(name));
            boolean isOfNewTopic = name.equals(START_OFFSETS) && changed.containsKey(LiveJobOptions.ACCEPT_NEW_TOPIC);
            if (FIXED.contains(name) && !isOfNewTopic && !before.equals(changed.get(name))) {
                throw new IllegalArgumentException(
                        "--%s cannot change when a job is resumed, because its state depends on '%s'; leave it out"
                                .formatted(name, before));
            }
        }
    }
}
