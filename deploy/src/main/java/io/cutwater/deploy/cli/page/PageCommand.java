package io.cutwater.deploy.cli.page;

import io.cutwater.deploy.cli.converter.DurationConverter;
import io.cutwater.deploy.cli.option.CommonOptions;
import io.cutwater.deploy.cli.option.JsonText;
import io.cutwater.deploy.cli.option.KafkaOptions;
import io.cutwater.deploy.page.PageRequest;
import io.cutwater.deploy.page.server.PageServer;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Serves the live page of a graph until it is told to end. */
@Command(
        name = "page",
        sortOptions = false,
        description = {
            "Serves a web page with the live state of a graph: quality, balance, plans, training, dead letters.",
            "It only reads topics, and runs until Ctrl-C."
        },
        footer = {"", "Example: cutwater page --bootstrap-servers localhost:9092"})
@SuppressWarnings("NullAway.Init") // picocli sets options and mixins
public final class PageCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Mixin
    private KafkaOptions kafka;

    @Mixin
    private PageOptions page;

    @Option(
            names = "--history",
            paramLabel = "TIME",
            defaultValue = "6h",
            converter = DurationConverter.class,
            description = "How far back the charts go, as far as the topics do. Default: ${DEFAULT-VALUE}")
    private Duration history;

    @Option(
            names = "--imbalance",
            paramLabel = "SHARE",
            defaultValue = "0.05",
            description = "Where to draw the cap: the --imbalance of the job. Default: ${DEFAULT-VALUE}")
    private double imbalance;

    @Mixin
    private CommonOptions common;

    @Override
    public Integer call() throws Exception {
        PageRequest request;
        try {
            request =
                    new PageRequest(kafka.bootstrapServers("page"), kafka.client(), kafka.topics(), history, imbalance);
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), "--" + e.getMessage());
        }
        PrintWriter out = spec.commandLine().getOut();
        try (PageServer server = page.serve(request)) {
            if (common.isJson()) {
                JsonText.print(
                        out, JsonText.object().put("page", server.address().toString()));
            } else {
                out.println("The page is at " + server.address() + " until Ctrl-C.");
                out.flush();
            }
            new CountDownLatch(1).await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return 0;
    }
}
