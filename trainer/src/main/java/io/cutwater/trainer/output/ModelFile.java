package io.cutwater.trainer.output;

import io.cutwater.state.scratch.DurableFile;
import io.cutwater.trainer.feature.FeatureScaling;
import io.cutwater.trainer.model.ModelOptions;
import io.cutwater.trainer.model.ModelOptions.Aggregator;
import io.cutwater.trainer.round.FloatArrays;
import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Reads and writes file {@value #NAME} of a training's folder. Big-endian: magic {@code CWGM}, version 2 (1 byte),
 * model (UTF), layers (4 bytes), hidden (4), heads (4), aggregator (UTF), dropout (8), features (4), classes (4),
 * scaling (UTF), 1 if shards read neighbours of each other or 0 (1), weights. In version 1 shards do not.
 */
public final class ModelFile {
    public static final String NAME = "model.bin";

    private static final int MAGIC = 0x4357474D;
    private static final int VERSION = 2;
    private static final int ALONE = 1;

    private ModelFile() {}

    /** Writes the model into an existing folder, and replaces an earlier one. */
    public static void write(TrainedModel model, Path folder) throws IOException {
        DurableFile.replace(folder.resolve(NAME), bytes -> {
            DataOutputStream out = new DataOutputStream(bytes);
            out.writeInt(MAGIC);
            out.writeByte(VERSION);
            ModelOptions options = model.options();
            out.writeUTF(options.model());
            out.writeInt(options.layers());
            out.writeInt(options.hidden());
            out.writeInt(options.heads());
            out.writeUTF(options.aggregator().name());
            out.writeDouble(options.dropout());
            out.writeInt(model.features());
            out.writeInt(model.classes());
            out.writeUTF(model.scaling().name());
            out.writeBoolean(model.isOfWholeGraph());
            FloatArrays.write(model.weights(), out);
        });
    }

    /**
     * Reads the model of a folder.
     *
     * @throws IOException if the folder has no model that this version can read; the message is meant for users
     */
    public static TrainedModel read(Path folder) throws IOException {
        Path file = folder.resolve(NAME);
        if (!Files.exists(file)) {
            throw new IOException(
                    "'%s' has no %s; name the folder that 'train --out' wrote, after the training has finished"
                            .formatted(folder, NAME));
        }
        try (DataInputStream in = new DataInputStream(new BufferedInputStream(Files.newInputStream(file), 1 << 16))) {
            int magic = in.readInt();
            int version = in.readUnsignedByte();
            if (magic != MAGIC || version < ALONE || version > VERSION) {
                throw new IOException("%s is not a model that this version can read; train again".formatted(file));
            }
            ModelOptions options = new ModelOptions(
                    in.readUTF(),
                    in.readInt(),
                    in.readInt(),
                    in.readInt(),
                    Aggregator.valueOf(in.readUTF()),
                    in.readDouble());
            return new TrainedModel(
                    options,
                    in.readInt(),
                    in.readInt(),
                    FeatureScaling.valueOf(in.readUTF()),
                    version > ALONE && in.readBoolean(),
                    FloatArrays.read(in));
        } catch (EOFException e) {
            throw new IOException("%s is truncated; train again".formatted(file), e);
        }
    }
}
