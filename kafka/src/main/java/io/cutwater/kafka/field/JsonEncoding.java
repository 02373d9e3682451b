package io.cutwater.kafka.field;

import org.jspecify.annotations.Nullable;

/**
 * Records are JSON objects.
 *
 * @param unwraps whether the fields may be in an object {@code payload}, see {@link JsonFieldReader}
 */
public record JsonEncoding(boolean unwraps) implements FieldEncoding {
    @Override
    public FieldReader values(FieldTree tree) {
        return new JsonFieldReader(tree, unwraps);
    }

    @Override
    public FieldReader keys(FieldTree tree) {
        return values(tree);
    }

    @Override
    public @Nullable FieldSchema schema(String topic) {
        return null;
    }
}
