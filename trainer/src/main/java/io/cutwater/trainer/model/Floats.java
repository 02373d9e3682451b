package io.cutwater.trainer.model;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.types.DataType;

/** Numbers on their way back from a device. */
public final class Floats {
    private Floats() {}

    /** All numbers of an array, row by row; a copy. */
    public static float[] of(NDArray array) {
        if (array.getDataType() == DataType.FLOAT32) {
            return array.toFloatArray();
        }
        try (NDArray single = array.toType(DataType.FLOAT32, false)) {
            return single.toFloatArray();
        }
    }
}
