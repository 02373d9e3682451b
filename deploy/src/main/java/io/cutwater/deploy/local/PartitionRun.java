package io.cutwater.deploy.local;

import io.cutwater.deploy.input.FileIngest;
import io.cutwater.deploy.input.InputRequest;
import io.cutwater.deploy.view.Progress;
import io.cutwater.flink.connector.bulk.PassParts;
import io.cutwater.flink.connector.output.TopicOutputOptions;
import io.cutwater.flink.job.JobFailedException;
import io.cutwater.flink.job.topology.DistributedOptions;
import io.cutwater.flink.job.topology.JobOutput;
import io.cutwater.flink.job.topology.PartitionRequest;
import io.cutwater.flink.operator.assigner.AssignOptions;
import io.cutwater.flink.operator.distributed.SpreadOptions;
import io.cutwater.format.folder.FolderStaging;
import io.cutwater.format.folder.OutputFolder;
import io.cutwater.format.folder.RunInput;
import io.cutwater.format.input.VertexFiles;
import io.cutwater.format.json.ReportJson;
import io.cutwater.format.json.RunReport;
import io.cutwater.format.text.VertexNames;
import io.cutwater.format.vertex.VertexDataSummary;
import io.cutwater.kafka.client.DeadLetterRecords;
import io.cutwater.kafka.embedded.EmbeddedBroker;
import io.cutwater.kafka.event.EdgeEventFormat;
import io.cutwater.kafka.reader.TopicReader;
import io.cutwater.kafka.textid.TextSender;
import io.cutwater.kafka.topic.Topics;
import io.cutwater.state.graph.RejectedRecord;
import io.cutwater.state.partition.TrainingVertices;
import io.cutwater.state.quality.Quality;
import io.cutwater.state.quality.ReplicasByDegree;
import io.cutwater.state.scratch.TemporaryFolder;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** One bounded job on an embedded Flink cluster, from its input to the complete output folder. */
public final class PartitionRun {
    private static final double NANOS = 1e9;

    private final RunRequest request;
    private final Progress.Display display;
    private final String version;

    /** @param version of cutwater, for the manifest */
    public PartitionRun(RunRequest request, Progress.Display display, String version) {
        this.request = request;
        this.display = display;
        this.version = version;
    }

    /**
     * Result of a run.
     *
     * @param duplicates edges of the input that were dropped as such
     * @param takenAway edges of the input that were removed again
     * @param hasFolder false if more records were malformed than allowed, so that there is no output folder
     * @param vertexData counts of the shards' vertex data, if there are any
     * @param replicas of the vertices of each degree; no bins without a folder
     */
    public record Outcome(
            RunReport report,
            long duplicates,
            long takenAway,
            boolean hasFolder,
            Optional<VertexDataSummary> vertexData,
            List<ReplicasByDegree.Bin> replicas) {
        /**
         * Returns the number of records without duplicates: edges that are left or were removed, removals, dead
         * letters.
         */
        public long records() {
            return PartitionRun.records(report, takenAway);
        }
    }

    /**
     * Runs to the end.
     *
     * @throws IOException if the input cannot be read or the output cannot be written; the message is meant for users
     * @throws JobFailedException if the job has failed more often than it is restarted; the message is meant for users
     */
    public Outcome run() throws IOException, JobFailedException, InterruptedException {
        try (RunResources resources = new RunResources()) {
            OutputFolder folder = resources.add(OutputFolder.open(
                    request.output().folder(), request.output().overwrite()));
            Path work = resources.add(TemporaryFolder.at(folder.jobFolder())).path();
            VertexTopic vertices = request.vertexData().topic();
            return vertices == null
                    ? run(folder, work, resources)
                    : new PartitionRun(withVertices(vertices, work), display, version).run(folder, work, resources);
        }
    }

