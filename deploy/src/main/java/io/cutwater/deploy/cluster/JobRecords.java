package io.cutwater.deploy.cluster;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The records of the jobs that were submitted from here, one file each. */
final class JobRecords {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String SUFFIX = ".json";
    private static final Pattern ID = Pattern.compile("[0-9a-f]{32}");

    private final Path folder;

    JobRecords(Path folder) {
        this.folder = folder;
    }

    @Nullable JobRecord find(String id) throws IOException {
        Path file = file(id);
        return ID.matcher(id).matches() && Files.exists(file) ? read(file) : null;
    }

    private Path file(String id) {
        return folder.resolve(id + SUFFIX);
    }

    private static JobRecord read(Path file) throws IOException {
        try {
            return JSON.readValue(file.toFile(), JobRecord.class);
        } catch (IOException e) {
            throw new IOException("%s is not the record of a job; remove it".formatted(file), e);
        }
    }

    void write(JobRecord job) throws IOException {
        Files.createDirectories(folder);
        Path written = folder.resolve(job.id() + ".tmp");
        JSON.writerWithDefaultPrettyPrinter().writeValue(written.toFile(), job);
        Files.move(written, file(job.id()), StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
    }

    /** The jobs for which no other goes on. */
    List<JobRecord> latest() throws IOException {
        List<JobRecord> jobs = new ArrayList<>();
        if (Files.isDirectory(folder)) {
            try (Stream<Path> files = Files.list(folder)) {
                for (Path file : files.filter(path -> path.toString().endsWith(SUFFIX))
                        .sorted()
                        .toList()) {
                    JobRecord job = read(file);
                    if (job.resumedAs() == null) {
                        jobs.add(job);
                    }
                }
            }
        }
        return jobs;
    }

    /**
     * Where a job can go on: the savepoint it was stopped with, else its last complete checkpoint as far as its folder
     * can be read from here, else what it began with, for then it has committed nothing since.
     */
    static @Nullable String lastState(JobRecord job) throws IOException {
        if (job.savepoint() != null) {
            return job.savepoint();
        }
        String checkpoint = lastCheckpoint(job);
        return checkpoint != null ? checkpoint : job.restoredFrom();
    }

    private static @Nullable String lastCheckpoint(JobRecord job) throws IOException {
        Path checkpoints = localPath(job.checkpoints());
        if (checkpoints == null || !Files.isDirectory(checkpoints.resolve(job.id()))) {
            return null;
        }
        try (Stream<Path> folders = Files.list(checkpoints.resolve(job.id()))) {
            Optional<Path> last = folders.filter(
                            path -> path.getFileName().toString().matches("chk-[0-9]{1,18}")
                                    && Files.exists(path.resolve("_metadata")))
                    .max(Comparator.comparingLong(
                            path -> Long.parseLong(path.getFileName().toString().substring("chk-".length()))));
            return last.map(path -> path.toUri().toString()).orElse(null);
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
