package io.cutwater.deploy.cli.partition;

import io.cutwater.deploy.cli.option.CommonOptions;
import io.cutwater.deploy.cli.quality.ReportText;
import io.cutwater.deploy.launch.Version;
import io.cutwater.deploy.local.PartitionRun;
import io.cutwater.deploy.local.RunRequest;
import io.cutwater.deploy.view.Interruption;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Partitions the edges of files or of a topic in one bounded run. */
@Command(
        name = "partition",
        sortOptions = false,
        description = "Partitions the edges of files or of a topic, and writes the shards to a folder.",
        footer = {
            "",
            "Example: cutwater partition --edges graph.txt.gz --algorithm hdrf --partitions 32 --out shards",
        })
@SuppressWarnings("NullAway.Init") // picocli sets mixins
public final class PartitionCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Mixin
    private InputOptions input;

    @Mixin
    private PartitionCountOptions partitions;

    @Mixin
    private AlgorithmOptions algorithm;

    @Mixin
    private OutputOptions output;

    @Mixin
    private VertexDataOptions vertexData;

    @Mixin
    private ResourceOptions resources;

    @Mixin
    private CommonOptions common;

    @Override
    public Integer call() throws Exception {
        RunRequest request = request();
        PrintWriter err = spec.commandLine().getErr();
        PartitionRun.Outcome outcome;
        try (Interruption interruption = new Interruption(err, () -> interrupted(request))) {
            outcome = new PartitionRun(request, common.display(err), Version.current()).run();
        }
        ReportText.print(spec.commandLine().getOut(), outcome.report(), common.isJson());
        new OutcomeNotes(request, outcome, err).print();
        draw(request, outcome, err);
        return outcome.hasFolder() ? ExitCode.OK : ExitCode.SOFTWARE;
    }

    private void draw(RunRequest request, PartitionRun.Outcome outcome, PrintWriter err) throws IOException {
        Path plot = output.plot();
        if (plot != null && outcome.hasFolder()) {
            new PartitionPlot(
                            request.input().from().name(),
                            outcome.report(),
                            request.algorithm().partitioner().passMode(),
                            1 + request.algorithm().imbalance(),
                            outcome.replicas())
                    .write(plot);
            err.println("cutwater: wrote " + plot);
        }
    }

    private static String interrupted(RunRequest request) {
        return request.output().publishes()
                ? "the run on the topics is not complete, so that readers refuse it, and there is no output folder"
                : "there is no output folder; the same command starts over";
    }

    private RunRequest request() throws IOException {
        RunRequest.Input edges = input.read();
        RunRequest.VertexData data = vertexData.read(edges, input.topics().kafka());
        RunRequest.Output to = output.read(edges.from());
        RunRequest.Algorithm by = algorithm.read(
                partitions.count(edges, data.files()), resources.isOneAssigner(), vertexData.training(data));
        return new RunRequest(edges, data, by, to, resources.read(by));
    }
}
