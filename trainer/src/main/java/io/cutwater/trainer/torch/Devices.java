package io.cutwater.trainer.torch;

import ai.djl.Device;
import ai.djl.util.cuda.CudaUtils;
import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryUsage;
import org.jspecify.annotations.Nullable;

/**
 * The available devices: GPUs that PyTorch sees, or the CPU of this machine as one device.
 *
 * @param count number of devices, at least 1
 * @param bytes memory of the smallest device, or of the machine
 */
public record Devices(int count, long bytes) {
    private static final int FEATURE_SHARE = 4;

    /**
     * Finds the devices; loads PyTorch for that.
     *
     * @param name {@code cpu}, {@code gpu} for all GPUs, or {@code gpu:N}; null for all GPUs if there are any
     * @throws IllegalArgumentException if there is no such device; the message is meant for users
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

    /**
     * Returns the bytes of features that a shard may leave on a device: a quarter of what a GPU has free, 0 on the CPU.
     */
    public static long roomForFeatures(Device device) {
        if (!device.isGpu()) {
            return 0;
        }
        MemoryUsage memory = CudaUtils.getGpuMemory(device);
        return Math.max(0, memory.getMax() - memory.getCommitted()) / FEATURE_SHARE;
    }
}
