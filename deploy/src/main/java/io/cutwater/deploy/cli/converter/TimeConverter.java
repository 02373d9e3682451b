package io.cutwater.deploy.cli.converter;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * A point in time as {@code 2026-11-21T20:00:00Z}, with an offset such as {@code +01:00}, or in milliseconds since
 * 1970.
 */
public final class TimeConverter implements ITypeConverter<Instant> {
    @Override
    public Instant convert(String value) {
        if (value.matches("[0-9]{1,18}")) {
            return Instant.ofEpochMilli(Long.parseLong(value));
        }
        try {
            return OffsetDateTime.parse(value).toInstant();
        } catch (DateTimeException e) {
            throw new TypeConversionException(
                    "'%s' is not a time; write it as 2026-11-21T20:00:00Z, or in milliseconds since 1970"
                            .formatted(value));
        }
    }
}
