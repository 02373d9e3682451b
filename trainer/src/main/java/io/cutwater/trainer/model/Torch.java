package io.cutwater.trainer.model;

import ai.djl.Device;
import ai.djl.engine.Engine;
import ai.djl.engine.EngineException;
import ai.djl.pytorch.jni.JniUtils;

/** PyTorch's native library, loaded once for the process from a jar of the class path; nothing is downloaded. */
public final class Torch {
    private static final String ENGINE = "PyTorch";

    private Torch() {}

    /**
     * Loads the library if nobody has yet. The first time on a machine it is unpacked, 430 MB, into the folder that the
     * system property {@code DJL_CACHE_DIR} names, {@code ~/.djl.ai} by default.
     *
     * @throws IllegalStateException with a sentence, if there is none for this machine
     */
    public static Engine load() {
        setUnlessGiven("ai.djl.offline", "true");
        // DJL asks a web address at its start whether it runs in a cloud.
        setUnlessGiven("OPT_OUT_TRACKING", "true");
        // Each worker computes in one thread; more per operation only spin against each other.
        setUnlessGiven("ai.djl.pytorch.num_threads", "1");
        try {
            return Engine.getEngine(ENGINE);
        } catch (EngineException e) {
            throw new IllegalStateException(
                    "PyTorch cannot be loaded for %s on %s (%s); Cutwater brings it for Linux on x86-64"
                            .formatted(System.getProperty("os.name"), System.getProperty("os.arch"), e.getMessage()),
                    e);
        }
    }

    /**
     * The device of that name.
     *
     * @param name {@code cpu}, or {@code gpu} for the first one, or {@code gpu:N}
     * @throws IllegalArgumentException with a sentence, if there is none
     */
    public static Device device(String name) {
        Engine engine = load();
        if (name.equals("cpu")) {
            return Device.cpu();
        }
        int number = name.equals("gpu") ? 0 : number(name);
        if (number >= engine.getGpuCount()) {
            throw new IllegalArgumentException(
                    "--device %s: PyTorch sees %d GPUs here; take cpu, or a build with CUDA (the trainer's README says how)"
                            .formatted(name, engine.getGpuCount()));
        }
        return Device.gpu(number);
    }

    private static int number(String name) {
        if (!name.matches("gpu:\\d{1,3}")) {
            throw new IllegalArgumentException("--device must be cpu, gpu or gpu:N: '%s'".formatted(name));
        }
        return Integer.parseInt(name.substring(name.indexOf(':') + 1));
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
