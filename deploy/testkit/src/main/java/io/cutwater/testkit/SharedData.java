package io.cutwater.testkit;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Real graphs in a folder beside the clone, which is not part of the project: a test that needs one is skipped where
 * the folder is absent.
 */
public final class SharedData {
    private static final Path FOLDER = Path.of(System.getProperty("cutwater.shared", "../../shared"));

    private SharedData() {}

    /** The path of a file of the folder that the property {@code cutwater.shared} names; skips the test without it. */
    public static Path file(String name) {
        Path file = FOLDER.resolve(name);
        assumeTrue(Files.isReadable(file), () -> "the real graphs are not here: " + file);
        return file;
    }
}
