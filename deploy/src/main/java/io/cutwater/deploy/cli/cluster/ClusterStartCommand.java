package io.cutwater.deploy.cli.cluster;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.cutwater.deploy.cli.converter.ByteSizeConverter;
import io.cutwater.deploy.cli.converter.DurationConverter;
import io.cutwater.deploy.cli.help.Heading;
import io.cutwater.deploy.cli.help.Suggestion;
import io.cutwater.deploy.cli.option.CommonOptions;
import io.cutwater.deploy.cli.option.JsonText;
import io.cutwater.deploy.cluster.ClusterSettings;
import io.cutwater.deploy.cluster.LocalCluster;
import io.cutwater.deploy.launch.ClusterParts;
import io.cutwater.state.text.Counted;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Starts the processes of the local cluster that do not run. */
@Command(
        name = "start",
        sortOptions = false,
        description = {
            "Starts the local cluster, or the processes of it that do not run, and waits until it is healthy.",
            "Options that are not given keep the values of the last start."
        },
        footer = {"", "Example: cutwater cluster start --task-managers 2"})
@Heading("Local cluster")
@SuppressWarnings("NullAway.Init") // picocli sets mixins
final class ClusterStartCommand implements Callable<Integer> {
    private static final int MAX_PORT = 65_535;
    private static final int MAX_PROCESSES = 64;
    private static final String NONE = "none";
    private static final long LEAST_MEMORY = 1L << 30;

    @Spec
    private CommandSpec spec;

    @Mixin
    private ClusterFolderOption folder;

    @Option(names = "--task-managers", paramLabel = "N", description = "Number of TaskManagers. Default: 1")
    private @Nullable Integer taskManagers;

    @Option(names = "--slots", paramLabel = "N", description = "Slots of each TaskManager. Default: 2")
    private @Nullable Integer slots;

    @Option(
            names = "--task-manager-memory",
            paramLabel = "BYTES",
            converter = ByteSizeConverter.class,
            description = "Total process memory of each TaskManager. Default: 2g")
    private @Nullable Long taskManagerMemory;

    @Option(names = "--broker-port", paramLabel = "PORT", description = "Port of Kafka. Default: 9092")
    private @Nullable Integer brokerPort;

    @Option(names = "--controller-port", paramLabel = "PORT", description = "Port of Kafka's controller. Default: 9093")
    private @Nullable Integer controllerPort;

    @Option(
            names = "--flink-port",
            paramLabel = "PORT",
            description = "Port of Flink's REST endpoint and page, HTTPS with a key. Default: 8081")
    private @Nullable Integer flinkPort;

    @Option(
            names = "--jobmanager-port",
            paramLabel = "PORT",
            description = "Port of the JobManager for TaskManagers. Default: 6123")
    private @Nullable Integer jobManagerPort;

    @Option(
            names = "--metrics-ports",
            paramLabel = "FROM-TO",
            description =
                    "Loopback ports at which the Flink processes serve metrics to Prometheus; none for no metrics. Default: 9249-9259")
    private @Nullable String metricsPorts;

    @Option(
            names = "--prometheus",
            paramLabel = "PORT",
            arity = "0..1",
            fallbackValue = "9090",
            description = {
                "Start the Prometheus that is installed too, at this loopback port, with the alert rules; 0 for none.",
                "Default: 0; without PORT: ${FALLBACK-VALUE}"
            })
    private @Nullable Integer prometheusPort;

    @Option(
            names = "--otel",
            paramLabel = "URL",
            description =
                    "OpenTelemetry collector, such as http://localhost:4318, to which the Flink processes send metrics"
                            + " and traces by OTLP over HTTP; none for none. Default: none")
    private @Nullable String otel;

    @Option(
            names = "--timeout",
            paramLabel = "TIME",
            defaultValue = "2m",
            converter = DurationConverter.class,
            description = "Longest wait for the cluster to be healthy. Default: ${DEFAULT-VALUE}")
    private Duration timeout = Duration.ofMinutes(2);

    @Mixin
    private CommonOptions common;

    @Override
    public Integer call() throws Exception {
        ClusterSettings before = folder.settings();
        ClusterSettings settings = settings(before == null ? ClusterSettings.DEFAULT : before);
        ClusterParts parts = ClusterParts.find();
        LocalCluster cluster = new LocalCluster(
                folder.folder(), common.display(spec.commandLine().getErr())::say);
        if (before != null && cluster.isRunning()) {
            refuseOtherThan(before, settings);
        }
        print(settings, cluster.start(settings, parts, timeout));
        return 0;
    }

