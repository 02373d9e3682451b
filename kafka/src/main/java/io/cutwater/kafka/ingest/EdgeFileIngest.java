package io.cutwater.kafka.ingest;

import io.cutwater.format.EdgeFilePosition;
import io.cutwater.format.EdgeFileReader;
import io.cutwater.format.file.ByteSource;
import io.cutwater.format.input.EdgeFileFormat;
import io.cutwater.format.input.EdgeFiles;
import io.cutwater.kafka.progress.FileStamp;
import io.cutwater.kafka.progress.IngestListener;
import io.cutwater.kafka.progress.IngestProgress;
import io.cutwater.kafka.progress.IngestProgressTopic;
import io.cutwater.kafka.progress.IngestTally;
import io.cutwater.kafka.progress.RateLimit;
import io.cutwater.kafka.topic.BrokerException;
import io.cutwater.state.text.Counted;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.locks.LockSupport;

/**
 * Writes the edges of files to a topic, each exactly once however often the ingest is interrupted and restarted: edges
 * and the position after them are committed in one transaction. Readers of the topic must read committed records only.
 *
 * <p>Several files are written concurrently. The edges of one file keep their order if the topic has one topic
 * partition; those of different files are mixed.
 */
public final class EdgeFileIngest {
    private final EdgeFileIngestOptions options;
    private final IngestListener listener;
    private final Opener opener;
    private final RateLimit rate;

    /** Opens a file at a position. */
    interface Opener {
        EdgeFileReader open(Path file, EdgeFileFormat format, EdgeFilePosition from) throws IOException;
    }

    /**
     * The result for one file.
     *
     * @param edges written by this run
     * @param rejected dead letters written by this run
     * @param edgesBefore written by earlier runs
     * @param wasFinished whether there was nothing left to write
     */
    public record FileResult(Path file, long edges, long rejected, long edgesBefore, boolean wasFinished) {}

    /**
     * The result of a run.
     *
     * @param edges written by this run, of all files
     * @param rejected dead letters written by this run
     * @param files one for each file, in their order
     */
    public record Result(long edges, long rejected, List<FileResult> files) {}

    public EdgeFileIngest(EdgeFileIngestOptions options, IngestListener listener) {
        this(options, listener, EdgeFiles::open);
    }

    EdgeFileIngest(EdgeFileIngestOptions options, IngestListener listener, Opener opener) {
        this.options = options;
        this.listener = listener;
        this.opener = opener;
        rate = new RateLimit(options.target().edgesPerSecond(), System::nanoTime, LockSupport::parkNanos);
    }

    /**
     * Writes everything that is not written yet. If a file fails, the others stop; what is committed stays, and the
     * next run resumes there.
     *
     * @throws IOException if a file cannot be read, or has changed since an earlier run
     * @throws BrokerException if the broker rejects the edges, a topic is missing, or another ingest of a file has
     *     begun
     * @throws IllegalArgumentException if a file is named twice, or the format cannot represent an attribute of an edge
     */
    public Result run(List<IngestFile> files) throws IOException {
        Map<String, IngestFile> byKey = new LinkedHashMap<>();
        long totalBytes = 0;
        for (IngestFile file : files) {
            ByteSource.checkReadable(file.path());
            long bytes = Files.size(file.path());
            totalBytes += bytes;
            byte[] key = file.key(options.target().topic(), options.target().operation(), bytes);
            IngestFile same = byKey.put(HexFormat.of().formatHex(key), file);
            if (same != null) {
                throw new IllegalArgumentException("%s and %s are the same file, or have the same id; name it once"
                        .formatted(same.path(), file.path()));
            }
        }
        IngestTally tally = new IngestTally(listener, totalBytes);
        try (IngestProgressTopic progress = new IngestProgressTopic(
                options.target().bootstrapServers(),
                options.target().properties(),
                options.progressTopic(),
                byKey.keySet())) {
            List<Callable<FileResult>> tasks = new ArrayList<>();
            byKey.forEach((key, file) -> tasks.add(() -> runOrFail(key, file, progress, tally)));
            return sum(inParallel(tasks, tally));
        }
    }

    private static Result sum(List<FileResult> files) {
        long edges = files.stream().mapToLong(FileResult::edges).sum();
        long rejected = files.stream().mapToLong(FileResult::rejected).sum();
        return new Result(edges, rejected, List.copyOf(files));
    }

    private List<FileResult> inParallel(List<Callable<FileResult>> tasks, IngestTally tally) throws IOException {
        ExecutorService threads = Executors.newFixedThreadPool(Math.max(1, Math.min(options.threads(), tasks.size())));
        List<FileResult> results = new ArrayList<>();
        try {
            for (Future<FileResult> done : threads.invokeAll(tasks)) {
                results.add(done.get());
            }
            return results;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new BrokerException(
                    "interrupted while writing to topic " + options.target().topic(), e);
        } catch (ExecutionException e) {
            throw tally.rethrow(e);
        } finally {
            threads.shutdownNow();
        }
    }

    private FileResult runOrFail(String key, IngestFile file, IngestProgressTopic progress, IngestTally tally)
            throws IOException {
        tally.checkGoesOn();
        try {
            return run(key, file, progress, tally);
        } catch (IOException | RuntimeException | Error e) {
            tally.fail(e);
            throw e;
        }
    }

    private FileResult run(String key, IngestFile file, IngestProgressTopic progress, IngestTally tally)
            throws IOException {
        FileStamp stamp = FileStamp.of(List.of(file.path()));
        if (!options.restart()) {
            // A finished file needs no producer.
            IngestProgress known = committed(key, file, stamp, progress);
            if (known.isFinished()) {
                return skipped(file, known, tally);
            }
        }
        try (FileTransfer transfer =
                new FileTransfer(options, file, HexFormat.of().parseHex(key), stamp, rate)) {
            transfer.takeOver();
            if (options.restart()) {
                transfer.restart();
            }
            IngestProgress from = committed(key, file, stamp, progress);
            if (from.isFinished()) {
                return skipped(file, from, tally);
            }
            if (!from.position().equals(EdgeFilePosition.START)) {
                tally.note("%s: resumes after its first %s".formatted(file.path(), Counted.of(from.edges(), "edge")));
            }
            return transfer.write(from, opener, tally);
        }
    }

    private static IngestProgress committed(String key, IngestFile file, FileStamp stamp, IngestProgressTopic progress)
            throws IOException {
        IngestProgress committed = progress.read(key).orElse(IngestProgress.none(stamp));
        // An id declares that it is the same file, even if it was copied elsewhere.
        Optional<String> difference = stamp.differsFrom(committed.file(), file.id() == null);
        if (difference.isPresent()) {
            throw new IOException("%s %s; %s, or restart it to write all of it again"
                    .formatted(
                            file.path(),
                            difference.get(),
                            file.id() == null ? "give a new file another name" : "give another id than " + file.id()));
        }
        return committed;
    }

    private static FileResult skipped(IngestFile file, IngestProgress finished, IngestTally tally) {
        tally.add(0, finished.file().bytes());
        tally.note("%s is skipped: the topic has its %s; give --restart to write them again"
                .formatted(file.path(), Counted.of(finished.edges(), "edge")));
        return new FileResult(file.path(), 0, 0, finished.edges(), true);
    }
}
