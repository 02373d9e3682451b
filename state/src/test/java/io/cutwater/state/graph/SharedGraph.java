package io.cutwater.state.graph;

import io.cutwater.testkit.SharedData;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.List;
import java.util.stream.LongStream;
import java.util.zip.GZIPInputStream;

/** The real graphs of {@link SharedData} as batches. */
public final class SharedGraph {
    private SharedGraph() {}

    /** The lines, counted from 0, of a file of words that say "train". */
    public static long[] trainingVertices(String name) throws IOException {
        try (BufferedReader words = new BufferedReader(new InputStreamReader(
                new GZIPInputStream(Files.newInputStream(SharedData.file(name))), StandardCharsets.US_ASCII))) {
            List<String> lines = words.lines().toList();
            return LongStream.range(0, lines.size())
                    .filter(i -> lines.get((int) i).equals("train"))
                    .toArray();
        }
    }

    /** All edges of a file of lines "source target" or "source target time", without the time. */
    public static EdgeBatch read(String name) {
        EdgeBatch graph = new EdgeBatch(1 << 20);
        try (BufferedReader lines = new BufferedReader(new InputStreamReader(
                new GZIPInputStream(Files.newInputStream(SharedData.file(name)), 1 << 16),
                StandardCharsets.US_ASCII))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                int space = line.indexOf(' ');
                int second = line.indexOf(' ', space + 1);
                int end = second < 0 ? line.length() : second;
                graph.add(Long.parseLong(line, 0, space, 10), Long.parseLong(line, space + 1, end, 10));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return graph;
    }
}
