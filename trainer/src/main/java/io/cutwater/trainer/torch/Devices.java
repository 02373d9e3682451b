package io.cutwater.trainer.torch;

import ai.djl.Device;
import ai.djl.util.cuda.CudaUtils;
import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import org.jspecify.annotations.Nullable;

/**
 * What there is to compute on: GPUs that PyTorch sees, or this machine's processors as one.
 *
 * @param count at least 1
 * @param bytes memory of the smallest of them, or of the machine
 */
public record Devices(int count, long bytes) {
    /**
     * Asks PyTorch, which is loaded for that, and the devices.
     *
     * @param name {@code cpu}, or {@code gpu} for all GPUs, or {@code gpu:N}; null for all GPUs if there are any
     * @throws IllegalArgumentException with a sentence, if there is none of that name
     */
    public static Devices ask(@Nullable String name) {
        int gpus = Torch.load().getGpuCount();
        Device first = name == null && gpus == 0 ? Device.cpu() : Torch.device(name == null ? "gpu" : name);
        if (!first.isGpu()) {
            OperatingSystemMXBean system = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
            return new Devices(1, system.getTotalMemorySize());
        }
        int count = name == null ? gpus : Torch.threads(name);
        long bytes = Long.MAX_VALUE;
        for (int gpu = first.getDeviceId(); gpu < first.getDeviceId() + count; gpu++) {
            bytes = Math.min(bytes, CudaUtils.getGpuMemory(Device.gpu(gpu)).getMax());
        }
        return new Devices(count, bytes);
    }
}
