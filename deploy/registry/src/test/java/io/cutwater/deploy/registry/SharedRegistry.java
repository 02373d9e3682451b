package io.cutwater.deploy.registry;

import io.cutwater.testkit.RegistryProcess;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** One registry for the tests of all classes, which takes seconds to start. */
final class SharedRegistry {
    private static @Nullable RegistryProcess shared;

    private SharedRegistry() {}

    static synchronized RegistryProcess get() throws Exception {
        if (shared == null) {
            RegistryProcess started = RegistryProcess.start(
                    Path.of(System.getProperty("cutwater.registry")), Files.createTempDirectory("registry"));
            Runtime.getRuntime().addShutdownHook(new Thread(started::close));
            shared = started;
        }
        return shared;
    }
}
