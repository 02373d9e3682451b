package io.cutwater.state.bulk;

import io.cutwater.state.scratch.DurableFile;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Says in the folder of a bulk run that its places are complete: three lines, the name of the run and these counts.
 *
 * @param edgeCount rows of the input
 * @param unknownRemovals removals of edges that were not there
 */
record CompleteMark(long edgeCount, long unknownRemovals) {
    private static final String FILE = "complete";
    private static final int LINES = 3;

    /**
     * Reads the mark of a run.
     *
     * @param name of the run
     * @return null if there is none
     * @throws IOException if it is that of another run
     */
    static @Nullable CompleteMark read(Path folder, String name) throws IOException {
        Path file = folder.resolve(FILE);
        if (!Files.exists(file)) {
            return null;
        }
        List<String> lines = Files.readAllLines(file);
        if (lines.size() != LINES || !lines.get(0).equals(name)) {
            throw new IOException("the folder %s holds the places of another run (%s): give an empty one"
                    .formatted(folder, lines.isEmpty() ? "unknown" : lines.get(0)));
        }
        return new CompleteMark(Long.parseLong(lines.get(1)), Long.parseLong(lines.get(2)));
    }

    void write(Path folder, String name) throws IOException {
        String text = String.join("\n", name, Long.toString(edgeCount), Long.toString(unknownRemovals), "");
        DurableFile.replace(folder.resolve(FILE), out -> out.write(text.getBytes(StandardCharsets.UTF_8)));
    }

    static void delete(Path folder) throws IOException {
        Files.deleteIfExists(folder.resolve(FILE));
    }
}
