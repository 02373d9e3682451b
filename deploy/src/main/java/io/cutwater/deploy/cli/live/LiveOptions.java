package io.cutwater.deploy.cli.live;

import io.cutwater.deploy.cli.partition.AlgorithmOptions;
import io.cutwater.flink.job.option.JobOption;
import io.cutwater.flink.job.option.LiveJobOptions;
import io.cutwater.kafka.event.RecordFormatOptions;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.IModelTransformer;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/**
 * The options of the live job on a command. The job declares and checks them; the command line adds a heading and a
 * label to each.
 */
final class LiveOptions implements IModelTransformer {
    private static final String REPEATED = "set";
    private static final String SERVERS = "bootstrap-servers";
    private static final String START_FROM = "start-from";

    /**
     * An option of the job as the command line shows it.
     *
     * @param label of its value; empty for a switch
     * @param fallback its value if the option is given without one; null if it needs one
     */
    private record Shown(
            String heading,
            String name,
            String label,
            @Nullable String fallback) {
        Shown(String heading, String name, String label) {
            this(heading, name, label, null);
        }
    }

    private static final List<Shown> SHOWN = List.of(
            new Shown("Input", "event-format", "FORMAT"),
            new Shown("Input", "source", "FIELD"),
            new Shown("Input", "target", "FIELD"),
            new Shown("Input", "weight", "FIELD"),
            new Shown("Input", "timestamp", "FIELD"),
            new Shown("Input", RecordFormatOptions.EDGE_KEY, "FIELD|:key"),
            new Shown("Input", RecordFormatOptions.IDS, "integer|text"),
            new Shown("Input", RecordFormatOptions.IDS_SEED, "N"),
            new Shown("Input", "avro-schema", "FILE"),
            new Shown("Input", "descriptor", "FILE"),
            new Shown("Input", "message", "NAME"),
            new Shown("Input", "schema-registry", "URL"),
            new Shown("Input", RecordFormatOptions.REGISTRY_PROPERTIES, "FILE"),
            new Shown("Input", "on-truncate", "fail|ignore|remove"),
            new Shown("Input", "tombstones", "reject|ignore|remove"),
            new Shown("Input", "ttl", "TIME"),
            new Shown("Input", "ttl-from", "arrival|UNIT"),
            new Shown("Input", "remove-vertices", ""),
            new Shown("Input", "start-offsets", "PARTITION:OFFSET,…"),
            new Shown("Input", "bootstrap", "OFFSETS", LiveJobOptions.NOW),
            new Shown("Input", START_FROM, "DIR|FILE"),
            new Shown("Input", "vertex-data", ""),
            new Shown("Algorithm", "partitions", "K"),
            new Shown("Algorithm", "algorithm", "NAME"),
            new Shown("Algorithm", "kind", "edge|vertex"),
            new Shown("Algorithm", "seed", "N"),
            new Shown("Algorithm", REPEATED, "NAME=VALUE"),
            new Shown("Algorithm", "buffer-size", "SIZE"),
            new Shown("Re-partitioning", "keep-edges", ""),
            new Shown("Re-partitioning", "auto-repartition", "SHARE", "5%"),
            new Shown("Re-partitioning", "refine", "SHARE"),
            new Shown("Resources", "parallelism", "N"),
            new Shown("Resources", "assigners", "N"),
            new Shown("Resources", "bootstrap-threads", "N"),
            new Shown("Resources", "bootstrap-tasks", "N"),
            new Shown("Resources", "topology", "NAME"),
            new Shown("Resources", "max-parallelism", "N"),
            new Shown("Resources", "cache-size", "SIZE"),
            new Shown("Resources", "wait-limit", "TIME"),
            new Shown("Checkpoints", "checkpoint-interval", "TIME"),
            new Shown("Checkpoints", "checkpoint-dir", "URI"),
            new Shown("Checkpoints", "transaction-timeout", "TIME"),
            new Shown("Kafka", SERVERS, "HOST:PORT[,…]"),
            new Shown("Kafka", LiveJobOptions.KAFKA_PROPERTIES, "FILE"),
            new Shown("Kafka", "topic-prefix", "PREFIX"));

    /** Options that hold for one submission, so only {@code resume} has them. */
    private static final List<Shown> OF_RESUME = List.of(
            new Shown("Recovery", LiveJobOptions.REPLAY_LOST, ""),
            new Shown("Recovery", LiveJobOptions.ACCEPT_LOSS, ""),
            new Shown("Recovery", LiveJobOptions.ACCEPT_NEW_TOPIC, ""));

    /** Adds the options to a command. */
    @Override
    public CommandSpec transform(CommandSpec command) {
        Map<String, JobOption> declared =
                JobOption.ALL.stream().collect(Collectors.toMap(JobOption::name, option -> option));
        boolean isResume = command.userObject() instanceof ResumeCommand;
        Stream.concat(isResume ? OF_RESUME.stream() : Stream.empty(), SHOWN.stream())
                .map(shown -> option(shown, Objects.requireNonNull(declared.get(shown.name())), isResume))
                .forEach(command::addOption);
        return command;
    }

    private static OptionSpec option(Shown shown, JobOption job, boolean isResume) {
        OptionSpec.Builder option = OptionSpec.builder("--" + shown.name())
                .userObject(shown.heading())
                .description(description(job, isResume));
        if (job.isSwitch()) {
            return option.type(boolean.class).build();
        }
        option.paramLabel(shown.label());
        if (shown.fallback() != null) {
            option.arity("0..1").fallbackValue(shown.fallback());
        }
        if (shown.name().equals("algorithm")) {
            option.completionCandidates(new AlgorithmOptions.Names());
        }
        return shown.name().equals(REPEATED)
                ? option.type(List.class).auxiliaryTypes(String.class).build()
                : option.type(String.class).build();
    }

    /** The default of a resumed job is the value of its submission, whatever the default of that was. */
    private static String description(JobOption job, boolean isResume) {
        String text = job.name().equals(SERVERS) ? "that of the local cluster" : job.defaultText();
        String ending = isResume || job.isSwitch() || text.isEmpty() ? "" : " Default: " + text;
        String meaning = isResume ? job.description().replaceFirst(" Default: .*", "") : job.description();
        return (meaning + ending).replace("%", "%%");
    }

    /** The job's options that the command line has, by name without the dashes. */
    static Map<String, String> given(CommandSpec command) {
        Map<String, String> given = new TreeMap<>();
        for (JobOption job : JobOption.ALL) {
            OptionSpec option = command.findOption("--" + job.name());
            String value = option == null ? null : text(option.getValue());
            if (value != null) {
                given.put(job.name(), value);
            }
        }
        // The job runs elsewhere, in another working directory.
        for (String files :
                List.of(LiveJobOptions.KAFKA_PROPERTIES, RecordFormatOptions.REGISTRY_PROPERTIES, START_FROM)) {
            given.computeIfPresent(
                    files,
                    (name, file) -> Path.of(file).toAbsolutePath().normalize().toString());
        }
        return given;
    }

    private static @Nullable String text(@Nullable Object value) {
        if (value instanceof List<?> list) {
            return list.isEmpty() ? null : list.stream().map(String::valueOf).collect(Collectors.joining(","));
        }
        return value == null || value.equals(false) ? null : value.toString();
    }
}
