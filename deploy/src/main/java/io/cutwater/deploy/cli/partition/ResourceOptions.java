package io.cutwater.deploy.cli.partition;

import io.cutwater.deploy.cli.converter.ByteSizeConverter;
import io.cutwater.deploy.cli.converter.DurationConverter;
import io.cutwater.deploy.cli.help.Heading;
import io.cutwater.deploy.local.RunRequest;
import io.cutwater.flink.job.topology.Topology;
import io.cutwater.flink.operator.distributed.SpreadOptions;
import io.cutwater.state.bulk.BulkRequest;
import io.cutwater.state.partition.PartitionerOptions;
import java.time.Duration;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The tasks and the memory of a bounded run. */
@Heading("Resources")
@SuppressWarnings("NullAway.Init") // picocli sets options with defaults
final class ResourceOptions {
    private static final Duration SHORTEST_INTERVAL = Duration.ofMillis(100);

    @Spec(Spec.Target.MIXEE)
    private CommandSpec spec;

    @Option(
            names = "--parallelism",
            paramLabel = "N",
            defaultValue = "1",
            description = "Threads of the bulk passes of cutwater, which change its output a little;"
                    + " else tasks that hold vertex state. Default: ${DEFAULT-VALUE}")
    private int parallelism;

    @Option(
            names = "--assigners",
            paramLabel = "N",
            defaultValue = "1",
            description = "Tasks that place edges; with more than one the output is not deterministic."
                    + " Default: ${DEFAULT-VALUE}")
    private int assigners;

    @Option(
            names = "--topology",
            paramLabel = "NAME",
            defaultValue = "auto",
            description = "fused (one task), distributed, or auto: fused if one task is enough."
                    + " Default: ${DEFAULT-VALUE}")
    private String topology;

    @Option(
            names = "--cache-size",
            paramLabel = "SIZE",
            defaultValue = "256m",
            converter = ByteSizeConverter.class,
            description = "Heap memory for vertex state in front of RocksDB, which takes 128 MB more."
                    + " Default: ${DEFAULT-VALUE}")
    private long cacheBytes;

    @Option(
            names = "--checkpoint-interval",
            paramLabel = "TIME",
            defaultValue = "10s",
            converter = DurationConverter.class,
            description = "Time between checkpoints. Default: ${DEFAULT-VALUE}")
    private Duration checkpointInterval;

    /** Returns whether one task places all edges. */
    boolean isOneAssigner() {
        return assigners == 1;
    }

    RunRequest.Resources read(RunRequest.Algorithm algorithm) {
        if (cacheBytes < 1) {
            throw wrong("--cache-size must be at least 1 byte: " + cacheBytes);
        }
        if (checkpointInterval.compareTo(SHORTEST_INTERVAL) < 0) {
            throw wrong("--checkpoint-interval must be at least 100ms: " + checkpointInterval.toMillis() + "ms");
        }
        try {
            PartitionerOptions partitioner = algorithm.partitioner();
            Topology chosen = Topology.of(topology);
            int bulkParts = BulkRequest.placesParts(partitioner) ? parallelism : 1;
            BulkRequest.checkParts(partitioner, bulkParts);
            boolean isOneTask = bulkParts > 1 && assigners == 1 && chosen != Topology.DISTRIBUTED;
            SpreadOptions spread =
                    chosen.spread(partitioner, SpreadOptions.DEFAULT_BUCKETS, isOneTask ? 1 : parallelism, assigners);
            return new RunRequest.Resources(cacheBytes, checkpointInterval, spread, bulkParts);
        } catch (IllegalArgumentException e) {
            throw wrong(String.valueOf(e.getMessage()));
        }
    }

    private ParameterException wrong(String message) {
        return new ParameterException(spec.commandLine(), message);
    }
}
