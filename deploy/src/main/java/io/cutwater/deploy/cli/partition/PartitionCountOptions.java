package io.cutwater.deploy.cli.partition;

import io.cutwater.deploy.cli.converter.ByteSizeConverter;
import io.cutwater.deploy.cli.help.Heading;
import io.cutwater.deploy.cli.option.EdgeFileOptions;
import io.cutwater.format.EdgeFilePosition;
import io.cutwater.format.EdgeFileReader;
import io.cutwater.format.input.EdgeFileFormat;
import io.cutwater.format.input.EdgeFiles;
import io.cutwater.format.input.VertexFiles;
import io.cutwater.format.input.VertexShape;
import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.state.table.VertexLayout;
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

/** How many partitions: a number, or as many as the devices need that are to train on them. */
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
            description = "How many partitions, 1 to 4096; auto: one for each device that is to train, or as many as"
                    + " fit in its memory one by one, where a third of it is for data. It reads the edges once more.")
    private String partitions;

    @Option(
            names = "--devices",
            paramLabel = "N",
            description = "With --partitions auto: how many devices train. Default: the GPUs of this machine, or 1")
    private @Nullable Integer devices;

    @Option(
            names = "--device-memory",
            paramLabel = "BYTES",
            converter = ByteSizeConverter.class,
            description = "With --partitions auto: memory of each. Default: asked from the smallest GPU, or this"
                    + " machine's")
    private @Nullable Long deviceMemory;

    @Option(
            names = "--device",
            paramLabel = "cpu|gpu",
            description = "With --partitions auto: what is asked, cpu, gpu (all of them) or gpu:N. Default: the GPUs,"
                    + " if there are any")
    private @Nullable String device;

    boolean isAuto() {
        return partitions.equals(AUTO);
    }

    /** The number that is given. */
    int given() {
        if (devices != null || deviceMemory != null || device != null) {
            throw wrong("--devices, --device-memory and --device are for --partitions auto; leave them out");
        }
        try {
            return Integer.parseInt(partitions);
        } catch (NumberFormatException e) {
            throw wrong("--partitions must be a number of 1 to %d, or auto: '%s'"
                    .formatted(VertexLayout.MAX_PARTITIONS, partitions));
        }
    }

    /** The number that edge files and what is known of the vertices need; says it on standard error. */
    int counted(EdgeFileOptions edges, @Nullable VertexFiles vertices) throws IOException {
        Workload workload = workload();
        long edgeCount = 0;
        for (Path file : edges.files()) {
            edgeCount += count(file, edges.format());
        }
        VertexShape shape = vertices == null ? null : vertices.measure();
        long dataBytes = Workload.dataBytes(
                shape == null ? 0 : shape.rows(), edgeCount, shape == null ? 0 : shape.featureCount());
        long shards = workload.shards(dataBytes);
        if (shards > VertexLayout.MAX_PARTITIONS) {
            throw wrong(
                    "--partitions auto comes to %d for %d bytes of data, and there can be %d; give more --devices, or more --device-memory"
                            .formatted(shards, dataBytes, VertexLayout.MAX_PARTITIONS));
        }
        spec.commandLine()
                .getErr()
                .printf(
                        Locale.ROOT,
                        "cutwater: --partitions auto is %d: %,d bytes of data on %d devices with room for %,d each%n",
                        shards,
                        dataBytes,
                        workload.devices(),
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

    private static long count(Path file, @Nullable EdgeFileFormat format) throws IOException {
        EdgeBatch batch = new EdgeBatch();
        long count = 0;
        try (EdgeFileReader reader =
                EdgeFiles.open(file, format == null ? EdgeFileFormat.ofName(file) : format, EdgeFilePosition.START)) {
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
