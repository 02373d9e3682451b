package io.cutwater.deploy.cli.converter;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Bytes as {@code 4096}, {@code 64k}, {@code 256m} or {@code 2g}; k is 1024. */
public final class ByteSizeConverter implements ITypeConverter<Long> {
    private static final Pattern SIZE = Pattern.compile("([0-9]{1,15})([kmg]?)b?");

    @Override
    public Long convert(String value) {
        Matcher matcher = SIZE.matcher(value.toLowerCase(Locale.ROOT));
        if (!matcher.matches()) {
            throw new TypeConversionException("'" + value + "' is not a size; write bytes, or a number with k, m or g");
        }
        int shift = matcher.group(2).isEmpty() ? 0 : 10 * (1 + "kmg".indexOf(matcher.group(2)));
        try {
            return Math.multiplyExact(Long.parseLong(matcher.group(1)), 1L << shift);
        } catch (ArithmeticException e) {
            throw new TypeConversionException("'" + value + "' is more than 2^63 bytes");
        }
    }
}
