package io.cutwater.flink.connector.transaction.fate;

import io.cutwater.state.text.Counted;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.apache.flink.runtime.throwable.ThrowableAnnotation;
import org.apache.flink.runtime.throwable.ThrowableType;

/**
 * Thrown when records that the state counts as written are missing. A restart cannot help, so the job fails for good.
 */
@ThrowableAnnotation(ThrowableType.NonRecoverableError)
public final class LostTransactionException extends RuntimeException {
    private static final long serialVersionUID = 1;
    private static final int SHOWN = 8;
    private static final String ACCEPT =
            "resume with --accept-loss to continue without them, or submit the job again under another --topic-prefix";

    private LostTransactionException(String message) {
        super(message);
    }

    /** @param lost at least one */
    public static LostTransactionException of(List<PendingTransaction> lost, SinkTopic topic) {
        List<String> ids =
                lost.stream().map(PendingTransaction::transactionalId).toList();
        if (lost.stream().anyMatch(PendingTransaction::isKnownById)) {
            return new LostTransactionException(
                    "%s may lack records that the restored state counts as written: Kafka has not committed %s, and the state, which an earlier build wrote, does not say what was in it; %s"
                            .formatted(topic.name(), transactions(ids), ACCEPT));
        }
        return new LostTransactionException(
                "%s: Kafka aborted %s before it was committed; resume with --replay-lost to write them again, or with --accept-loss to continue without them"
                        .formatted(missing(lost, topic), transactions(ids)));
    }

    /** @param found how many of its records are still in the topic */
    public static LostTransactionException incomplete(PendingTransaction lost, SinkTopic topic, long found) {
        return new LostTransactionException(
                "%s, and only %d of these records are still in the topics, so --replay-lost cannot write all of them again; resume with --replay-lost and --accept-loss to continue without the others, or submit the job again under another --topic-prefix"
                        .formatted(missing(List.of(lost), topic), found));
    }

    private static String transactions(List<String> ids) {
        return ids.size() == 1
                ? "transaction " + ids.get(0)
                : "%d transactions, %s to %s".formatted(ids.size(), ids.get(0), ids.get(ids.size() - 1));
    }

    /** Describes the number of edges and records in {@code lost}, and their offsets, as one clause. */
    public static String missing(List<PendingTransaction> lost, SinkTopic topic) {
        long edges = lost.stream().mapToLong(PendingTransaction::edges).sum();
        long records = lost.stream().mapToLong(one -> one.offsets().count()).sum();
        TreeSet<String> topics = new TreeSet<>();
        lost.forEach(one -> topics.addAll(one.offsets().byTopic().keySet()));
        String where =
                topics.stream().map(name -> name + " " + span(lost, name)).collect(Collectors.joining(" and "));
        return "%s lacks %s%s that the restored state counts as written, by topic partition:offsets of %s"
                .formatted(
                        topic.name(),
                        topic.holdsEdges() ? Counted.of(edges, "edge") + " in " : "",
                        Counted.of(records, "record"),
                        where);
    }

    /** Formats ranges such as {@code 0:12-40,1:7-9}. */
    private static String span(List<PendingTransaction> lost, String topic) {
        Map<Integer, Long> begins = new TreeMap<>();
        Map<Integer, Long> ends = new TreeMap<>();
        for (PendingTransaction one : lost) {
            OffsetRanges offsets = one.offsets().byTopic().getOrDefault(topic, new OffsetRanges());
            offsets.begins().forEach((p, begin) -> begins.merge(p, begin, Math::min));
            offsets.ends().forEach((p, end) -> ends.merge(p, end, Math::max));
        }
        StringBuilder text = new StringBuilder();
        begins.keySet().stream()
                .limit(SHOWN)
                .forEach(p -> text.append(text.isEmpty() ? "" : ",")
                        .append("%d:%d-%d".formatted(p, begins.get(p), ends.getOrDefault(p, 0L) - 1)));
        return text.append(begins.size() > SHOWN ? ",…" : "").toString();
    }
}
