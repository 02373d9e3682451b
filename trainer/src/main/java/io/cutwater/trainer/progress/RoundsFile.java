package io.cutwater.trainer.progress;

import io.cutwater.format.VertexSplit;
import io.cutwater.state.disk.DurableFile;
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
 * The file {@value #NAME} of a training's folder: a line for each test, with what {@link RoundReport} says, losses and
 * accuracies with all their digits. A number that there is none of is empty. Lines are written before the checkpoint
 * that goes with them, so that none is missing; a training that goes on from a checkpoint takes back those behind it.
 */
public final class RoundsFile {
    static final String NAME = "rounds.csv";

    private static final String HEADER =
            "round,epoch,loss,validationLoss,trainAccuracy,validationAccuracy,testAccuracy,"
                    + "seconds,bytesAveraged,shardsMissing,shards,vertices,edges";

    private final Path file;
    private boolean isBegun;

    public RoundsFile(Path file) {
        this.file = file;
    }

    /** Goes on behind a round, and not anew. */
    public void keepUntil(int round) throws IOException {
        List<String> kept = new ArrayList<>(List.of(HEADER));
        if (Files.exists(file)) {
            int columns = HEADER.split(",", -1).length;
            for (String line : Files.readAllLines(file)) {
                String[] fields = line.split(",", -1);
                // A line that is cut short is of a machine that stopped; its round is done again.
                if (fields.length == columns
                        && fields[0].matches("[0-9]{1,9}")
                        && Integer.parseInt(fields[0]) <= round) {
                    kept.add(line);
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
                Long.toString(report.size().edges()));
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
