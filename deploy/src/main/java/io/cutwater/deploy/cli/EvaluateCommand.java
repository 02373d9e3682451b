package io.cutwater.deploy.cli;

import io.cutwater.deploy.local.Evaluation;
import io.cutwater.deploy.local.InputRequest;
import io.cutwater.kafka.record.RunReport;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Quality of an assignment, counted from what is on the disk. */
@Command(
        name = "evaluate",
        sortOptions = false,
        description = "Counts the quality of an assignment of edges, ours or another tool's.",
        footer = {"", "Example: cutwater evaluate --edges graph.txt.gz --assignment shards"})
@SuppressWarnings("NullAway.Init") // picocli sets mixins
final class EvaluateCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Mixin
    private EdgeFileOptions edges;

    @Option(
            names = "--assignment",
            paramLabel = "DIR|FILE",
            required = true,
            description =
                    "An output folder, which is checked as a whole; a file whose i-th line is the partition of the i-th"
                            + " edge; or lines 'u v partition'. The last two have as many partitions as the highest says.")
    private Path assignment;

    @Mixin
    private CommonOptions common;

    @Override
    public Integer call() throws Exception {
        if (!Files.exists(assignment)) {
            throw wrong("--assignment %s does not exist; check the path".formatted(assignment));
        }
        InputRequest.Files input = edges.isGiven() ? new InputRequest.Files(edges.files(), edges.format()) : null;
        RunReport report = new Evaluation(
                        input, assignment, common.display(spec.commandLine().getErr()))
                .run();
        ReportText.print(spec.commandLine().getOut(), report, common.json);
        return 0;
    }

    private ParameterException wrong(String sentence) {
        return new ParameterException(spec.commandLine(), sentence);
    }
}
