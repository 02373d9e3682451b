package io.cutwater.deploy.page.state;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.cutwater.deploy.page.PageRequest;
import io.cutwater.format.json.ReportJson;
import io.cutwater.kafka.command.RepartitionStatusJson;
import io.cutwater.kafka.reader.FollowedRecord;
import io.cutwater.kafka.topic.Topics;
import io.cutwater.kafka.training.TrainingRound;
import io.cutwater.kafka.training.TrainingRoundJson;
import io.cutwater.state.repartition.live.RepartitionStatus;
import io.cutwater.state.text.Counted;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What the topics have said so far, in bounded memory. Thread-safe. */
public final class PageState {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int ROWS = 6_000;
    private static final int MARKS = 200;
    /** Seconds between the two reports that give the rate. */
    private static final double RATE_SECONDS = 5;

    private static final int EDGES = 4;
    private static final int PARTITIONS = 7;
    private static final double MILLIS = 1e3;

    private final PageRequest request;
    private final Topics topics;
    private final TimeSeries quality = new TimeSeries(
            ROWS, "time", "cost", "loadBalance", "vertexBalance", "edges", "edgesPerSecond", "delay", "partitions");
    private final TimeSeries hash = new TimeSeries(ROWS, "time", "cost");
    private final PageTraining training = new PageTraining(ROWS);
    private final Deque<ObjectNode> marks = new ArrayDeque<>();
    private final Map<String, RepartitionStatus> running = new HashMap<>();
    private final DeadLetters letters = new DeadLetters();
    private @Nullable ObjectNode report;
    private @Nullable JsonNode newest;
    private @Nullable ObjectNode plan;
    private double seconds;
    private double newestTime;
    private long unreadable;
    private String unreadableReason = "";
    private String problem = "";
    private boolean isLive;
    private long version = 1;

    public PageState(PageRequest request) {
        this.request = request;
        topics = request.topics();
    }

    /** Reads a record of any of the topics but the book; a malformed one is counted. */
    synchronized void accept(FollowedRecord record, long now) {
        byte[] value = record.value();
        try {
            if (value == null) {
                return;
            }
            if (record.topic().equals(topics.quality())) {
                takeQuality(JSON.readTree(value), record, now);
            } else if (record.topic().equals(topics.report())) {
                report = ReportJson.tree(ReportJson.read(value));
            } else if (record.topic().equals(topics.plans())) {
                takePlan(RepartitionStatusJson.read(value), record.time());
            } else if (record.topic().equals(topics.trainingRounds())) {
                takeRound(TrainingRoundJson.read(value), record.time() / MILLIS);
            } else {
                letters.add(record);
            }
        } catch (IOException | IllegalArgumentException e) {
            unreadable(record, String.valueOf(e.getMessage()));
        }
        changed();
    }

    /** Counts a malformed record. */
    synchronized void unreadable(FollowedRecord record, String reason) {
        unreadable++;
        unreadableReason = "topic %s, topic partition %d, offset %d cannot be read: %s"
                .formatted(record.topic(), record.topicPartition(), record.offset(), reason);
    }

    private void takeQuality(JsonNode now, FollowedRecord record, long readAt) {
        if (!now.path("edges").isIntegralNumber() || !now.path("partitions").isInt()) {
            throw new IllegalArgumentException("it is not a report");
        }
        double time = record.time() / MILLIS;
        int k = now.path("partitions").intValue();
        if (newest != null && now.path("seconds").doubleValue() < seconds) {
            mark(time, "restart", "the job restarted");
        }
        seconds = now.path("seconds").doubleValue();
        boolean isOfVertices = now.has("edgeCutRatio");
        double edges = now.path("edges").doubleValue();
        quality.add(
                time,
                number(now, isOfVertices ? "edgeCutRatio" : "replicationFactor"),
                number(now, isOfVertices ? "volumeBalance" : "edgeBalance"),
                number(now, "vertexBalance"),
                edges,
                rate(time, edges),
                isLive ? Math.max(0, readAt - record.time()) / MILLIS : Double.NaN,
                k);
        if (isOfVertices) {
            hash.add(time, 1 - 1.0 / k);
        }
        newest = now;
        newestTime = time;
    }

    private double rate(double time, double edges) {
        for (int row = 0; row < quality.size(); row++) {
            double span = time - quality.fromEnd(row, TimeSeries.TIME);
            if (span >= RATE_SECONDS) {
                return (edges - quality.fromEnd(row, EDGES)) / span;
            }
        }
        return Double.NaN;
    }

    private static double number(JsonNode report, String key) {
        return report.path(key).asDouble(Double.NaN);
    }

    private void takePlan(RepartitionStatus status, long time) {
        plan = RepartitionStatusJson.tree(status).put("time", time);
        if (!status.state().isOver()) {
            running.put(status.id(), status);
            return;
        }
        running.remove(status.id());
        if (status.generation() > 0
                && status.seconds() > 0
                && !status.expected().isEmpty()) {
            ObjectNode mark = mark(
                    time / MILLIS,
                    "plan",
                    "%s: %d to %s"
                            .formatted(
                                    status.state().label(),
                                    status.partitionsBefore(),
                                    Counted.of(status.partitions(), "partition")));
            ObjectNode expected = mark.putObject("expected");
            status.expected().forEach(expected::put);
            mark.put("state", status.state().label());
        }
    }

