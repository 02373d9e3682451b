package io.cutwater.deploy.cli.converter;

import io.cutwater.trainer.averaging.AverageEvery;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** An averaging interval as {@link AverageEvery#of} reads it. */
public final class AverageEveryConverter implements ITypeConverter<AverageEvery> {
    @Override
    public AverageEvery convert(String value) {
        try {
            return AverageEvery.of(value);
        } catch (IllegalArgumentException e) {
            throw new TypeConversionException(e.getMessage());
        }
    }
}
