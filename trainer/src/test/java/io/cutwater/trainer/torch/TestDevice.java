package io.cutwater.trainer.torch;

import ai.djl.Device;

/** The device of numerical tests: a GPU, if there is one. */
public final class TestDevice {
    private TestDevice() {}

    public static Device get() {
        return Torch.device(Torch.load().getGpuCount() > 0 ? "gpu" : "cpu");
    }
}
