package io.cutwater.flink.job;

import io.cutwater.kafka.embedded.EmbeddedBroker;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.flink.util.FileUtils;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** A real broker for all tests of a class. */
final class BrokerExtension implements BeforeAllCallback, AfterAllCallback {
    private @Nullable Path folder;
    private @Nullable EmbeddedBroker broker;

    @Override
    public void beforeAll(ExtensionContext context) throws Exception {
        folder = Files.createTempDirectory("broker");
        broker = EmbeddedBroker.start(folder);
    }

    String bootstrapServers() {
        if (broker == null) {
            throw new IllegalStateException("the broker runs while tests do");
        }
        return broker.bootstrapServers();
    }

    @Override
    public void afterAll(ExtensionContext context) throws IOException {
        if (broker != null) {
            broker.close();
        }
        if (folder != null) {
            FileUtils.deleteDirectory(folder.toFile());
        }
    }
}
