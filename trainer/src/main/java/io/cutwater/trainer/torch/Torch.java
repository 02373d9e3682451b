package io.cutwater.trainer.torch;

import ai.djl.Device;
import ai.djl.engine.Engine;
import ai.djl.engine.EngineException;
import ai.djl.pytorch.jni.JniUtils;
import ai.djl.util.Utils;
import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Loads PyTorch's native library once per process, from a jar of the class path; downloads nothing. */
public final class Torch {
    private static final String ENGINE = "PyTorch";
    private static final String CPU = "cpu";
    private static final String GPU = "gpu";

    private static volatile @Nullable Engine engine;
    private static volatile boolean hasCuda;

    private Torch() {}

    /**
     * Loads the library if it is not loaded yet. The first load on a machine unpacks it (430 MB, for GPUs 4 GB) into
     * the folder of the system property {@code DJL_CACHE_DIR}, by default {@code ~/.djl.ai}.
     *
     * @throws IllegalStateException if there is no library for this machine; the message is meant for users
     */
    public static Engine load() {
        Engine there = engine;
        if (there == null) {
            there = loadFirst();
            engine = there;
        }
        return there;
    }

    private static Engine loadFirst() {
        setUnlessGiven("ai.djl.offline", "true");
        // At startup DJL asks a web address whether it runs in a cloud.
        setUnlessGiven("OPT_OUT_TRACKING", "true");
        // Each worker computes in one thread; more threads per operation spin against each other.
        setUnlessGiven("ai.djl.pytorch.num_threads", "1");
        try {
            ClassLoader loader = Torch.class.getClassLoader();
            String installed = Utils.getEnvOrSystemProperty("PYTORCH_LIBRARY_PATH");
            CudaRuntime cuda = CudaRuntime.find(loader);
            if (installed != null) {
                setUnlessGiven("jna.library.path", installed); // of CUDA's runtime, which DJL asks for GPUs
                hasCuda = String.valueOf(Utils.getEnvOrSystemProperty("PYTORCH_FLAVOR"))
                        .startsWith("cu");
            } else if (cuda != null) {
                Path folder = cuda.unpack(loader, Utils.getEngineCacheDir("pytorch"));
                setUnlessGiven("jna.library.path", folder.toString());
                hasCuda = true;
            }
            return Engine.getEngine(ENGINE);
        } catch (EngineException | IOException e) {
            Throwable root = e;
            while (root.getCause() != null) {
                root = root.getCause();
            }
            throw new IllegalStateException(
                    "PyTorch cannot be loaded for %s on %s (%s); %s"
                            .formatted(
                                    System.getProperty("os.name"),
                                    System.getProperty("os.arch"),
                                    root.getMessage(),
                                    remedy(root)),
                    e);
        }
    }

    private static String remedy(Throwable root) {
        String installed = Utils.getEnvOrSystemProperty("PYTORCH_LIBRARY_PATH");
        if (installed != null) {
            return "PYTORCH_LIBRARY_PATH is %s: run gpu-bridge again, or unset it".formatted(installed);
        }
        if (!isIncluded(System.getProperty("os.name"), System.getProperty("os.arch"))) {
            return "Cutwater includes it for Linux on x86-64 only";
        }
        Path folder = Utils.getEngineCacheDir("pytorch");
        return root instanceof UnsatisfiedLinkError
                ? "install what this file lacks, or delete %s, so that it is unpacked again".formatted(folder)
                : "it is unpacked into %s: DJL_CACHE_DIR must name a folder that can be written, with 430 MB of free space, for GPUs 4 GB"
                        .formatted(folder);
    }

    /** Returns whether Cutwater includes PyTorch for a system, with the names that Java uses. */
    public static boolean isIncluded(String system, String processor) {
        return system.equals("Linux") && (processor.equals("amd64") || processor.equals("x86_64"));
    }

    /** Returns the version of the library; loads it. */
    public static String version() {
        return load().getVersion();
    }

    /** Returns the number of GPUs that the library sees; loads it. */
    public static int gpuCount() {
        return load().getGpuCount();
    }

    /** Returns whether the library that {@link #load} loads, or has loaded, supports GPUs of NVIDIA. */
    public static boolean supportsGpus() {
        load();
        return hasCuda;
    }

    /**
     * Returns the device with a name; for {@code gpu} the first GPU.
     *
     * @param name {@code cpu}, {@code gpu} or {@code gpu:N}
     * @throws IllegalArgumentException if there is no such device; the message is meant for users
     */
    public static Device device(String name) {
        return device(name, 0);
    }

    /**
     * Returns the device of a shard; {@code gpu} distributes shards over all GPUs in turn.
     *
     * @param name {@code cpu}, {@code gpu} or {@code gpu:N}
     * @throws IllegalArgumentException if there is no such device; the message is meant for users
     */
    public static Device device(String name, int shard) {
        if (name.equals(CPU)) {
            return Device.cpu();
        }
        if (!name.equals(GPU) && !name.matches("gpu:\\d{1,3}")) {
            throw new IllegalArgumentException("--device must be cpu, gpu or gpu:N: '%s'".formatted(name));
        }
        int gpus = load().getGpuCount();
        int gpu = gpu(name, shard, gpus);
        if (gpu >= gpus) {
            throw new IllegalArgumentException("--device %s: %s".formatted(name, whyNot(gpus)));
        }
        return Device.gpu(gpu);
    }

    private static String whyNot(int gpus) {
        if (gpus > 0) {
            return "PyTorch sees %d GPUs here, and the last one is gpu:%d".formatted(gpus, gpus - 1);
        }
        return hasCuda
                ? "PyTorch sees no GPU here; use cpu, or check with nvidia-smi that there is a GPU with a recent driver"
                : "this build supports the CPU only; use cpu, or build with CUTWATER_CUDA=yes"
                        + " or use an installed PyTorch with gpu-bridge (see deploy/docs/how-to/train-on-gpus.md)";
    }

    /** Returns the number of the GPU for a shard; that GPU need not exist. */
    static int gpu(String name, int shard, int gpus) {
        return name.equals(GPU) ? shard % Math.max(1, gpus) : Integer.parseInt(name.substring(GPU.length() + 1));
    }

    /**
     * Returns the best number of concurrent threads: one per processor or GPU.
     *
     * @param name name of a device that {@link #device} finds
     */
    public static int threads(String name) {
        return switch (name) {
            case CPU -> Runtime.getRuntime().availableProcessors();
            case GPU -> Math.max(1, load().getGpuCount());
            default -> 1;
        };
    }

    /** Switches the recording of gradients on or off for operations of this thread. */
    public static void recordGradients(boolean records) {
        load();
        // DJL's own gradient collector is one per process, but workers are threads of one process.
        JniUtils.setGradMode(records);
        // PyTorch would compile its scripts anew for each shape, and mini-batches have many.
        JniUtils.setGraphExecutorOptimize(false);
    }

    private static void setUnlessGiven(String property, String value) {
        if (System.getProperty(property) == null) {
            System.setProperty(property, value);
        }
    }
}
