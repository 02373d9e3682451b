package io.cutwater.deploy.launch;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * Files that the build has assembled for processes outside this one.
 *
 * @param folder with the folder {@code flink}, a Flink class path, and {@code cutwater-job.jar}
 */
public record ClusterParts(Path folder) {
    /** Set by the launcher. */
    private static final String PROPERTY = "cutwater.cluster.parts";

    /**
     * Finds the parts of this build.
     *
     * @throws IllegalStateException if nothing has been assembled; the message is meant for users
     */
    public static ClusterParts find() {
        String folder = System.getProperty(PROPERTY, "");
        ClusterParts parts = new ClusterParts(Path.of(folder));
        if (folder.isEmpty() || !Files.exists(parts.jobJar()) || !Files.isDirectory(parts.flink())) {
            throw new IllegalStateException(
                    "the Flink class path and the job's jar are not built; start through ./cutwater, which builds them");
        }
        return parts;
    }

    public Path flink() {
        return folder.resolve("flink");
    }

    private Path jobJar() {
        return folder.resolve("cutwater-job.jar");
    }

    /** Returns the jars that any Flink 2 cluster needs: the job's jar, and those of user-written partitioners. */
    public List<Path> jobJars() {
        return Stream.concat(Stream.of(jobJar()), UserJars.find().jars().stream())
                .toList();
    }
}
