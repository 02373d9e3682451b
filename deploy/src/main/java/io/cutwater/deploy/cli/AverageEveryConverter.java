package io.cutwater.deploy.cli;

import io.cutwater.trainer.averaging.AverageEvery;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** How often to average, as {@link AverageEvery#of} reads it. */
final class AverageEveryConverter implements ITypeConverter<AverageEvery> {
    @Override
    public AverageEvery convert(String value) {
        try {
            return AverageEvery.of(value);
        } catch (IllegalArgumentException e) {
            throw new TypeConversionException(e.getMessage());
        }
    }
}
