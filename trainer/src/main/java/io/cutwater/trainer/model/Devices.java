package io.cutwater.trainer.model;

import ai.djl.Device;
import ai.djl.engine.Engine;
import ai.djl.util.cuda.CudaUtils;
import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;

/**
 * What there is to compute on: the GPUs that PyTorch sees, or, where it sees none, this machine's processors as one.
 *
 * @param count at least 1
 * @param bytes memory of the smallest of them, or of the machine
 */
public record Devices(int count, long bytes) {
    /** Asks PyTorch, which is loaded for that, and the devices. */
    public static Devices ask() {
        Engine engine = Torch.load();
        int gpus = engine.getGpuCount();
        if (gpus == 0) {
            OperatingSystemMXBean system = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
            return new Devices(1, system.getTotalMemorySize());
        }
        long bytes = Long.MAX_VALUE;
        for (int gpu = 0; gpu < gpus; gpu++) {
            bytes = Math.min(bytes, CudaUtils.getGpuMemory(Device.gpu(gpu)).getMax());
        }
        return new Devices(gpus, bytes);
    }
}
