package io.cutwater.deploy.cli;

import io.cutwater.deploy.local.Demo;
import io.cutwater.deploy.local.Progress;
import io.cutwater.kafka.record.RunReport;
import io.cutwater.state.partition.EdgePartitioners;
import io.cutwater.state.partition.PartitionerOptions;
import io.cutwater.state.partition.PassMode;
import java.io.PrintWriter;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Everything on one machine, in one process. */
@Command(
        name = "demo",
        sortOptions = false,
        description = "Grows a graph, streams it through Kafka and Flink in this process, and reports the quality.",
        footer = {"", "Example: cutwater demo"})
@SuppressWarnings("NullAway.Init") // picocli sets mixins
final class DemoCommand implements Callable<Integer> {
    private static final String ALGORITHM = "hdrf";
    private static final int PARTITIONS = 16;

    @Spec
    private CommandSpec spec;

    @Option(
            names = "--edges",
            paramLabel = "N",
            defaultValue = "3000000",
            description = "How many edges the graph grows to. Default: ${DEFAULT-VALUE}")
    private long edges;

    @Option(
            names = "--rate",
            paramLabel = "N",
            defaultValue = "150000",
            description = "Edges a second at most. Default: ${DEFAULT-VALUE}")
    private long rate;

    @Option(
            names = "--seed",
            paramLabel = "N",
            defaultValue = "" + EdgePartitioners.DEFAULT_SEED,
            description = "Default: ${DEFAULT-VALUE}")
    private long seed;

    @Mixin
    private CommonOptions common;

    @Override
    public Integer call() throws Exception {
        if (edges < 1) {
            throw wrong("--edges must be 1 or more: " + edges);
        }
        if (rate < 1) {
            throw wrong("--rate must be 1 or more edges a second: " + rate);
        }
        PrintWriter out = spec.commandLine().getOut();
        Progress.Display display = common.display(spec.commandLine().getErr());
        PartitionerOptions partitioner = new PartitionerOptions(ALGORITHM, PARTITIONS, seed, PassMode.LIVE, Map.of());
        RunReport report = new Demo(partitioner, edges, rate, display).run();
        ReportText.print(out, report, common.json);
        display.say("Kafka and Flink have ended, and their temporary folder is gone."
                + " Next: cutwater partition --edges FILE --partitions K --out DIR");
        return 0;
    }

    private ParameterException wrong(String sentence) {
        return new ParameterException(spec.commandLine(), sentence);
    }
}
