package io.cutwater.deploy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** The Markdown files of the repository, without those that a build makes. */
public final class MarkdownFiles {
    private static final Set<String> SKIPPED = Set.of("target", ".git", ".mvn", "shared", "node_modules");

    private MarkdownFiles() {}

    /** The repository's root folder, seen from any module. */
    public static Path root() {
        Path folder = Path.of("").toAbsolutePath();
        while (!Files.exists(folder.resolve("mvnw"))) {
            folder = folder.getParent();
        }
        return folder;
    }

    /** All of them, in the order of their paths. */
    public static List<Path> all() throws IOException {
        List<Path> found = new ArrayList<>();
        collect(root(), found);
        found.sort(null);
        return found;
    }

    private static void collect(Path folder, List<Path> found) throws IOException {
        try (Stream<Path> entries = Files.list(folder)) {
            for (Path entry : entries.toList()) {
                if (Files.isDirectory(entry)) {
                    if (!SKIPPED.contains(entry.getFileName().toString())) {
                        collect(entry, found);
                    }
                } else if (entry.toString().endsWith(".md")) {
                    found.add(entry);
                }
            }
        }
    }

    /** The lines of a file, those of code blocks replaced by empty ones. */
    public static List<String> prose(Path file) {
        return lines(file, false);
    }

    /** The lines of a file's code blocks, all others replaced by empty ones. */
    public static List<String> code(Path file) {
        return lines(file, true);
    }

    private static List<String> lines(Path file, boolean isCodeWanted) {
        List<String> lines = new ArrayList<>();
        boolean isCode = false;
        try {
            for (String line : Files.readAllLines(file)) {
                boolean isFence = line.strip().startsWith("```");
                lines.add(!isFence && isCode == isCodeWanted ? line : "");
                isCode ^= isFence;
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return lines;
    }
}
