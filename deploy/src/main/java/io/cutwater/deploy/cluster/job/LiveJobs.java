package io.cutwater.deploy.cluster.job;

import io.cutwater.deploy.cluster.ClusterFolder;
import io.cutwater.deploy.cluster.LocalCluster;
import io.cutwater.deploy.cluster.OwnBroker;
import io.cutwater.deploy.cluster.rest.ClusterSlots;
import io.cutwater.deploy.cluster.rest.FlinkRest;
import io.cutwater.deploy.cluster.rest.JobProgress;
import io.cutwater.deploy.cluster.rest.LiveJob;
import io.cutwater.deploy.launch.ClusterParts;
import io.cutwater.flink.client.FlinkAddress;
import io.cutwater.flink.client.FlinkCredentials;
import io.cutwater.flink.connector.bulk.work.BulkStage;
import io.cutwater.flink.job.LivePartitionJob;
import io.cutwater.flink.job.option.LiveJobOptions;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The live jobs on a Flink cluster, and the records of them that are kept here. */
public final class LiveJobs {
    private static final int METRIC_ATTEMPTS = 6;
    private static final Duration METRIC_WAIT = Duration.ofMillis(500);

    private final FlinkAddress address;
    private final FlinkCredentials credentials;
    private final Path clusterFolder;
    private final FlinkRest flink;
    private final JobHealth health;
    private final JobRecords records;

    /**
     * @param credentials for the cluster
     * @param clusterFolder that contains the records
     */
    public LiveJobs(FlinkAddress address, FlinkCredentials credentials, Path clusterFolder) {
        this.address = address;
        this.credentials = credentials;
        this.clusterFolder = clusterFolder;
        flink = new FlinkRest(address, credentials);
        health = new JobHealth(address, flink, clusterFolder);
        records = new JobRecords(new ClusterFolder(clusterFolder).jobs());
    }

    /**
     * Result of a submission.
     *
     * @param id of the new job
     * @param options of the job, with its present number of partitions
     * @param restoredFrom null for none
     */
    public record Submitted(
            String id, LiveJobOptions options, @Nullable String restoredFrom) {}

    /**
     * What a cluster offers to a live job.
     *
     * @param checkpointFolder null for none
     */
    public record ClusterFacts(
            String version, ClusterSlots slots, @Nullable String checkpointFolder) {}

    /** Asks the cluster what it offers. */
    public ClusterFacts facts() throws IOException {
        return new ClusterFacts(flink.version(), flink.slots(), flink.checkpointFolder());
    }

    /** Returns the address of a job on Flink's web page. */
    public String page(String id) {
        return "%s/#/job/running/%s/overview".formatted(address.url(), id);
    }

    /** Returns all jobs that the cluster remembers, including those that have ended. */
    public List<LiveJob> list() throws IOException {
        return flink.jobs(LivePartitionJob.NAME_PREFIX);
    }

    /**
     * Returns the stage of a bootstrapped job, as Flink fetched it last, which it does every 10 s.
     *
     * @return empty for other jobs, and if the cluster does not know
     */
    public Optional<BootstrapStage> stage(LiveJob job) throws IOException {
        String history = job.options().getOrDefault("bootstrap", "");
        // A job whose algorithm has no bulk passes never asked the broker for its history.
        if (job.hasEnded() || history.isEmpty() || history.equals(LiveJobOptions.NOW)) {
            return Optional.empty();
        }
        Map<String, String> metrics = Map.of();
        // Flink fetches metrics when they are requested, and answers with the earlier values.
        for (int attempt = 0; attempt < METRIC_ATTEMPTS && metrics.isEmpty(); attempt++) {
            if (attempt > 0) {
                LockSupport.parkNanos(METRIC_WAIT.toNanos());
            }
            metrics = flink.sourceMetrics(job.id(), Set.of(BulkStage.STAGE, BulkStage.SHARE));
        }
        return metrics.isEmpty() ? Optional.empty() : Optional.of(BootstrapStage.of(metrics));
    }

    /** Returns whether a job makes progress, and if not, why. */
    public JobProgress progress(LiveJob job) throws IOException {
        return health.of(job);
    }

    /** Starts a new job. */
    public Submitted submit(LiveJobOptions options, ClusterParts parts) throws IOException {
        requireOwnTopics(options);
        return submit(LivePartitionJob.fixed(options), parts, null, false);
    }

    private Submitted submit(LiveJobOptions options, ClusterParts parts, @Nullable String restoreFrom, boolean claims)
            throws IOException {
        String version = flink.version();
        if (!version.startsWith("2.")) {
            throw new IOException(
                    "the cluster at %s runs Flink %s; Cutwater needs Flink 2".formatted(address, version));
        }
        String checkpoints =
                options.checkpointFolder().isEmpty() ? flink.checkpointFolder() : options.checkpointFolder();
        if (checkpoints == null) {
            throw new IOException(
                    "the Flink cluster at %s has no folder for checkpoints; set execution.checkpointing.dir"
                                    .formatted(address)
                            + " there, or give --checkpoint-dir");
        }
        health.requireSlots(options);
        String id = LivePartitionJob.submit(address, credentials, parts.jobJars(), options, restoreFrom, claims);
        records.write(new JobRecord(
                id,
                address.toString(),
                options.arguments(),
                checkpoints,
                flink.savepointFolder(),
                restoreFrom,
                null,
                null,
                JobTopics.read(options)));
        return new Submitted(id, options, restoreFrom);
    }

