package io.cutwater.deploy.cli.live;

import io.cutwater.deploy.cli.converter.DurationConverter;
import io.cutwater.deploy.cli.converter.RateConverter;
import io.cutwater.deploy.cli.converter.ShareConverter;
import io.cutwater.deploy.cli.option.CommonOptions;
import io.cutwater.deploy.cli.option.JsonText;
import io.cutwater.deploy.cli.option.KafkaOptions;
import io.cutwater.deploy.cluster.ClusterSettings;
import io.cutwater.deploy.cluster.job.JobControl;
import io.cutwater.deploy.cluster.rest.LiveJob;
import io.cutwater.deploy.view.Progress;
import io.cutwater.flink.job.option.LiveJobOptions;
import io.cutwater.kafka.command.RepartitionStatusJson;
import io.cutwater.kafka.topic.Topics;
import io.cutwater.state.repartition.live.JobCommand;
import io.cutwater.state.repartition.live.PlanState;
import io.cutwater.state.repartition.live.RepartitionStatus;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Re-partitions a running job. */
@Command(
        name = "repartition",
        sortOptions = false,
        description = {
            "Re-partitions a running job that was submitted with --keep-edges.",
            "The brokers and the topic prefix default to those of JOB, or to the local cluster.",
            "The exit code is 1 if the re-partitioning was refused or aborted."
        },
        footer = {"", "Example: cutwater repartition --partitions 12 --budget 20%%"})
@SuppressWarnings("NullAway.Init") // picocli sets mixins
public final class RepartitionCommand implements Callable<Integer> {
    /** The change of a running job; exactly one of these. */
    private static final class Change {
        @Option(names = "--partitions", paramLabel = "K", description = "New number of partitions, 1 to 4096.")
        private @Nullable Integer partitions;

        @Option(names = "--replan", description = "Make a new plan for the same number of partitions.")
        boolean replan;

        @Option(names = "--abort", description = "Abort a running re-partitioning; moved edges stay where they are.")
        private boolean abort;
    }

    @Spec
    private CommandSpec spec;

    @Parameters(
            arity = "0..1",
            paramLabel = "JOB",
            description = "Its id on the Flink cluster. Default: the job that writes topics of that prefix")
    private @Nullable String job;

    @ArgGroup(multiplicity = "1")
    private Change change;

    @Option(
            names = "--budget",
            paramLabel = "SHARE",
            defaultValue = "100%",
            converter = ShareConverter.class,
            description = "Share of the edges that may move, such as 5%% or 0.05. Default: all")
    private double budget = 1;

    @Option(
            names = "--rate",
            paramLabel = "N[/s]",
            converter = RateConverter.class,
            description = "Edges per second that may move. Default: no limit")
    private @Nullable Long rate;

    @Option(names = "--dry-run", description = "Only report what would move, and the gain.")
    private boolean dryRun;

    @Option(
            names = "--id",
            paramLabel = "ID",
            description = "Id of the re-partitioning; repeat it to follow one that runs. Default: a new one")
    private @Nullable String id;

    @Option(
            names = "--timeout",
            paramLabel = "TIME",
            defaultValue = "2m",
            converter = DurationConverter.class,
            description = "Longest time without an answer from the job. Default: ${DEFAULT-VALUE}")
    private Duration timeout = Duration.ofMinutes(2);

    @Mixin
    private KafkaOptions kafka;

    @Mixin
    private FlinkOptions flink;

    @Mixin
    private CommonOptions common;

    /** The broker and the prefix of a job's topics. */
    private record Place(String bootstrapServers, Map<String, String> client, Topics topics) {}

    @Override
    public Integer call() throws Exception {
        JobCommand.@Nullable Repartition command = change.abort ? null : command();
        if (change.abort && dryRun) {
            throw wrong("--dry-run needs --partitions K or --replan; leave it out");
        }
        Place place = place();
        RepartitionStatus end;
        try (JobControl control = new JobControl(
                        place.bootstrapServers(), place.client(), place.topics(), timeout, System::nanoTime);
                Progress progress = common.display(spec.commandLine().getErr()).begin("repartition")) {
            if (command == null) {
                end = control.abort(id, status -> show(status, progress));
            } else {
                end = follow(control, command, progress);
            }
        }
        return report(end);
    }

    private RepartitionStatus follow(JobControl control, JobCommand.Repartition command, Progress progress) {
        PrintWriter err = spec.commandLine().getErr();
        Thread note =
                new Thread(() -> err.println("cutwater: the job continues the re-partitioning; follow it with --id "
                        + command.id() + ", end it with --abort --id " + command.id()));
        Runtime.getRuntime().addShutdownHook(note);
        try {
            return control.repartition(command, status -> show(status, progress));
        } finally {
            stopNoting(note);
        }
    }

    private static void stopNoting(Thread note) {
        try {
            Runtime.getRuntime().removeShutdownHook(note);
        } catch (IllegalStateException e) {
            // The process is terminating, and prints the note.
        }
    }

    private JobCommand.Repartition command() {
        if (change.partitions != null && change.partitions < 1) {
            throw wrong("--partitions must be between 1 and 4096, but was " + change.partitions);
        }
        try {
            return new JobCommand.Repartition(
                    id == null ? UUID.randomUUID().toString() : id,
                    change.partitions == null ? 0 : change.partitions,
                    budget,
                    rate == null ? Long.MAX_VALUE : rate,
                    dryRun);
        } catch (IllegalArgumentException e) {
            throw wrong("--" + e.getMessage());
        }
    }

    private Place place() throws IOException {
        String servers = kafka.bootstrapServers();
        String prefix = "";
        String ofJob = null;
        if (job != null) {
            LiveJob found = flink.jobs().list().stream()
                    .filter(live -> live.id().equals(job))
                    .findFirst()
                    .orElseThrow(() -> new IOException("the Flink cluster has no live job " + job));
            servers = servers == null ? found.options().get("bootstrap-servers") : servers;
            ofJob = found.options().get(LiveJobOptions.KAFKA_PROPERTIES);
            prefix = found.options().getOrDefault("topic-prefix", "");
        }
        ClusterSettings local = servers == null ? flink.local() : null;
        if (local != null) {
            servers = local.bootstrapServers();
        }
        if (servers == null) {
            throw wrong("--bootstrap-servers HOST:PORT is missing, and there is no local cluster here");
        }
        flink.requireOwnBroker(servers);
        return new Place(servers, kafka.properties().readOr(ofJob), kafka.topics(prefix));
    }

    private static void show(RepartitionStatus status, Progress progress) {
        double share = status.edgesToMove() == 0 ? Double.NaN : (double) status.edgesMoved() / status.edgesToMove();
        progress.update(status.edgesMoved(), share, status.state().label());
    }

    private int report(RepartitionStatus end) {
        PrintWriter out = spec.commandLine().getOut();
        if (common.isJson()) {
            JsonText.print(out, RepartitionStatusJson.tree(end));
        } else {
            RepartitionText.print(out, end);
        }
        boolean isWanted = change.abort
                ? end.state() == PlanState.ABORTED
                : end.state() == PlanState.DONE || end.state() == PlanState.PLANNED;
        if (!isWanted) {
            spec.commandLine()
                    .getErr()
                    .println("cutwater: re-partitioning %s is %s%s"
                            .formatted(
                                    end.id(), end.state().label(), end.reason().isEmpty() ? "" : ": " + end.reason()));
        }
        return isWanted ? 0 : ExitCode.SOFTWARE;
    }

    private ParameterException wrong(String sentence) {
        return new ParameterException(spec.commandLine(), sentence);
    }
}
