package io.cutwater.trainer.progress;

import io.cutwater.state.scratch.DurableFile;
import io.cutwater.trainer.round.AccuracyCounts;
import io.cutwater.trainer.round.FloatArrays;
import io.cutwater.trainer.round.ModelState;
import io.cutwater.trainer.shard.ShardCut;
import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.Optional;

/**
 * File {@value #NAME} of a training's folder. Big-endian: magic {@code CWCK}, version 2 (1 byte), options (UTF), the
 * cut as {@link ShardCut#write} writes it, epochs at the last look for a newer cut (4 bytes), round (4), epochs (4),
 * bytes averaged (8), weights and optimiser; 1 (1 byte) and the best model, or 0: its epoch (4), weights, and for each
 * split right (8), total (8), loss (8).
 */
public final class CheckpointFile {
    public static final String NAME = "checkpoint.bin";

    private static final int MAGIC = 0x4357434B;
    private static final int VERSION = 2;

    private final Path file;

    /** @param folder existing folder of one training */
    public CheckpointFile(Path folder) {
        file = folder.resolve(NAME);
    }

    /** Returns the folder of the training. */
    public Path folder() {
        return Objects.requireNonNull(file.getParent());
    }

    /** Returns the file of rounds in the same folder. */
    public RoundsFile rounds() {
        return new RoundsFile(file.resolveSibling(RoundsFile.NAME));
    }

    public void write(Checkpoint checkpoint) throws IOException {
        DurableFile.replace(file, bytes -> {
            DataOutputStream out = new DataOutputStream(bytes);
            out.writeInt(MAGIC);
            out.writeByte(VERSION);
            write(checkpoint, out);
        });
    }

    private static void write(Checkpoint checkpoint, DataOutputStream out) throws IOException {
        out.writeUTF(checkpoint.options());
        checkpoint.cut().write(out);
        out.writeInt(checkpoint.mergedAt());
        out.writeInt(checkpoint.round());
        out.writeInt(checkpoint.epochs());
        out.writeLong(checkpoint.bytesAveraged());
        checkpoint.state().write(out);
        BestModel best = checkpoint.best();
        out.writeBoolean(best != null);
        if (best != null) {
            out.writeInt(best.epoch());
            FloatArrays.write(best.weights(), out);
            best.counts().write(out);
        }
    }

    /**
     * Reads the last checkpoint, if there is one.
     *
     * @throws IOException if it is damaged or of another version; the message is meant for users
     */
    public Optional<Checkpoint> read() throws IOException {
        if (!Files.exists(file)) {
            return Optional.empty();
        }
        try (DataInputStream in = new DataInputStream(new BufferedInputStream(Files.newInputStream(file), 1 << 16))) {
            if (in.readInt() != MAGIC || in.readUnsignedByte() != VERSION) {
                throw new IOException(
                        "%s is not a checkpoint that this version can read; delete it to start over".formatted(file));
            }
            return Optional.of(read(in));
        } catch (EOFException e) {
            throw new IOException("%s is truncated; delete it to start over".formatted(file), e);
        }
    }

    private static Checkpoint read(DataInputStream in) throws IOException {
        String options = in.readUTF();
        ShardCut cut = ShardCut.read(in);
        int mergedAt = in.readInt();
        int round = in.readInt();
        int epochs = in.readInt();
        long bytes = in.readLong();
        ModelState state = ModelState.read(in);
        BestModel best =
                in.readBoolean() ? new BestModel(in.readInt(), FloatArrays.read(in), AccuracyCounts.read(in)) : null;
        return new Checkpoint(options, cut, mergedAt, round, epochs, bytes, state, best);
    }
}
