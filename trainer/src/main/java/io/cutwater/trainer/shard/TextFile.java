package io.cutwater.trainer.shard;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.GZIPInputStream;

/** Lines of a text file, plain or {@code .gz}; line i, from 0, is about vertex i. */
final class TextFile {
    private TextFile() {}

    /** Takes a line. */
    @FunctionalInterface
    interface LineConsumer {
        /** @throws IllegalArgumentException saying what the line should have been */
        void accept(long vertex, String line) throws IOException;
    }

    /** Reads to the end; returns the number of lines. */
    static long read(Path file, LineConsumer consumer) throws IOException {
        long line = 0;
        try (InputStream bytes = Files.newInputStream(file);
                BufferedReader reader = new BufferedReader(
                        new InputStreamReader(
                                file.toString().endsWith(".gz") ? new GZIPInputStream(bytes, 1 << 16) : bytes,
                                StandardCharsets.UTF_8),
                        1 << 16)) {
            for (String text; (text = reader.readLine()) != null; line++) {
                consumer.accept(line, text);
            }
        } catch (IllegalArgumentException e) {
            throw new IOException("%s: line %d %s".formatted(file, line + 1, e.getMessage()), e);
        }
        return line;
    }
}
