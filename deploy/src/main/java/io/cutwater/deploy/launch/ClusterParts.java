package io.cutwater.deploy.launch;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Files that the build has assembled for processes outside this one.
 *
 * @param folder with {@code cutwater-job.jar} and {@code flink.classpath}, the jars of a Flink process: paths relative
 *     to this folder, separated by colons
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
        if (folder.isEmpty() || !Files.exists(parts.jobJar()) || !Files.exists(parts.flinkJars())) {
            throw new IllegalStateException(
                    "the Flink class path and the job's jar are not built; start through ./cutwater, which builds them");
        }
        return parts;
    }

    /**
     * Returns the class path of a Flink process, for {@code java -cp}.
     *
     * @throws IOException if the list cannot be read, or a jar is missing; the message is meant for users
     */
    public String flinkClassPath() throws IOException {
        List<Path> jars = Stream.of(Files.readString(flinkJars()).strip().split(":"))
                .map(jar -> folder.resolve(jar).toAbsolutePath())
                .toList();
        for (Path jar : jars) {
            if (!Files.isReadable(jar)) {
                throw new IOException(
                        "%s, which %s names, is missing or not readable; unpack the distribution again, or rebuild with ./mvnw clean"
                                .formatted(jar, flinkJars()));
            }
        }
        return jars.stream().map(Path::toString).collect(Collectors.joining(File.pathSeparator));
    }

    private Path flinkJars() {
        return folder.resolve("flink.classpath");
    }

    /** Returns the jar of the job, which has the reporter of metrics too. */
    public Path jobJar() {
        return folder.resolve("cutwater-job.jar");
    }

    /** Returns the jars that any Flink 2 cluster needs: the job's jar, and those of user-written partitioners. */
    public List<Path> jobJars() {
        return Stream.concat(Stream.of(jobJar()), UserJars.find().jars().stream())
                .toList();
    }
}
