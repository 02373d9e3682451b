package io.cutwater.deploy.cluster.job;

import java.io.DataInputStream;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Finds the savepoints and checkpoints of a job in the folders of its cluster, which has forgotten it. */
final class JobStates {
    private static final String METADATA = "_metadata";
    /** Flink's metadata file begins with this number, the version of the format, and the number of the checkpoint. */
    private static final int MAGIC = 0x4960672d;
    /** Number of characters of its job's id in the name of a savepoint. */
    private static final int ID_PREFIX = 6;

    private JobStates() {}

    /**
     * Returns the state from which a job can continue: the savepoint with which it was stopped, else its last complete
     * savepoint or checkpoint, else the state with which it began, because then it has committed nothing since.
     *
     * <p>A savepoint that was in progress when the cluster died counts, too: its edges may be committed already, and
     * would be placed again from the checkpoint before it.
     *
     * @return null if there is none, or if the folder of the job's checkpoints is not readable
     */
    static @Nullable String last(JobRecord job) throws IOException {
        if (job.savepoint() != null) {
            return job.savepoint();
        }
        Path checkpoints = localPath(job.checkpoints());
        if (checkpoints == null || !Files.isDirectory(checkpoints.resolve(job.id()))) {
            return null;
        }
        List<Path> states = new ArrayList<>(folders(checkpoints.resolve(job.id()), "chk-"));
        Path savepoints = localPath(job.savepoints());
        if (savepoints != null) {
            states.addAll(folders(savepoints, "savepoint-" + job.id().substring(0, ID_PREFIX) + "-"));
        }
        long last = -1;
        String path = job.restoredFrom();
        for (Path state : states) {
            long number = number(state.resolve(METADATA));
            if (number > last) {
                last = number;
                path = state.toUri().toString();
            }
        }
        return path;
    }

    /** Returns whether a state is a checkpoint of the job, and not a savepoint or the state with which it began. */
    static boolean isCheckpointOf(JobRecord job, String state) {
        return state.contains("/" + job.id() + "/chk-");
    }

    private static List<Path> folders(Path parent, String prefix) throws IOException {
        try (Stream<Path> folders = Files.list(parent)) {
            return folders.filter(path -> path.getFileName().toString().startsWith(prefix))
                    .toList();
        } catch (NoSuchFileException | NotDirectoryException e) {
            return List.of();
        }
    }

    /** Checkpoints and savepoints of a job, and of the jobs that it continues, are numbered in one sequence. */
    private static long number(Path metadata) throws IOException {
        // Flink gives the file its name when it is complete.
        if (!Files.exists(metadata)) {
            return -1;
        }
        try (DataInputStream in = new DataInputStream(Files.newInputStream(metadata))) {
            int magic = in.readInt();
            in.readInt();
            long number = in.readLong();
            if (magic != MAGIC || number < 0) {
                throw new IOException("%s is not a file of Flink's; give --from".formatted(metadata));
            }
            return number;
        }
    }

    private static @Nullable Path localPath(@Nullable String uri) {
        if (uri == null) {
            return null;
        }
        URI folder = URI.create(uri);
        boolean isLocal = folder.getScheme() == null || folder.getScheme().equals("file");
        return isLocal ? Path.of(folder.getPath()) : null;
    }
}
