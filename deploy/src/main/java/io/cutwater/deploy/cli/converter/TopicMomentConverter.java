package io.cutwater.deploy.cli.converter;

import io.cutwater.deploy.input.TopicMoment;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Map;
import java.util.TreeMap;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * A position in a topic: {@code 0:1234,1:99}, {@code 2026-11-21T20:00:00Z} or {@code @1795291200000}. A bare number is
 * refused, because it could be an offset or a time.
 */
public final class TopicMomentConverter implements ITypeConverter<TopicMoment> {
    private static final String OFFSET = "[0-9]{1,6}:[0-9]{1,18}";

    @Override
    public TopicMoment convert(String value) {
        if (value.matches(OFFSET + "(," + OFFSET + ")*")) {
            return offsets(value);
        }
        if (value.matches("@[0-9]{1,18}")) {
            return new TopicMoment.AtTime(Instant.ofEpochMilli(Long.parseLong(value.substring(1))));
        }
        try {
            return new TopicMoment.AtTime(OffsetDateTime.parse(value).toInstant());
        } catch (DateTimeException e) {
            throw new TypeConversionException(
                    "'%s' is not a position in a topic; write TOPICPARTITION:OFFSET, several separated by commas, or a time as 2026-11-21T20:00:00Z or @MILLISECONDS since 1970"
                            .formatted(value));
        }
    }

    private static TopicMoment offsets(String value) {
        Map<Integer, Long> offsets = new TreeMap<>();
        for (String offset : value.split(",", -1)) {
            int colon = offset.indexOf(':');
            int topicPartition = Integer.parseInt(offset.substring(0, colon));
            if (offsets.put(topicPartition, Long.valueOf(offset.substring(colon + 1))) != null) {
                throw new TypeConversionException(
                        "'%s' names topic partition %d twice".formatted(value, topicPartition));
            }
        }
        return new TopicMoment.AtOffsets(offsets);
    }
}
