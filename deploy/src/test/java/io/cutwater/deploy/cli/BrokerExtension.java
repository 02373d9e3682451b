package io.cutwater.deploy.cli;

import io.cutwater.deploy.local.TemporaryFolder;
import io.cutwater.kafka.embedded.EmbeddedBroker;
import java.io.IOException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** A real broker for all tests of a class. */
final class BrokerExtension implements BeforeAllCallback, AfterAllCallback {
    private @Nullable TemporaryFolder folder;
    private @Nullable EmbeddedBroker broker;

    @Override
    public void beforeAll(ExtensionContext context) throws Exception {
        folder = TemporaryFolder.create();
        broker = EmbeddedBroker.start(folder.path());
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
            folder.close();
        }
    }
}
