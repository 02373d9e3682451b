package io.cutwater.deploy.cli.partition;

import io.cutwater.deploy.cli.converter.ByteSizeConverter;
import io.cutwater.deploy.cli.help.Heading;
import io.cutwater.deploy.input.InputRequest;
import io.cutwater.deploy.local.IdKind;
import io.cutwater.deploy.local.RunRequest;
import io.cutwater.format.EdgeFilePosition;
import io.cutwater.format.EdgeFileReader;
import io.cutwater.format.input.EdgeFileFormat;
import io.cutwater.format.input.EdgeFiles;
import io.cutwater.format.input.VertexFiles;
import io.cutwater.format.input.VertexShape;
import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.state.table.VertexLayout;
import io.cutwater.state.text.Counted;
import io.cutwater.trainer.allocation.Workload;
import io.cutwater.trainer.torch.Devices;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The number of partitions: given, or counted for the devices that will train on the shards. */
@Heading("Partitions")
@SuppressWarnings("NullAway.Init") // picocli sets options
final class PartitionCountOptions {
    private static final String AUTO = "auto";

    @Spec(Spec.Target.MIXEE)
    private CommandSpec spec;

    @Option(
            names = "--partitions",
            paramLabel = "K|auto",
            required = true,
            description = "Number of partitions, 1 to 4096; auto: as many as the training devices need.")
    private String partitions;

    @Option(
            names = "--devices",
            paramLabel = "N",
            description = "With auto: training devices. Default: the GPUs of this machine, or 1")
    private @Nullable Integer devices;

    @Option(
            names = "--device-memory",
            paramLabel = "SIZE",
            converter = ByteSizeConverter.class,
            description = "With auto: memory of each device. Default: that of the smallest GPU, or of this machine")
    private @Nullable Long deviceMemory;

    @Option(
            names = "--device",
            paramLabel = "cpu|gpu",
            description = "With auto: devices to measure, cpu, gpu (all) or gpu:N. Default: the GPUs, if any")
    private @Nullable String device;

    /** The number that is given; with {@code auto}, the number that the edges and vertex data need. */
    int count(RunRequest.Input input, @Nullable VertexFiles vertices) throws IOException {
        if (!partitions.equals(AUTO)) {
            return given();
        }
        if (input.ids() == IdKind.TEXT || !(input.from() instanceof InputRequest.Files files)) {
            throw wrong("--partitions auto counts the edges of files with integer ids; give a number");
        }
        return counted(files, vertices);
    }

    private int given() {
        if (devices != null || deviceMemory != null || device != null) {
            throw wrong("--devices, --device-memory and --device need --partitions auto; leave them out");
        }
        try {
            int number = Integer.parseInt(partitions);
            if (number >= 1 && number <= VertexLayout.MAX_PARTITIONS) {
                return number;
            }
        } catch (NumberFormatException e) {
            // reported below, like a number that is out of range
        }
        throw wrong("--partitions must be between 1 and %d, or auto, but was '%s'"
                .formatted(VertexLayout.MAX_PARTITIONS, partitions));
    }

    private int counted(InputRequest.Files edges, @Nullable VertexFiles vertices) throws IOException {
        Workload workload = workload();
        long edgeCount = 0;
        for (Path file : edges.paths()) {
            edgeCount += count(file, edges.formatOf(file));
        }
        VertexShape shape = vertices == null ? null : vertices.measure();
        long dataBytes = Workload.dataBytes(
                shape == null ? 0 : shape.rows(), edgeCount, shape == null ? 0 : shape.featureCount());
        long shards = workload.shards(dataBytes);
        if (shards > VertexLayout.MAX_PARTITIONS) {
            throw wrong(
                    "--partitions auto is %d for %d bytes of data, and the most is %d; give more --devices or --device-memory"
                            .formatted(shards, dataBytes, VertexLayout.MAX_PARTITIONS));
        }
        spec.commandLine()
                .getErr()
                .printf(
                        Locale.ROOT,
                        "cutwater: --partitions auto is %d: %,d bytes of data on %s with room for %,d each%n",
                        shards,
                        dataBytes,
                        Counted.of(workload.devices(), "device"),
                        workload.deviceBytes() - workload.trainingBytes());
        return (int) shards;
    }

    private Workload workload() {
        Integer count = devices;
        Long bytes = deviceMemory;
        if (count == null || bytes == null || device != null) {
            Devices there = there();
            count = count == null ? Integer.valueOf(there.count()) : count;
            bytes = bytes == null ? Long.valueOf(there.bytes()) : bytes;
        }
        try {
            return Workload.of(count, bytes);
        } catch (IllegalArgumentException e) {
            throw wrong("--devices and --device-memory: " + e.getMessage());
        }
    }

    private Devices there() {
        try {
            return Devices.ask(device);
        } catch (IllegalArgumentException e) {
            throw wrong(String.valueOf(e.getMessage()));
        }
    }

    private static long count(Path file, EdgeFileFormat format) throws IOException {
        EdgeBatch batch = new EdgeBatch();
        long count = 0;
        try (EdgeFileReader reader = EdgeFiles.open(file, format, EdgeFilePosition.START)) {
            while (reader.read(batch, EdgeBatch.DEFAULT_CAPACITY)) {
                count += batch.size();
                batch.clear();
            }
        }
        return count;
    }

    private ParameterException wrong(String sentence) {
        return new ParameterException(spec.commandLine(), sentence);
    }
}
