package io.cutwater.trainer.torch;

import ai.djl.Device;
import ai.djl.engine.Engine;
import ai.djl.engine.EngineException;
import ai.djl.pytorch.jni.JniUtils;
import ai.djl.util.Utils;
import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** PyTorch's native library, loaded once for the process from a jar of the class path; nothing is downloaded. */
public final class Torch {
    private static final String ENGINE = "PyTorch";
    private static final String CPU = "cpu";
    private static final String GPU = "gpu";

    private static volatile @Nullable Engine engine;
    private static volatile boolean hasCuda;

    private Torch() {}

    /**
     * Loads the library if nobody has yet. The first time on a machine it is unpacked, 430 MB, into the folder that the
     * system property {@code DJL_CACHE_DIR} names, {@code ~/.djl.ai} by default; with that for GPUs it is 4 GB.
     *
     * @throws IllegalStateException with a sentence, if there is none for this machine
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
        // DJL asks a web address at its start whether it runs in a cloud.
        setUnlessGiven("OPT_OUT_TRACKING", "true");
        // Each worker computes in one thread; more per operation only spin against each other.
        setUnlessGiven("ai.djl.pytorch.num_threads", "1");
        try {
            ClassLoader loader = Torch.class.getClassLoader();
            CudaRuntime cuda = CudaRuntime.find(loader);
            if (cuda != null) {
                Path folder = cuda.unpack(loader, Utils.getEngineCacheDir("pytorch"));
                setUnlessGiven("jna.library.path", folder.toString());
                hasCuda = true;
            }
            return Engine.getEngine(ENGINE);
        } catch (EngineException | IOException e) {
            throw new IllegalStateException(
                    "PyTorch cannot be loaded for %s on %s (%s); Cutwater brings it for Linux on x86-64"
                            .formatted(System.getProperty("os.name"), System.getProperty("os.arch"), e.getMessage()),
                    e);
        }
    }

    /**
     * The device of that name; for {@code gpu} the first of them.
     *
     * @param name {@code cpu}, {@code gpu} or {@code gpu:N}
     * @throws IllegalArgumentException with a sentence, if there is none
     */
    public static Device device(String name) {
        return device(name, 0);
    }

    /**
     * The device that a shard is computed on; {@code gpu} deals shards out to all GPUs in turn.
     *
     * @param name {@code cpu}, {@code gpu} or {@code gpu:N}
     * @throws IllegalArgumentException with a sentence, if there is none
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
                ? "PyTorch sees no GPU here; take cpu, or see whether nvidia-smi shows one, and a driver that is new enough"
                : "this build computes on the CPU only; take cpu, or build with CUTWATER_CUDA=yes"
                        + " (see deploy/docs/how-to/train-on-gpus.md)";
    }

    /** The number of the GPU that a shard is computed on, which need not be there. */
    static int gpu(String name, int shard, int gpus) {
        return name.equals(GPU) ? shard % Math.max(1, gpus) : Integer.parseInt(name.substring(GPU.length() + 1));
    }

    /**
     * How many threads compute best at the same time: one for each processor or GPU.
     *
     * @param name of a device that {@link #device} finds
     */
    public static int threads(String name) {
        return switch (name) {
            case CPU -> Runtime.getRuntime().availableProcessors();
            case GPU -> Math.max(1, load().getGpuCount());
            default -> 1;
        };
    }

    /** Whether operations of this thread are recorded for gradients, from now on. */
    public static void recordGradients(boolean records) {
        load();
        // DJL's own collector of gradients is one for the whole process, and workers are threads of one.
        JniUtils.setGradMode(records);
    }

    private static void setUnlessGiven(String property, String value) {
        if (System.getProperty(property) == null) {
            System.setProperty(property, value);
        }
    }
}
