package io.cutwater.trainer.distributed;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;

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

    static DataInputStream read(byte[] body) {
        return new DataInputStream(new ByteArrayInputStream(body));
    }
}
