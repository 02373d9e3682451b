package io.cutwater.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * One Kafka broker for all tests of a class, in a folder of its own that is deleted afterwards. A test names the broker
 * that it wants: {@code new BrokerExtension<EmbeddedBroker>(EmbeddedBroker::start, EmbeddedBroker::bootstrapServers)}.
 *
 * @param <B> class of the broker
 */
public final class BrokerExtension<B extends AutoCloseable> implements BeforeAllCallback, AfterAllCallback {
    private final Start<B> start;
    private final Function<B, String> address;
    private @Nullable Path folder;
    private @Nullable B broker;

    /** Starts a broker. */
    @FunctionalInterface
    public interface Start<B> {
        /** @param folder for the data of the broker, empty */
        B in(Path folder) throws IOException;
    }

    /** @param address returns {@code host:port} of a broker */
    public BrokerExtension(Start<B> start, Function<B, String> address) {
        this.start = start;
        this.address = address;
    }

    @Override
    public void beforeAll(ExtensionContext context) throws IOException {
        folder = Files.createTempDirectory("broker");
        broker = start.in(folder);
    }

    /** The address of the broker, {@code host:port}. */
    public String bootstrapServers() {
        return address.apply(Objects.requireNonNull(broker, "the broker runs while tests do"));
    }

    @Override
    public void afterAll(ExtensionContext context) throws Exception {
        if (broker != null) {
            broker.close();
        }
        if (folder != null) {
            delete(folder);
        }
    }

    private static void delete(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            files.sorted(Comparator.reverseOrder()).forEach(file -> {
                try {
                    Files.delete(file);
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            });
        }
    }
}
