package io.cutwater.deploy.page.state;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.cutwater.kafka.client.DeadLetterRecords;
import io.cutwater.kafka.reader.FollowedRecord;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Pattern;

/** The dead letters that were read: their number by reason, and the last of them. Not thread-safe. */
final class DeadLetters {
    private static final int LAST = 20;
    private static final int REASONS = 50;
    private static final int SHOWN = 120;
    /** What differs between letters of one reason: values in quotes, and numbers. */
    private static final Pattern DETAIL = Pattern.compile("'[^']*'|-?\\d+(?:[.,]\\d+)*");

    private final Map<String, Long> byReason = new LinkedHashMap<>();
    private final Deque<FollowedRecord> last = new ArrayDeque<>();
    private long count;

    void add(FollowedRecord letter) {
        count++;
        String reason = DETAIL.matcher(reason(letter)).replaceAll("…");
        byReason.merge(
                byReason.size() < REASONS || byReason.containsKey(reason) ? reason : "other reasons", 1L, Long::sum);
        last.addLast(letter);
        if (last.size() > LAST) {
            last.removeFirst();
        }
    }

    private static String reason(FollowedRecord letter) {
        return letter.headers().getOrDefault(DeadLetterRecords.REASON, "unknown reason");
    }

    /** Writes them into a tree, the most frequent reason and the newest letter first. */
    ObjectNode put(ObjectNode tree) {
        tree.put("count", count);
        ArrayNode reasons = tree.putArray("reasons");
        byReason.entrySet().stream()
                .sorted(Map.Entry.comparingByValue(Comparator.reverseOrder()))
                .forEach(entry ->
                        reasons.addObject().put("reason", entry.getKey()).put("count", entry.getValue()));
        ArrayNode newest = tree.putArray("last");
        for (Iterator<FollowedRecord> letters = last.descendingIterator(); letters.hasNext(); ) {
            FollowedRecord letter = letters.next();
            newest.addObject()
                    .put("time", letter.time())
                    .put("reason", reason(letter))
                    .put("topic", letter.headers().getOrDefault(DeadLetterRecords.TOPIC, ""))
                    .put("partition", letter.headers().getOrDefault(DeadLetterRecords.PARTITION, ""))
                    .put("offset", letter.headers().getOrDefault(DeadLetterRecords.OFFSET, ""))
                    .put("value", text(letter));
        }
        return tree;
    }

    private static String text(FollowedRecord letter) {
        byte[] value = letter.value() == null ? new byte[0] : letter.value();
        String text = new String(value, 0, Math.min(value.length, SHOWN), StandardCharsets.UTF_8);
        return text.replaceAll("[\\p{Cntrl}\\uFFFD]", "·") + (value.length > SHOWN ? "…" : "");
    }
}
