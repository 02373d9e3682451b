package io.cutwater.deploy.cli.quality;

import io.cutwater.deploy.cli.option.CommonOptions;
import io.cutwater.deploy.cli.option.EdgeFileOptions;
import io.cutwater.deploy.cli.option.VertexFileOptions;
import io.cutwater.deploy.evaluation.Evaluation;
import io.cutwater.deploy.evaluation.LineKind;
import io.cutwater.deploy.evaluation.ShardGraph;
import io.cutwater.deploy.evaluation.VertexEvaluation;
import io.cutwater.deploy.input.InputRequest;
import io.cutwater.deploy.view.Progress;
import io.cutwater.format.folder.ShardFolder;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Computes the quality of an assignment from its files. */
@Command(
        name = "evaluate",
        sortOptions = false,
        description = "Computes the quality of an assignment of edges or vertices, by Cutwater or by another tool.",
        footer = {"", "Example: cutwater evaluate --edges graph.txt.gz --assignment shards"})
@SuppressWarnings("NullAway.Init") // picocli sets mixins
public final class EvaluateCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Mixin
    private EdgeFileOptions edges;

    @Option(
            names = "--assignment",
            paramLabel = "DIR|FILE",
            required = true,
            description = "Output folder, file of partitions (one per line), or 'u v partition' lines.")
    private Path assignment;

    @Option(
            names = "--kind",
            paramLabel = "edge|vertex",
            description = "Meaning of a line in a file of partitions. Default: by the number of lines")
    private @Nullable LineKind kind;

    @Option(
            names = "--gexf",
            paramLabel = "FILE",
            description = "Also write the graph of the shards to this new file, for Gephi or NetworkX.")
    private @Nullable Path gexf;

    @Mixin
    private VertexFileOptions vertexFiles;

    @Mixin
    private CommonOptions common;

    @Override
    public Integer call() throws Exception {
        if (!Files.exists(assignment)) {
            throw wrong("--assignment %s does not exist; check the path".formatted(assignment));
        }
        InputRequest.Files input = edges.read();
        PrintWriter out = spec.commandLine().getOut();
        Progress.Display display = common.display(spec.commandLine().getErr());
        if (vertexFiles.isGiven() && !Files.isDirectory(assignment)) {
            throw wrong("--features, --labels and --split are compared with an output folder, and %s is a file"
                    .formatted(assignment));
        }
        if (gexf != null && !Files.isDirectory(assignment)) {
            throw wrong("--gexf needs an output folder as --assignment, and %s is a file".formatted(assignment));
        }
        if (gexf != null && Files.exists(gexf)) {
            throw wrong("--gexf %s exists; name a new file".formatted(gexf));
        }
        Evaluation evaluation = new Evaluation(input, vertexFiles.files(), assignment, display);
        if (kind != null) {
            refuseKind(evaluation, input);
        }
        LineKind told = kind == null ? evaluation.kind() : kind;
        if (told == LineKind.VERTEX && input != null) {
            ReportText.print(out, new VertexEvaluation(input, assignment, display).run(), common.isJson());
        } else {
            ReportText.print(out, evaluation.run(), common.isJson());
        }
        if (gexf != null) {
            new ShardGraph(ShardFolder.open(assignment)).writeGexf(gexf);
        }
        return 0;
    }

    private void refuseKind(Evaluation evaluation, InputRequest.@Nullable Files input) throws IOException {
        if (Files.isDirectory(assignment) || !evaluation.isPartFile()) {
            throw wrong("--kind is for files with one partition per line, which %s is not; leave it out"
                    .formatted(assignment));
        }
        if (input == null) {
            throw wrong("--kind needs the edges; give them with --edges");
        }
    }

    private ParameterException wrong(String sentence) {
        return new ParameterException(spec.commandLine(), sentence);
    }
}