    private void takeRound(TrainingRound now, double time) {
        if (training.accept(now, time)) {
            mark(time, "merge", "the training merged new data: " + Counted.of(now.vertices(), "vertex"));
        }
    }

    private ObjectNode mark(double time, String kind, String text) {
        ObjectNode mark =
                JSON.createObjectNode().put("time", time).put("kind", kind).put("text", text);
        marks.addLast(mark);
        if (marks.size() > MARKS) {
            marks.removeFirst();
        }
        return mark;
    }

    /** Adds what a random placement of the edges would cost at a time, if the number of partitions is known. */
    synchronized void addRandomCost(double time, BookSample book) {
        double[] then = quality.at(time);
        if (then != null && newest != null && !newest.has("edgeCutRatio")) {
            hash.add(time, book.randomReplicationFactor((int) then[PARTITIONS]));
            changed();
        }
    }

    /** Notes a failure to read; empty if reading works again. */
    synchronized void setProblem(String problem) {
        if (!this.problem.equals(problem)) {
            this.problem = problem;
            changed();
        }
    }

    /** Marks everything that was written before the page began as read. */
    synchronized void setLive() {
        isLive = true;
    }

    /** Returns the number of partitions that the newest report names; 0 without one. */
    public synchronized int partitions() {
        return newest == null ? 0 : newest.path("partitions").intValue();
    }

    /** Returns whether the newest report is of a vertex partitioning. */
    public synchronized boolean isOfVertices() {
        return newest != null && newest.has("edgeCutRatio");
    }

    /** Returns the id of the re-partitioning that runs; empty for none. */
    synchronized String runningPlan() {
        return running.keySet().stream().findAny().orElse("");
    }

    private void changed() {
        version++;
        notifyAll();
    }

    /** Returns a number that grows with each change. */
    public synchronized long version() {
        return version;
    }

    /** Waits until the state is another than that of this version, at most the given time. */
    public synchronized void await(long known, long millis) throws InterruptedException {
        if (version == known) {
            wait(millis);
        }
    }

    /**
     * Returns everything but the series.
     *
     * @param now milliseconds since the epoch
     */
    public synchronized ObjectNode tree(long now) {
        double rate = quality.fromEnd(0, 5);
        double silence = now / MILLIS - newestTime;
        RepartitionStatus moving = running.values().stream().findAny().orElse(null);
        ObjectNode tree = JSON.createObjectNode()
                .put("now", now)
                .put("prefix", topics.prefix())
                .put("sentence", PageSentence.of(newest, rate, silence, moving, topics.prefix()))
                .put("problem", problem)
                .put("unreadable", unreadable)
                .put("unreadableReason", unreadableReason)
                .put("imbalance", request.imbalance());
        if (newest != null) {
            tree.put("freshness", silence).set("newest", newest);
            if (!Double.isNaN(rate)) {
                tree.put("edgesPerSecond", rate);
            }
        }
        if (report != null) {
            tree.set("report", report);
        }
        if (plan != null) {
            tree.set("plan", plan);
        }
        training.put(now / MILLIS, newest == null ? 0 : newest.path("vertices").longValue(), tree);
        ArrayNode all = tree.putArray("marks");
        marks.forEach(all::add);
        letters.put(tree.putObject("deadLetters"));
        return tree;
    }

    /**
     * Returns the rows of the series that a reader lacks, and where it stands then.
     *
     * @param cursor the {@code cursor} of an earlier answer of this process; all rows are returned for another one
     */
    public synchronized ObjectNode rows(Cursor cursor) {
        ObjectNode tree = JSON.createObjectNode().put("isWhole", cursor.equals(Cursor.BEGINNING));
        quality.putAfter(cursor.quality(), tree.putObject("quality"));
        hash.putAfter(cursor.hash(), tree.putObject("hash"));
        training.rounds().putAfter(cursor.rounds(), tree.putObject("rounds"));
        return tree;
    }

    /** Returns where a reader of all rows stands. */
    public synchronized Cursor cursor() {
        return new Cursor(quality.last(), hash.last(), training.rounds().last());
    }

    /** The numbers of the last rows that a reader has, by series. */
    public record Cursor(long quality, long hash, long rounds) {
        public static final Cursor BEGINNING = new Cursor(0, 0, 0);

        /** Reads what {@link #toString} wrote; the beginning if the text is another. */
        public static Cursor of(String text) {
            if (!text.matches("[0-9]{1,15}(-[0-9]{1,15}){2}")) {
                return BEGINNING;
            }
            String[] parts = text.split("-", -1);
            return new Cursor(Long.parseLong(parts[0]), Long.parseLong(parts[1]), Long.parseLong(parts[2]));
        }

        @Override
        public String toString() {
            return "%d-%d-%d".formatted(quality, hash, rounds);
        }
    }
}
