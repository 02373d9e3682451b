package io.cutwater.trainer.progress;

import io.cutwater.state.scratch.DurableFile;
import io.cutwater.trainer.round.EmbeddingRows;
import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * Files {@code embeddings-ROUND.bin} of a training's folder: the learned rows at the checkpoint of a round; and file
 * {@code embeddings.bin}: those of the best model. Big-endian: magic {@code CWEM}, version 1 (1 byte), and what
 * {@link EmbeddingRows#write} writes. Rows that were never updated are left out. The file of the checkpoint before is
 * kept until the next is written, so that one of both always fits.
 */
public final class EmbeddingFiles {
    private static final int MAGIC = 0x4357454D;
    private static final int VERSION = 1;
    private static final String BEST = "embeddings.bin";

    private final Path folder;
    private int last = -1;

    /** @param folder existing folder of one training */
    public EmbeddingFiles(Path folder) {
        this.folder = folder;
    }

    private Path file(int round) {
        return folder.resolve("embeddings-%d.bin".formatted(round));
    }

    /** Writes the rows of the best model so far. */
    public void writeBest(EmbeddingRows rows) throws IOException {
        write(rows, folder.resolve(BEST));
    }

    /**
     * Reads the rows of the best model, if it has any.
     *
     * @throws IOException if they are damaged; the message is meant for users
     */
    public Optional<EmbeddingRows> readBest() throws IOException {
        Path file = folder.resolve(BEST);
        return Files.exists(file) ? Optional.of(read(file, "train again")) : Optional.empty();
    }

    private static void write(EmbeddingRows rows, Path file) throws IOException {
        DurableFile.replace(file, bytes -> {
            DataOutputStream out = new DataOutputStream(bytes);
            out.writeInt(MAGIC);
            out.writeByte(VERSION);
            rows.write(out);
        });
    }

    /** Writes the rows of a round, and removes those of rounds before the last. */
    public void write(EmbeddingRows rows, int round) throws IOException {
        write(rows, file(round));
        remove(List.of(file(round), file(last)));
        last = round;
    }

    /** Removes the rows of all rounds and of the best model. */
    public void remove() throws IOException {
        remove(List.of());
        Files.deleteIfExists(folder.resolve(BEST));
    }

    private void remove(List<Path> kept) throws IOException {
        try (DirectoryStream<Path> files = Files.newDirectoryStream(folder, "embeddings-*.bin")) {
            for (Path each : files) {
                if (!kept.contains(each)) {
                    Files.delete(each);
                }
            }
        }
    }

    /**
     * Reads the rows of a round.
     *
     * @param width expected values of a row
     * @throws IOException if there are none, or they are damaged or of another width; the message is meant for users
     */
    public EmbeddingRows read(int round, int width) throws IOException {
        Path file = file(round);
        if (!Files.exists(file)) {
            throw new IOException(
                    "%s is missing, which the checkpoint needs; restore it, or delete the checkpoint to start over"
                            .formatted(file));
        }
        EmbeddingRows rows = read(file, "delete the checkpoint to start over");
        if (rows.width() != width) {
            throw new IOException("%s has embeddings of %d numbers, but this training uses %d; give --embeddings %d"
                    .formatted(file, rows.width(), width, rows.width()));
        }
        last = round;
        return rows;
    }

    private static EmbeddingRows read(Path file, String advice) throws IOException {
        try (DataInputStream in = new DataInputStream(new BufferedInputStream(Files.newInputStream(file), 1 << 16))) {
            if (in.readInt() != MAGIC || in.readUnsignedByte() != VERSION) {
                throw new IOException("%s has no embeddings that this version can read; %s".formatted(file, advice));
            }
            return EmbeddingRows.read(in);
        } catch (EOFException e) {
            throw new IOException("%s is truncated; %s".formatted(file, advice), e);
        }
    }
}
