package io.cutwater.trainer.torch;

import ai.djl.Device;
import ai.djl.util.cuda.CudaUtils;
import com.sun.management.OperatingSystemMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;

/** Memory of a device that this process trains on. */
public final class DeviceMemory {
    private static final Path STATUS = Path.of("/proc/self/status");
    private static final String RESIDENT = "VmRSS:";

    private final Device device;

    private DeviceMemory(Device device) {
        this.device = device;
    }

    /**
     * Returns the memories of devices.
     *
     * @param name {@code cpu}, {@code gpu} for all GPUs, or {@code gpu:N}
     * @throws IllegalArgumentException if there is no such device; the message is meant for users
     */
    public static List<DeviceMemory> of(String name) {
        Device first = Torch.device(name);
        if (!first.isGpu()) {
            return List.of(new DeviceMemory(first));
        }
        int from = first.getDeviceId();
        return IntStream.range(from, from + Torch.threads(name))
                .mapToObj(gpu -> new DeviceMemory(Device.gpu(gpu)))
                .toList();
    }

    /** Returns {@code cpu} or {@code gpu:N}. */
    public String name() {
        return device.isGpu() ? "gpu:" + device.getDeviceId() : "cpu";
    }

    /** Returns the bytes in use: of a GPU by all processes, of the machine the resident memory of this process. */
    public long usedBytes() {
        return device.isGpu() ? CudaUtils.getGpuMemory(device).getCommitted() : residentBytes();
    }

    /** Returns the bytes that the device has. */
    public long limitBytes() {
        return device.isGpu()
                ? CudaUtils.getGpuMemory(device).getMax()
                : ((OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean()).getTotalMemorySize();
    }

    /** Training needs Linux, which has this file. */
    private static long residentBytes() {
        try {
            String line = Files.readAllLines(STATUS).stream()
                    .filter(row -> row.startsWith(RESIDENT))
                    .findFirst()
                    .orElseThrow(() -> new IllegalStateException(STATUS + " has no " + RESIDENT));
            String kilobytes = line.substring(RESIDENT.length(), line.length() - "kB".length());
            return Long.parseLong(kilobytes.strip()) * 1024;
        } catch (IOException e) {
            throw new IllegalStateException(STATUS + " cannot be read: " + e.getMessage(), e);
        }
    }
}
