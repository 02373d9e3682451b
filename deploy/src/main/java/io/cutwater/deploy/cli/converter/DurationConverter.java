package io.cutwater.deploy.cli.converter;

import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** A time as {@code 500ms}, {@code 10s}, {@code 2m} or {@code 1h}; a bare number is seconds. */
public final class DurationConverter implements ITypeConverter<Duration> {
    private static final Pattern DURATION = Pattern.compile("([0-9]{1,9})(ms|s|m|h|)");

    @Override
    public Duration convert(String value) {
        Matcher matcher = DURATION.matcher(value);
        if (!matcher.matches()) {
            throw new TypeConversionException("'" + value + "' is not a time; write a number with ms, s, m or h");
        }
        ChronoUnit unit = switch (matcher.group(2)) {
            case "ms" -> ChronoUnit.MILLIS;
            case "m" -> ChronoUnit.MINUTES;
            case "h" -> ChronoUnit.HOURS;
            default -> ChronoUnit.SECONDS;
        };
        return Duration.of(Long.parseLong(matcher.group(1)), unit);
    }
}
