package io.cutwater.deploy.launch;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

/**
 * Jars of user-written partitioners and models, which the launcher takes from CUTWATER_CLASSPATH.
 *
 * @param files jars; folders of classes work as well where no job leaves this machine
 */
public record UserJars(List<Path> files) {
    /** Set by the launcher. */
    private static final String PROPERTY = "cutwater.classpath";

    public UserJars {
        files = List.copyOf(files);
    }

    /**
     * Returns those that the launcher was given.
     *
     * @throws IllegalArgumentException if one of them does not exist; the message is meant for users
     */
    public static UserJars find() {
        UserJars jars =
                new UserJars(Arrays.stream(System.getProperty(PROPERTY, "").split(File.pathSeparator, -1))
                        .filter(name -> !name.isBlank())
                        .map(Path::of)
                        .toList());
        for (Path file : jars.files) {
            if (!Files.isReadable(file)) {
                throw new IllegalArgumentException(
                        "CUTWATER_CLASSPATH names %s, which cannot be read; correct it, or leave it out"
                                .formatted(file));
            }
        }
        return jars;
    }

    /**
     * Returns the files as they travel with a job.
     *
     * @throws IllegalArgumentException if one of them is not a file; the message is meant for users
     */
    List<Path> jars() {
        for (Path file : files) {
            if (!Files.isRegularFile(file)) {
                throw new IllegalArgumentException(
                        "CUTWATER_CLASSPATH names %s, which is no jar and cannot travel with the job; make a jar of it"
                                .formatted(file));
            }
        }
        return files;
    }
}
