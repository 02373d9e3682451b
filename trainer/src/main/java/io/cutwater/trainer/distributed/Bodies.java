package io.cutwater.trainer.distributed;

import io.cutwater.trainer.round.EmbeddingRows;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import org.jspecify.annotations.Nullable;

/** Bodies of messages as in-memory streams, which cannot fail. */
final class Bodies {
    private Bodies() {}

    /** Writes a body. */
    @FunctionalInterface
    interface Writer {
        void write(DataOutputStream out) throws IOException;
    }

    static byte[] of(Writer writer) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (DataOutputStream out = new DataOutputStream(bytes)) {
            writer.write(out);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return bytes.toByteArray();
    }

    /** Writes 1 byte: 1 if rows follow, otherwise 0. */
    static void write(@Nullable EmbeddingRows rows, DataOutputStream out) throws IOException {
        out.writeBoolean(rows != null);
        if (rows != null) {
            rows.write(out);
        }
    }

    /** Reads what {@link #write} wrote. */
    static @Nullable EmbeddingRows rows(DataInputStream in) throws IOException {
        return in.readBoolean() ? EmbeddingRows.read(in) : null;
    }

    static DataInputStream read(byte[] body) {
        return new DataInputStream(new ByteArrayInputStream(body));
    }
}