    /**
     * Checks before anything is created or written that the broker is ours if it is to be, and that no other job writes
     * there.
     */
    private void requireOwnTopics(LiveJobOptions options) throws IOException {
        OwnBroker.require(clusterFolder, options.bootstrapServers());
        refuseTwins(options);
    }

    /** Two jobs that write the same topics would abort each other's transactions for ever. */
    private void refuseTwins(LiveJobOptions options) throws IOException {
        for (LiveJob job : list()) {
            String prefix = job.options().getOrDefault("topic-prefix", "");
            Set<String> shared = servers(job.options().getOrDefault("bootstrap-servers", ""));
            shared.retainAll(servers(options.bootstrapServers()));
            // A job that is being started does not tell its options yet.
            boolean isTwin = job.options().isEmpty()
                    || !shared.isEmpty() && prefix.equals(options.topics().prefix());
            if (isTwin && !job.hasEnded()) {
                throw new IOException(
                        "job %s is %s and writes the same topics; ./cutwater stop %s first, or choose another --topic-prefix"
                                .formatted(job.id(), job.state(), job.id()));
            }
        }
    }

    private static Set<String> servers(String bootstrapServers) {
        return Arrays.stream(bootstrapServers.split(",", -1))
                .map(server -> server.strip().replace("localhost:", LocalCluster.LOOPBACK + ":"))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /**
     * Stops a job with a savepoint.
     *
     * @param id null for the only one that has not ended
     * @param folder for the savepoint; null for the one that the cluster is configured with
     * @param waiting receives a sentence about what delays the stop, each time that changes
     * @return the job and the savepoint's path
     */
    public Map.Entry<String, String> stop(
            @Nullable String id, @Nullable String folder, Duration timeout, Consumer<String> waiting)
            throws IOException {
        String job = id == null ? onlyRunning() : id;
        JobRecord record = records.find(job);
        if (record != null && folder != null) {
            // Before there is a savepoint: where to look for it if the cluster dies with it.
            record = record.withSavepoints(folder);
            records.write(record);
        }
        String savepoint = flink.stop(job, folder, timeout, waiting);
        if (record != null) {
            records.write(record.withSavepoint(savepoint));
        }
        return Map.entry(job, savepoint);
    }

    private List<LiveJob> running() throws IOException {
        return list().stream().filter(job -> !job.hasEnded()).toList();
    }

    private String onlyRunning() throws IOException {
        List<LiveJob> running = running();
        if (running.size() != 1) {
            throw new IOException(
                    running.isEmpty()
                            ? "no live job runs on the Flink cluster at %s".formatted(address)
                            : "there are %d live jobs on the Flink cluster at %s; say which: %s"
                                    .formatted(
                                            running.size(),
                                            address,
                                            running.stream()
                                                    .map(job -> "%s (%s)".formatted(job.id(), job.name()))
                                                    .collect(Collectors.joining(", "))));
        }
        return running.get(0).id();
    }

    /**
     * Continues a job that has ended, or whose cluster has.
     *
     * @param id null for the only one that was submitted from here, that no other continues, and that does not run
     * @param from a savepoint or checkpoint; null for the job's last one
     * @param changed options with new values
     */
    public Submitted resume(@Nullable String id, @Nullable String from, Map<String, String> changed, ClusterParts parts)
            throws IOException {
        if (id == null && from != null && changed.containsKey("partitions")) {
            LiveJobOptions options = LiveJobOptions.of(changed);
            requireOwnTopics(options);
            LiveJobOptions present = JobTopics.present(options);
            return new Submitted(submit(options, parts, from, false).id(), present, from);
        }
        JobRecord past = id == null ? records.onlyLatest(running()) : past(id);
        if (past.resumedAs() != null && from == null) {
            throw new IOException(
                    "job %s goes on as job %s already; resume that one".formatted(past.id(), past.resumedAs()));
        }
        LiveJobOptions validated = ResumedOptions.of(past, changed);
        requireOwnTopics(validated);
        JobTopics.requireSame(past, validated);
        String state = from == null ? lastState(past) : from;
        // A checkpoint that is no longer needed is deleted with the first one of the new job; a state that the user
        // names is kept.
        boolean claims = from == null && JobStates.isCheckpointOf(past, state);
        LiveJobOptions present = JobTopics.present(validated);
        Submitted submitted = submit(validated, parts, state, claims);
        records.write(past.withSuccessor(submitted.id()));
        return new Submitted(submitted.id(), present, state);
    }

    /** Returns the record of a job, or a record made from what the cluster remembers. */
    private JobRecord past(String id) throws IOException {
        JobRecord record = records.find(id);
        if (record != null) {
            return record;
        }
        if (!flink.knows(id)) {
            throw new IOException(
                    "neither the Flink cluster at %s nor the records here know job %s; give --from and its options"
                            .formatted(address, id));
        }
        return new JobRecord(
                id,
                address.toString(),
                flink.job(id).options(),
                flink.checkpointFolder(),
                flink.savepointFolder(),
                null,
                null,
                null,
                null);
    }

    private String lastState(JobRecord past) throws IOException {
        String state = past.savepoint();
        if (state == null && flink.knows(past.id())) {
            state = flink.latestState(past.id());
        }
        if (state == null) {
            state = JobStates.last(past);
        }
        if (state == null) {
            throw new IOException(
                    "job %s has no complete checkpoint that can be found from here; give --from, or submit it again if it"
                                    .formatted(past.id())
                            + " never had one: then it has committed nothing");
        }
        return state;
    }
}