    private RunRequest withVertices(VertexTopic topic, Path work) throws IOException {
        VertexFiles files = topic.toFile(work, request.vertexData().allowsMissingFeatures(), display);
        Double imbalance = topic.trainImbalance();
        return request.withVertices(
                files, imbalance == null ? null : new TrainingVertices(files.trainingVertices(), imbalance));
    }

    private Outcome run(OutputFolder folder, Path work, RunResources resources)
            throws IOException, JobFailedException, InterruptedException {
        measureVertexData(folder);
        InputRequest from = request.input().from();
        List<RejectedRecord> rejectedBefore = new ArrayList<>();
        if (request.input().ids() == IdKind.TEXT && from instanceof InputRequest.Files named) {
            NumberedFile numbered = NumberedFile.write(named, work, display);
            folder.setNames(numbered.names());
            rejectedBefore.addAll(numbered.rejected());
            from = numbered.files();
        }
        if (request.input().viaKafka() && from instanceof InputRequest.Files files) {
            InputRequest.Topic topic = startBroker(work, resources);
            FileIngest.run(files, topic, 0, display);
            new TopicReader(topic.bootstrapServers(), topic.client())
                    .readAll(
                            topic.topics().deadLetters(),
                            letter -> rejectedBefore.add(DeadLetterRecords.fromRecord(letter)));
            from = topic;
        }
        return partition(from, rejectedBefore, folder, work, resources);
    }

    /** Defects of these files are found before the job starts. */
    private void measureVertexData(OutputFolder folder) throws IOException {
        VertexFiles files = request.vertexData().files();
        if (files != null) {
            display.say("reading " + files.paths().stream().map(Path::toString).collect(Collectors.joining(", ")));
            folder.setVertexData(files, files.measure(), request.vertexData().allowsMissingFeatures());
        }
    }

    private Outcome partition(
            InputRequest from,
            List<RejectedRecord> rejectedBefore,
            OutputFolder folder,
            Path work,
            RunResources resources)
            throws IOException, JobFailedException, InterruptedException {
        long startedAt = display.nanoTime().getAsLong();
        // Edges on our own broker came from files, which only add.
        JobInput all = request.input().viaKafka()
                ? JobInput.of(from)
                : JobInput.of(from).net();
        VertexNames texts =
                request.input().ids() == IdKind.TEXT && from == request.input().from()
                        ? TopicNames.read(all.edges(), display)
                        : null;
        if (texts != null) {
            folder.setNames(texts);
        }
        JobInput input = all.distinct(request.input().dedupe());
        FollowedJob job = job(input, from, folder.staging(), work, resources);
        InputRequest.Topic to = publishedTo();
        Published published = new Published(to);
        RunReport ofJob = published.whole(() -> {
            if (to != null && texts != null) {
                // Before the shards have one of these vertices.
                TextSender.send(to.bootstrapServers(), to.client(), to.topics(), texts);
            }
            return job.run(resources, display);
        });
        Supplier<RunReport> report = () -> total(ofJob, rejectedBefore.size(), secondsSince(startedAt))
                .withUnknownRemovals(job.unknownRemovals())
                .withStartUp(job.startUpSeconds());
        if (badShare(report.get(), job.takenAway()) > request.input().maxMalformed()) {
            published.fail("more of its input was malformed than --max-malformed allows");
            return new Outcome(report.get(), job.duplicates(), job.takenAway(), false, Optional.empty(), List.of());
        }
        published.complete();
        stage(rejectedBefore, folder.staging());
        RunReport[] written = new RunReport[1];
        display.say("completing the output folder " + request.output().folder());
        folder.complete(
                ofJob.kind(),
                request.description(version, described(input)),
                request.output().format(),
                job.duplicates(),
                () -> {
                    written[0] = report.get().withTraining(folder.training()).withCoverage(folder.coverage());
                    return json(written[0]);
                });
        return new Outcome(
                written[0],
                job.duplicates(),
                job.takenAway(),
                true,
                folder.vertexData(),
                folder.replicas().bins());
    }

