package io.cutwater.deploy.cli.live;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.cutwater.deploy.cli.option.CommonOptions;
import io.cutwater.deploy.cli.option.JsonText;
import io.cutwater.deploy.cli.option.KafkaPropertiesOption;
import io.cutwater.deploy.cluster.job.BootstrapStage;
import io.cutwater.deploy.cluster.rest.JobProgress;
import io.cutwater.deploy.cluster.rest.LiveJob;
import io.cutwater.flink.job.option.LiveJobOptions;
import io.cutwater.format.json.ReportJson;
import io.cutwater.format.json.RunReport;
import io.cutwater.kafka.run.QualityReader;
import io.cutwater.kafka.topic.BrokerException;
import io.cutwater.kafka.topic.Topics;
import io.cutwater.state.quality.Quality;
import io.cutwater.state.text.Counted;
import java.io.PrintWriter;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Lists the live jobs of a Flink cluster. */
@Command(
        name = "status",
        sortOptions = false,
        description = {
            "Lists the live jobs of a Flink cluster with the quality that each has committed last.",
            "The exit code is 1 if a job has failed or makes no progress, or if its quality cannot be read."
        },
        footer = {"", "Example: cutwater status --flink localhost:8081"})
@SuppressWarnings("NullAway.Init") // picocli sets mixins
public final class StatusCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Mixin
    private KafkaPropertiesOption kafka;

    @Mixin
    private FlinkOptions flink;

    @Mixin
    private CommonOptions common;

    private boolean misses;
    private boolean isStuck;

    @Override
    public Integer call() throws Exception {
        List<LiveJob> jobs = flink.jobs().list().stream()
                .sorted(Comparator.comparing(LiveJob::hasEnded).thenComparing(LiveJob::start))
                .toList();
        PrintWriter out = spec.commandLine().getOut();
        ObjectNode document = JsonText.object();
        ArrayNode entries = document.putArray("jobs");
        if (jobs.isEmpty() && !common.isJson()) {
            out.println("The cluster has no live job of Cutwater.");
        }
        for (LiveJob job : jobs) {
            Optional<BootstrapStage> stage = flink.jobs().stage(job);
            JobProgress progress = flink.jobs().progress(job);
            isStuck |= progress.kind().isStuck() && !goesOnAsAnother(job, jobs);
            // The topics hold what the last of the jobs that write them has done; one that is being started does not
            // tell its topics yet.
            RunReport report = job.hasEnded() || job.options().isEmpty() ? null : report(job);
            if (common.isJson()) {
                describe(entries.addObject(), job, progress, stage, report);
            } else {
                out.println(line(job, progress, stage, report));
            }
        }
        if (common.isJson()) {
            JsonText.print(out, document);
        }
        out.flush();
        return misses || isStuck ? ExitCode.SOFTWARE : 0;
    }

    /** Returns whether a failed job was resumed: the cluster lists it for some time after that. */
    private static boolean goesOnAsAnother(LiveJob job, List<LiveJob> jobs) {
        return job.hasEnded()
                && jobs.stream()
                        .anyMatch(other ->
                                other.name().equals(job.name()) && other.start().isAfter(job.start()));
    }

    private @Nullable RunReport report(LiveJob job) {
        Topics topics = new Topics(job.options().getOrDefault("topic-prefix", ""));
        try {
            return new QualityReader(
                            job.options().getOrDefault("bootstrap-servers", ""),
                            kafka.readOr(job.options().get(LiveJobOptions.KAFKA_PROPERTIES)))
                    .last(topics);
        } catch (BrokerException e) {
            spec.commandLine().getErr().println("cutwater: job %s: %s".formatted(job.id(), e.getMessage()));
            misses = true;
            return null;
        }
    }

    private static String line(
            LiveJob job, JobProgress progress, Optional<BootstrapStage> stage, @Nullable RunReport report) {
        boolean isWaiting = progress.kind() == JobProgress.Kind.WAITS_FOR_SLOTS;
        String begin = "%s  %-10s %s, max parallelism %s, %srestarted %s"
                        .formatted(
                                job.id(),
                                isWaiting ? "WAITING" : job.state(),
                                job.name(),
                                job.options().getOrDefault("max-parallelism", "128"),
                                progress.isAtLeast() ? "at least " : "",
                                progress.restarts() == 1 ? "once" : progress.restarts() + " times")
                + stage.map(now -> ", " + now.sentence()).orElse("")
                + (progress.reason().isEmpty() ? "" : "%n    ".formatted() + progress.reason());
        if (report == null) {
            return begin;
        }
        Quality quality = report.quality();
        return begin
                + "%n    %s, %s: %s, %s, %s, %s"
                        .formatted(
                                report.algorithm(),
                                Counted.of(quality.partitions(), "partition"),
                                Counted.of(quality.edges(), "edge"),
                                Counted.of(quality.vertices(), "vertex"),
                                ratios(quality),
                                Counted.of(quality.deadLetters(), "dead letter"));
    }

    private static String ratios(Quality quality) {
        return quality.kind().hasOwners()
                ? String.format(
                        Locale.ROOT,
                        "edge-cut ratio %.4f, vertex balance %.4f, volume balance %.4f",
                        quality.edgeCutRatio().orElseThrow(),
                        quality.vertexBalance(),
                        quality.loadBalance())
                : String.format(
                        Locale.ROOT,
                        "replication factor %.4f, edge balance %.4f, vertex balance %.4f",
                        quality.replicationFactor(),
                        quality.loadBalance(),
                        quality.vertexBalance());
    }

    private static void describe(
            ObjectNode entry,
            LiveJob job,
            JobProgress progress,
            Optional<BootstrapStage> stage,
            @Nullable RunReport report) {
        entry.put("job", job.id())
                .put("name", job.name())
                .put("state", job.state())
                .put("started", job.start().toString())
                .put("progress", progress.kind().name().toLowerCase(Locale.ROOT))
                .put("restarts", progress.restarts())
                .put("restores", job.restores())
                .put("maxParallelism", job.options().getOrDefault("max-parallelism", "128"));
        if (!progress.reason().isEmpty()) {
            entry.put("reason", progress.reason());
        }
        stage.ifPresent(now -> {
            entry.put("stage", now.name());
            if (!now.pass().isEmpty()) {
                entry.put("pass", now.pass()).put("passShare", now.share());
            }
        });
        if (report != null) {
            entry.setAll(ReportJson.summary(report));
        }
    }
}
