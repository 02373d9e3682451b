package io.cutwater.deploy.cli.live;

import io.cutwater.deploy.cli.option.CommonOptions;
import io.cutwater.deploy.cluster.ClusterSettings;
import io.cutwater.deploy.cluster.job.LiveJobs;
import io.cutwater.deploy.launch.ClusterParts;
import io.cutwater.flink.connector.input.StartPlaces;
import io.cutwater.flink.job.option.LiveJobOptions;
import io.cutwater.state.algorithm.Algorithms;
import io.cutwater.state.bulk.GivenPlaces;
import io.cutwater.state.partition.PartitionerOptions;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Submits the live job to a Flink cluster. */
@Command(
        name = "submit",
        sortOptions = false,
        modelTransformer = LiveOptions.class,
        description = {
            "Submits the live job, which partitions topic edges into topic shards, and prints the id of the job.",
            "Without --flink and --bootstrap-servers the job runs on the local cluster."
        },
        footer = {
            "",
            "Example: cutwater submit --flink localhost:8081 --bootstrap-servers localhost:9092 --partitions 32"
        })
@SuppressWarnings("NullAway.Init") // picocli sets mixins
public final class SubmitCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Mixin
    private FlinkOptions flink;

    @Mixin
    private CommonOptions common;

    @Override
    public Integer call() throws Exception {
        LiveJobs jobs = flink.jobs();
        Map<String, String> given = LiveOptions.given(spec);
        ClusterSettings local = flink.local();
        if (local != null) {
            given.putIfAbsent("bootstrap-servers", local.bootstrapServers());
        }
        LiveJobOptions validated;
        try {
            validated = LiveJobOptions.of(given);
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), String.valueOf(e.getMessage()), e);
        }
        if (given.containsKey("bootstrap") && !validated.bootstraps()) {
            spec.commandLine()
                    .getErr()
                    .printf(
                            "cutwater: note: %s places one edge at a time, so --bootstrap has no effect; it"
                                    + " reads the topic live from its beginning%n",
                            validated.partitioner().algorithm());
        }
        StartPlaces start = validated.startFrom();
        if (start != null) {
            GivenPlaces places =
                    start.read(validated.partitioner(), validated.eventFormat().textIds());
            spec.commandLine().getErr().println(note(start, places, validated.partitioner()));
        }
        LiveJobs.Submitted job = jobs.submit(validated, ClusterParts.find());
        SubmittedText.print(spec.commandLine(), job, jobs.page(job.id()), common.isJson());
        return 0;
    }

    private static String note(StartPlaces start, GivenPlaces places, PartitionerOptions options) {
        OptionalDouble bound = Algorithms.of(options).maxBalance(options);
        return String.format(
                Locale.ROOT,
                "cutwater: note: %,d places from %s; the fullest partition has %.2f times the mean%s",
                places.given(),
                start.path(),
                places.balance(),
                bound.isPresent() && places.balance() > bound.getAsDouble()
                        ? String.format(
                                Locale.ROOT,
                                ", more than the %.2f that %s keeps to; it is taken as it is, and a re-partitioning"
                                        + " improves it",
                                bound.getAsDouble(),
                                options.algorithm())
                        : "");
    }
}
