package io.cutwater.kafka.field;

import java.io.Serializable;
import org.jspecify.annotations.Nullable;

/** How the bytes of records hold their fields. */
public interface FieldEncoding extends Serializable {
    /**
     * Creates a reader of values.
     *
     * @param tree complete
     */
    FieldReader values(FieldTree tree);

    /**
     * Creates a reader of keys; null if the fields of keys are not known.
     *
     * @param tree complete
     */
    @Nullable FieldReader keys(FieldTree tree);

    /** Returns the fields that values of a topic have; null if that is not known, or if they may have others. */
    @Nullable FieldSchema schema(String topic);
}
