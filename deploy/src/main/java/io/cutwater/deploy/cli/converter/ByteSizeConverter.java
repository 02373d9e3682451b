package io.cutwater.deploy.cli.converter;

import io.cutwater.flink.job.option.OptionText;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** A size in bytes as {@link OptionText#bytes} reads it. */
public final class ByteSizeConverter implements ITypeConverter<Long> {
    @Override
    public Long convert(String value) {
        try {
            return OptionText.bytes(value);
        } catch (IllegalArgumentException e) {
            throw new TypeConversionException(String.valueOf(e.getMessage()));
        }
    }
}
