package io.cutwater.trainer.torch;

import ai.djl.Device;
import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.types.DataType;

/** Numbers on their way back from a device. */
public final class Floats {
    private Floats() {}

    /** All numbers of an array, row by row; a copy. From a GPU it waits for all that is under way there. */
    public static float[] of(NDArray array) {
        if (array.getDevice().isGpu()) {
            NDArray here = array.toDevice(Device.cpu(), false);
            // DJL makes a manager for each such copy, and both would live as long as that of the array.
            try (NDManager ofCopy = here.getManager()) {
                return of(here);
            }
        }
        if (array.getDataType() == DataType.FLOAT32) {
            return array.toFloatArray();
        }
        try (NDArray single = array.toType(DataType.FLOAT32, false)) {
            return single.toFloatArray();
        }
    }
}
