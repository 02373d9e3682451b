package io.cutwater.trainer.torch;

import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Arrays;
import java.util.Collections;
import java.util.Properties;
import org.jspecify.annotations.Nullable;

/**
 * The CUDA runtime in the jar of PyTorch for GPUs. DJL counts GPUs with the {@code libcudart} of the operating system,
 * and ignores the one in the jar if that is missing or of another version, as on a machine that has only NVIDIA's
 * driver.
 *
 * @param name name of the resource
 * @param flavor flavor of the jar, such as {@code cu124}
 */
record CudaRuntime(String name, String flavor) {
    /** Name of the library that DJL asks the operating system for. */
    private static final String LIBRARY = "libcudart.so";

    /** Finds the runtime on the class path; null if this build has no PyTorch for GPUs. */
    static @Nullable CudaRuntime find(ClassLoader loader) throws IOException {
        for (URL jar : Collections.list(loader.getResources("native/lib/pytorch.properties"))) {
            Properties properties = new Properties();
            try (InputStream in = jar.openStream()) {
                properties.load(in);
            }
            String flavor = properties.getProperty("flavor", "");
            String[] libraries = properties.getProperty("libraries", "").split(",");
            String library = Arrays.stream(libraries)
                    .filter(name -> name.startsWith("libcudart"))
                    .findFirst()
                    .orElse(null);
            if (flavor.startsWith("cu") && library != null) {
                String folder = "pytorch/" + flavor + "/" + properties.getProperty("classifier") + "/";
                return new CudaRuntime(folder + library, flavor);
            }
        }
        return null;
    }

    /**
     * Copies the runtime out of the jar, unless it was copied before.
     *
     * @param cache folder into which DJL unpacks PyTorch
     * @return the folder with the runtime, under the name that DJL asks for
     */
    Path unpack(ClassLoader loader, Path cache) throws IOException {
        Path folder = cache.resolve("cudart-" + flavor);
        Path library = folder.resolve(LIBRARY);
        if (!Files.exists(library)) {
            Files.createDirectories(folder);
            Path part = Files.createTempFile(folder, LIBRARY, ".part");
            try (InputStream in = loader.getResourceAsStream(name)) {
                if (in == null) {
                    throw new IOException("the jar of PyTorch for %s lacks %s, which it lists".formatted(flavor, name));
                }
                Files.copy(in, part, StandardCopyOption.REPLACE_EXISTING);
                // Atomic, because another process may do the same at the same time.
                Files.move(part, library, StandardCopyOption.ATOMIC_MOVE);
            } finally {
                Files.deleteIfExists(part);
            }
        }
        return folder;
    }
}