    private ClusterSettings settings(ClusterSettings before) {
        ClusterSettings settings = new ClusterSettings(
                port("--broker-port", brokerPort, before.brokerPort()),
                port("--controller-port", controllerPort, before.controllerPort()),
                port("--flink-port", flinkPort, before.flinkPort()),
                port("--jobmanager-port", jobManagerPort, before.jobManagerPort()),
                number("--task-managers", taskManagers, before.taskManagers()),
                number("--slots", slots, before.slots()),
                taskManagerMemory == null ? before.taskManagerMemory() : taskManagerMemory,
                metricsPorts == null ? before.metricsPorts() : metricsPorts.equals(NONE) ? "" : metricsPorts,
                prometheusPort != null && prometheusPort == 0
                        ? 0
                        : port("--prometheus", prometheusPort, before.prometheusPort()),
                Objects.requireNonNullElse(common.logFormat(), before.logFormat()),
                otel == null ? before.otel() : otel.equals(NONE) ? "" : otel);
        if (settings.taskManagerMemory() < LEAST_MEMORY) {
            throw wrong("--task-manager-memory must be at least 1g: " + settings.taskManagerMemory());
        }
        if (!settings.metricsPorts().matches("|[0-9]{1,5}(-[0-9]{1,5})?")) {
            throw wrong("--metrics-ports must be a port, a range such as 9249-9259, or none: '%s'"
                    .formatted(settings.metricsPorts()));
        }
        if (!settings.otel().matches("|https?://[^/\\s]+/?")) {
            throw wrong(
                    "--otel must be http://HOST:PORT or https://HOST:PORT, or none: '%s'".formatted(settings.otel()));
        }
        if (settings.prometheusPort() != 0 && settings.metricsPorts().isEmpty()) {
            throw wrong("--prometheus needs the metrics of the Flink processes; give --metrics-ports too");
        }
        return settings;
    }

    private int port(String option, @Nullable Integer given, int before) {
        if (given != null && (given < 1 || given > MAX_PORT)) {
            throw wrong("%s must be between 1 and %d, but was %d".formatted(option, MAX_PORT, given));
        }
        return given == null ? before : given;
    }

    private int number(String option, @Nullable Integer given, int before) {
        if (given != null && (given < 1 || given > MAX_PROCESSES)) {
            throw wrong("%s must be between 1 and %d, but was %d".formatted(option, MAX_PROCESSES, given));
        }
        return given == null ? before : given;
    }

    /** Refuses changes of a running cluster, except for more TaskManagers. */
    private void refuseOtherThan(ClusterSettings running, ClusterSettings asked) throws IOException {
        if (asked.taskManagers() < running.taskManagers()
                || !asked.equals(running.withTaskManagers(asked.taskManagers()))) {
            throw new IOException(
                    "the cluster in %s runs with other options, and only --task-managers can be increased; run ./cutwater cluster stop first"
                            .formatted(folder.folder()));
        }
    }

    private void print(ClusterSettings settings, int started) {
        PrintWriter out = spec.commandLine().getOut();
        if (common.isJson()) {
            ObjectNode document = JsonText.object()
                    .put("dir", folder.folder().toString())
                    .put("bootstrapServers", settings.bootstrapServers())
                    .put("flink", settings.flink())
                    .put("taskManagers", settings.taskManagers())
                    .put("slots", settings.taskManagers() * settings.slots())
                    .put("started", started);
            JsonText.print(out, document);
            return;
        }
        out.println(
                started == 0
                        ? "The cluster in %s is already running.".formatted(folder.folder())
                        : "The cluster in %s is healthy; started %s."
                                .formatted(folder.folder(), Counted.of(started, "process")));
        out.println("  Kafka   " + settings.bootstrapServers());
        out.println("  Flink   https://%s, with the key in %s"
                .formatted(settings.flink(), folder.folder().resolve("key")));
        if (settings.prometheusPort() != 0) {
            out.println("  Metrics " + settings.prometheus());
        }
        out.println("Next: %s./cutwater submit --partitions K, ./cutwater ingest --edges FILE"
                .formatted(
                        folder.isStandard()
                                ? ""
                                : "export CUTWATER_CLUSTER=%s, "
                                        .formatted(Suggestion.quoted(
                                                folder.folder().toAbsolutePath().toString()))));
        out.flush();
    }

    private ParameterException wrong(String sentence) {
        return new ParameterException(spec.commandLine(), sentence);
    }
}