    /** Records that ingesting rejected never reached the job, but belong into the folder. */
    private void stage(List<RejectedRecord> rejected, Path staging) throws IOException {
        if (!rejected.isEmpty()) {
            try (FolderStaging staged = FolderStaging.reopen(
                    staging, request.algorithm().partitioner().partitionCount())) {
                for (RejectedRecord record : rejected) {
                    staged.append(record);
                }
                staged.flush();
            }
        }
    }

    /** Numbers instead of names are internal: the described input is the files with the names. */
    private List<RunInput> described(JobInput input) throws IOException {
        return request.input().from() instanceof InputRequest.Files
                        && request.input().ids() == IdKind.TEXT
                ? JobInput.of(request.input().from()).described()
                : input.described();
    }

    private double secondsSince(long startedAt) {
        return (display.nanoTime().getAsLong() - startedAt) / NANOS;
    }

    private InputRequest.Topic startBroker(Path work, RunResources resources) throws IOException {
        display.say("starting Kafka in this process");
        EmbeddedBroker broker = resources.add(EmbeddedBroker.start(work.resolve("kafka")));
        Topics topics = new Topics("");
        return new InputRequest.Topic(broker.bootstrapServers(), topics, topics.edges(), EdgeEventFormat.BATCH);
    }

    private FollowedJob job(JobInput input, InputRequest from, Path staging, Path work, RunResources resources)
            throws IOException {
        PartitionRequest job = new PartitionRequest(
                input.edges(),
                AssignOptions.of(
                        request.algorithm().partitioner(), request.resources().cacheBytes(), Duration.ZERO, false),
                distributed(from, work, resources),
                new JobOutput(staging, publishing(), work.resolve("live-report.json")),
                PassParts.inThreads(request.resources().bulkParts()));
        return new FollowedJob(job, work, request.resources().checkpointInterval());
    }

    /** The feedback loop uses the broker of the input; for files a broker is started. */
    private @Nullable DistributedOptions distributed(InputRequest from, Path work, RunResources resources)
            throws IOException {
        SpreadOptions spread = request.resources().spread();
        if (spread == null) {
            return null;
        }
        InputRequest.Topic kafka = from instanceof InputRequest.Topic topic ? topic : startBroker(work, resources);
        return new DistributedOptions(spread, BoundedOutput.loop(kafka, spread.tables()));
    }

    private @Nullable TopicOutputOptions publishing() {
        InputRequest.Topic to = publishedTo();
        return to == null
                ? null
                : BoundedOutput.prepare(
                        to,
                        request.algorithm().partitioner().partitionCount(),
                        request.resources().checkpointInterval(),
                        request.resources().spread());
    }

    private InputRequest.@Nullable Topic publishedTo() {
        return request.output().publishes() && request.input().from() instanceof InputRequest.Topic topic
                ? topic
                : null;
    }

    private static double badShare(RunReport report, long takenAway) {
        long records = records(report, takenAway);
        return records == 0 ? 0 : (double) report.quality().deadLetters() / records;
    }

    private static long records(RunReport report, long takenAway) {
        Quality quality = report.quality();
        return quality.edges() + quality.deadLetters() + report.unknownRemovals() + 2 * takenAway;
    }

    /** Returns the job's report with the records rejected before it, and with the time of the whole run. */
    private static RunReport total(RunReport report, long rejectedBefore, double seconds) {
        Quality quality = report.quality();
        return new RunReport(
                        report.algorithm(),
                        report.seed(),
                        quality.withDeadLetters(quality.deadLetters() + rejectedBefore),
                        seconds,
                        report.peakMemoryBytes())
                .withUnknownRemovals(report.unknownRemovals());
    }

    private static byte[] json(RunReport report) {
        return (ReportJson.toPrettyString(report) + "\n").getBytes(StandardCharsets.UTF_8);
    }
}
