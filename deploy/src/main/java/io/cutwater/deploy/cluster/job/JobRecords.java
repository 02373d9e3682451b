package io.cutwater.deploy.cluster.job;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.cutwater.deploy.cluster.ClusterFolder;
import io.cutwater.deploy.cluster.OwnFolder;
import io.cutwater.deploy.cluster.rest.LiveJob;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Records of the jobs that were submitted from here, one file each. */
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
        OwnFolder.make(folder.toAbsolutePath().resolve("..").normalize());
        Files.createDirectories(folder);
        ClusterFolder.replace(
                file(job.id()), JSON.writerWithDefaultPrettyPrinter().writeValueAsString(job));
    }

    /**
     * Returns the only job that no other job continues; of several, the only one that does not run.
     *
     * @param running jobs of the cluster that have not ended
     * @throws IOException if there is none, or if there are several; the message is meant for users
     */
    JobRecord onlyLatest(List<LiveJob> running) throws IOException {
        List<JobRecord> latest = latest();
        if (latest.isEmpty()) {
            throw new IOException("no job was submitted from here; give --from and the options of the job");
        }
        List<JobRecord> ended = latest.stream()
                .filter(job -> running.stream().noneMatch(other -> other.id().equals(job.id())))
                .toList();
        List<JobRecord> open = ended.isEmpty() ? latest : ended;
        if (open.size() > 1) {
            throw new IOException((ended.isEmpty()
                            ? "all %d jobs run already; to change one, stop it and then resume it: %s"
                            : "there are %d jobs to resume; say which: %s")
                    .formatted(
                            open.size(),
                            open.stream()
                                    .map(job -> "%s (topic %s)".formatted(job.id(), job.edges()))
                                    .collect(Collectors.joining(", "))));
        }
        return open.get(0);
    }

    /** Returns the jobs that no other job continues. */
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
}
