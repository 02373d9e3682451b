package io.cutwater.trainer.torch;

import ai.djl.Device;
import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.types.DataType;

/** Copies arrays from a device. */
public final class Floats {
    private Floats() {}

    /** Returns the value of an array of one 64-bit float. On a GPU this waits for all operations in progress. */
    public static double number(NDArray array) {
        if (!array.getDevice().isGpu()) {
            return array.toDoubleArray()[0];
        }
        NDArray here = array.toDevice(Device.cpu(), false);
        try (NDManager ofCopy = here.getManager()) {
            return here.toDoubleArray()[0];
        }
    }

    /** Returns a copy of all values of an array, row by row. On a GPU this waits for all operations in progress. */
    public static float[] of(NDArray array) {
        if (array.getDevice().isGpu()) {
            NDArray here = array.toDevice(Device.cpu(), false);
            // DJL creates a manager for each such copy, and both would live as long as the array's manager.
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
