package io.cutwater.deploy.cli.converter;

import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** A share as {@code 5%} or {@code 0.05}, above 0 and at most 1. */
public final class ShareConverter implements ITypeConverter<Double> {
    @Override
    public Double convert(String value) {
        try {
            double share = value.endsWith("%")
                    ? Double.parseDouble(value.substring(0, value.length() - 1)) / 100
                    : Double.parseDouble(value);
            if (share > 0 && share <= 1) {
                return share;
            }
        } catch (NumberFormatException e) {
            // reported below, like a number that is out of range
        }
        throw new TypeConversionException("'" + value + "' is not a share; write 5% or 0.05, above 0 and at most 1");
    }
}
