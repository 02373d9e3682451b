package io.cutwater.deploy.cli.converter;

import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Edges per second as {@code 20000} or {@code 20000/s}, at least 1. */
public final class RateConverter implements ITypeConverter<Long> {
    @Override
    public Long convert(String value) {
        String number = value.endsWith("/s") ? value.substring(0, value.length() - 2) : value;
        if (!number.matches("[0-9]{1,18}") || Long.parseLong(number) < 1) {
            throw new TypeConversionException("'" + value + "' is not a rate; write edges per second, such as 20000/s");
        }
        return Long.parseLong(number);
    }
}
