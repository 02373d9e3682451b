package io.cutwater.deploy.cli;

import io.cutwater.deploy.cli.option.CommonOptions;
import io.cutwater.deploy.cli.option.JsonText;
import io.cutwater.deploy.cli.page.PageOptions;
import io.cutwater.deploy.demo.Demo;
import io.cutwater.deploy.demo.DemoRequest;
import io.cutwater.deploy.demo.DemoResult;
import io.cutwater.deploy.launch.Termination;
import io.cutwater.deploy.page.PageRequest;
import io.cutwater.deploy.page.server.PageServer;
import io.cutwater.deploy.view.Progress;
import io.cutwater.flink.job.JobFailedException;
import io.cutwater.state.algorithm.Algorithms;
import io.cutwater.trainer.model.GnnModels;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Runs the whole system in one process, on a generated graph. */
@Command(
        name = "demo",
        sortOptions = false,
        description =
                "Grows a graph on Kafka, partitions it live, trains on the shards and re-partitions once, in one process.",
        footer = {"", "Example: cutwater demo"})
@SuppressWarnings("NullAway.Init") // picocli sets mixins
final class DemoCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Option(
            names = "--edges",
            paramLabel = "N",
            defaultValue = "300000",
            description = "Edges that the graph grows to. Default: ${DEFAULT-VALUE}")
    private long edges;

    @Option(
            names = "--rate",
            paramLabel = "N",
            defaultValue = "20000",
            description = "Edges per second at most. Default: ${DEFAULT-VALUE}")
    private long rate;

    @Option(
            names = "--model",
            paramLabel = "NAME",
            defaultValue = "graphsage",
            description = "graphsage, gcn, gat, or a model on the class path. Default: ${DEFAULT-VALUE}")
    private String model;

    @Option(
            names = "--epochs",
            paramLabel = "N",
            defaultValue = "18",
            description = "Epochs of training on the shards and on the whole graph. Default: ${DEFAULT-VALUE}")
    private int epochs;

    @Option(
            names = "--seed",
            paramLabel = "N",
            defaultValue = "" + Algorithms.DEFAULT_SEED,
            description = "Seed of the graph, the partitioning and the training. Default: ${DEFAULT-VALUE}")
    private long seed;

    @Option(
            names = "--serve",
            description = "Also serve the live page, and keep growing at a tenth of --rate until Ctrl-C.")
    private boolean isServed;

    @Mixin
    private PageOptions page;

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
        if (epochs < 2) {
            throw wrong("--epochs must be 2 or more: " + epochs);
        }
        try {
            GnnModels.of(model);
        } catch (IllegalArgumentException e) {
            throw wrong(String.valueOf(e.getMessage()));
        }
        if (!isServed) {
            page.refuse();
        }
        PrintWriter out = spec.commandLine().getOut();
        Progress.Display display = common.display(spec.commandLine().getErr());
        Demo demo = new Demo(new DemoRequest(edges, rate, model, epochs, seed), display);
        if (isServed) {
            try (Termination termination = new Termination()) {
                serve(demo, display, out);
                termination.done();
            }
            return 0;
        }
        print(demo.run(null), out);
        display.say("Kafka and Flink have ended, and their temporary folder is gone."
                + " Next: ./cutwater partition --edges FILE --partitions K --out DIR");
        return 0;
    }

    private void serve(Demo demo, Progress.Display display, PrintWriter out) throws IOException, JobFailedException {
        Demo.Audience audience = new Demo.Audience() {
            @Override
            public AutoCloseable open(PageRequest request) throws IOException {
                PageServer server = page.serve(request);
                display.say("The page is at %s until Ctrl-C.".formatted(server.address()));
                return server;
            }

            @Override
            public void show(DemoResult result) {
                print(result, out);
                display.say("The graph keeps growing at %,d edges/s until Ctrl-C.".formatted(Math.max(1, rate / 10)));
            }
        };
        try {
            demo.run(audience);
        } catch (InterruptedException e) {
            display.say("Kafka and Flink have ended, and their temporary folder is gone.");
        }
    }

    private void print(DemoResult result, PrintWriter out) {
        if (common.isJson()) {
            JsonText.print(out, DemoText.json(model, result));
        } else {
            DemoText.print(out, model, result);
        }
    }

    private ParameterException wrong(String sentence) {
        return new ParameterException(spec.commandLine(), sentence);
    }
}
