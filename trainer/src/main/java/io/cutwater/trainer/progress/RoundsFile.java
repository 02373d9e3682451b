package io.cutwater.trainer.progress;

import io.cutwater.format.VertexSplit;
import io.cutwater.state.scratch.DurableFile;
import io.cutwater.trainer.round.AccuracyCounts;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;

/**
 * File {@value #NAME} of a training's folder: one line per test with the contents of {@link RoundReport}; losses and
 * accuracies with all their digits. An absent number is an empty field. A line is written before its checkpoint, so
 * that none is missing; a resumed training removes the lines after its checkpoint.
 */
public final class RoundsFile {
    static final String NAME = "rounds.csv";

    private static final String HEADER =
            "round,epoch,loss,validationLoss,trainAccuracy,validationAccuracy,testAccuracy,"
                    + "seconds,bytesAveraged,shardsMissing,shards,vertices,edges,"
                    + "forwardBytesSent,forwardBytesAvoided,backwardBytesSent,backwardBytesAvoided,otherBytesSent,"
                    + "seeds,localSeeds,rows,localRows,batchBytesSent,batchBytesAvoided,bytesMapped";

    private final Path file;
    private boolean isBegun;

    public RoundsFile(Path file) {
        this.file = file;
    }

    /** Appends after this round, and removes later lines. */
    public void keepUntil(int round) throws IOException {
        List<String> kept = new ArrayList<>(List.of(HEADER));
        if (Files.exists(file)) {
            List<String> lines = Files.readAllLines(file);
            // Earlier builds wrote fewer columns.
            int columns = lines.isEmpty() ? 0 : lines.get(0).split(",", -1).length;
            String padding = ",".repeat(Math.max(0, HEADER.split(",", -1).length - columns));
            for (String line : lines) {
                String[] fields = line.split(",", -1);
                // The machine stopped while it wrote a truncated line; its round is repeated.
                if (fields.length == columns
                        && fields[0].matches("[0-9]{1,9}")
                        && Integer.parseInt(fields[0]) <= round) {
                    kept.add(line + padding);
                }
            }
        }
        DurableFile.replace(file, out -> out.write((String.join("\n", kept) + "\n").getBytes(StandardCharsets.UTF_8)));
        isBegun = true;
    }

    public void add(RoundReport report) throws IOException {
        if (!isBegun) {
            Files.writeString(file, HEADER + "\n");
            isBegun = true;
        }
        AccuracyCounts counts = report.counts();
        String line = String.join(
                ",",
                Integer.toString(report.round()),
                Integer.toString(report.epochs()),
                text(report.work().loss()),
                text(counts.loss(VertexSplit.VAL)),
                text(counts.accuracy(VertexSplit.TRAIN)),
                text(counts.accuracy(VertexSplit.VAL)),
                text(counts.accuracy(VertexSplit.TEST)),
                text(report.seconds()),
                Long.toString(report.bytesAveraged()),
                Integer.toString(report.missing()),
                Integer.toString(report.cut().shards()),
                Long.toString(report.size().vertices()),
                Long.toString(report.size().edges()),
                Long.toString(report.traffic().forwardSent()),
                Long.toString(report.traffic().forwardAvoided()),
                Long.toString(report.traffic().backwardSent()),
                Long.toString(report.traffic().backwardAvoided()),
                Long.toString(report.traffic().otherSent()),
                Long.toString(report.locality().seeds()),
                Long.toString(report.locality().localSeeds()),
                Long.toString(report.locality().rows()),
                Long.toString(report.locality().localRows()),
                Long.toString(report.traffic().batchSent()),
                Long.toString(report.traffic().batchAvoided()),
                Long.toString(report.traffic().mapped()));
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.APPEND)) {
            ByteBuffer bytes = ByteBuffer.wrap((line + "\n").getBytes(StandardCharsets.UTF_8));
            while (bytes.hasRemaining()) {
                channel.write(bytes);
            }
            channel.force(true);
        }
    }

    private static String text(double number) {
        return Double.isNaN(number) ? "" : Double.toString(number);
    }
}
