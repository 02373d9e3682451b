package io.cutwater.deploy.cli;

import io.cutwater.deploy.local.FileIngest;
import io.cutwater.deploy.local.InputRequest;
import io.cutwater.deploy.local.Progress;
import io.cutwater.kafka.client.EdgeFileIngest;
import io.cutwater.kafka.client.EdgeIngest;
import java.io.PrintWriter;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Files to a topic. */
@Command(
        name = "ingest",
        sortOptions = false,
        description = {
            "Writes the edges of files onto a topic, in their order. How far each file is stands in topic",
            "ingest-progress, in the same transactions: run it again after an interruption, and each edge is there once.",
        },
        footer = {"", "Example: cutwater ingest --edges graph.txt.gz --bootstrap-servers localhost:9092"})
@SuppressWarnings("NullAway.Init") // picocli sets mixins
final class IngestCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Mixin
    private EdgeFileOptions edges;

    @Mixin
    private TopicOptions topics;

    @Option(
            names = "--rate",
            paramLabel = "N",
            description = "Edges a second at most. Default: as many as the broker takes")
    private long rate;

    @Option(
            names = "--threads",
            paramLabel = "N",
            defaultValue = "1",
            description = "Files written at a time, 1 to 64; their edges then mix. Default: ${DEFAULT-VALUE}")
    private int threads;

    @Option(
            names = "--restart",
            description = "Writes the files from their beginning, also what is on the topic already.")
    private boolean restart;

    @Option(
            names = "--shuffle-seed",
            paramLabel = "N",
            description =
                    "Writes the edges in a random order that the seed decides. All are held in memory, 20 bytes each,"
                            + " and an interrupted run cannot be resumed.")
    private @Nullable Long shuffleSeed;

    @Mixin
    private CommonOptions common;

    @Override
    public Integer call() throws Exception {
        if (!edges.isGiven()) {
            throw wrong("there is no input; give --edges FILE…");
        }
        if (rate < 0) {
            throw wrong("--rate must be 0 or more edges a second: " + rate);
        }
        if (threads < 1 || threads > 64) {
            throw wrong("--threads must be 1 to 64: " + threads);
        }
        InputRequest.Files files = new InputRequest.Files(edges.files(), edges.format());
        InputRequest.Topic to = topics.edges("ingest");
        if (shuffleSeed != null && (restart || threads > 1)) {
            throw wrong("--shuffle-seed always writes all edges, in one thread; leave --restart and --threads out");
        }
        Progress.Display display = common.display(spec.commandLine().getErr());
        if (shuffleSeed != null) {
            EdgeIngest.Result result = FileIngest.shuffled(files, to, rate, shuffleSeed, display);
            print(result.edges(), result.rejected(), to);
        } else {
            EdgeFileIngest.Result result = FileIngest.resume(files, to, rate, threads, restart, display);
            print(result.edges(), result.rejected(), to);
        }
        return 0;
    }

    private void print(long written, long rejected, InputRequest.Topic to) {
        PrintWriter out = spec.commandLine().getOut();
        if (common.json) {
            out.printf("{\"edges\":%d,\"deadLetters\":%d}%n", written, rejected);
        } else {
            out.printf(
                    Locale.ROOT,
                    "%,d edges written to topic %s, %,d dead letters to %s%n",
                    written,
                    to.topic(),
                    rejected,
                    to.topics().deadLetters());
        }
    }

    private ParameterException wrong(String sentence) {
        return new ParameterException(spec.commandLine(), sentence);
    }
}
