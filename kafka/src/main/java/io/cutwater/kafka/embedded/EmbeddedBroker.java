package io.cutwater.kafka.embedded;

import io.cutwater.state.scratch.LockFile;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import kafka.server.KafkaConfig;
import kafka.server.KafkaRaftServer;
import org.apache.kafka.common.utils.Exit;
import org.apache.kafka.common.utils.Time;
import org.jspecify.annotations.Nullable;

/**
 * A Kafka broker in this process that is its own controller, on free ports of the loopback interface. Its data are in a
 * folder and survive a restart; its ports change with each start.
 */
public final class EmbeddedBroker implements AutoCloseable {
    private static final int START_ATTEMPTS = 3;

    static {
        // A broker with a fatal fault ends its process; this process has other work to finish or to fail properly.
        Exit.setExitProcedure(EmbeddedBroker::failInsteadOfExit);
        Exit.setHaltProcedure(EmbeddedBroker::failInsteadOfExit);
    }

    private final KafkaRaftServer server;
    private final String bootstrapServers;
    private final LockFile lock;

    private EmbeddedBroker(KafkaRaftServer server, String bootstrapServers, LockFile lock) {
        this.server = server;
        this.bootstrapServers = bootstrapServers;
        this.lock = lock;
    }

    /**
     * Starts a broker and returns once it accepts requests.
     *
     * @param folder created and formatted unless a broker has used it before
     * @throws IOException if the folder cannot be written, or another broker runs in it; the message is meant for users
     */
    public static EmbeddedBroker start(Path folder) throws IOException {
        Path log = Files.createDirectories(folder.resolve("log")).toAbsolutePath();
        LockFile lock = lock(folder);
        try {
            BrokerFolder.format(log);
            for (int attempt = 1; ; attempt++) {
                int[] ports = freePorts();
                try {
                    KafkaRaftServer server = start(log, ports[0], ports[1]);
                    return new EmbeddedBroker(server, BrokerFolder.LOOPBACK + ":" + ports[0], lock);
                } catch (RuntimeException e) {
                    // Another process may take the port after it was found free and before the broker binds it.
                    if (attempt == START_ATTEMPTS) {
                        throw new IOException(
                                "cannot start a Kafka broker in %s: %s".formatted(folder, e.getMessage()), e);
                    }
                }
            }
        } catch (IOException | RuntimeException e) {
            lock.close();
            throw e;
        }
    }

    /**
     * Starts a broker at the address of an earlier one, where its clients expect it.
     *
     * @param folder as {@link #start(Path)} takes it
     * @param port a free port of the loopback interface
     * @throws IOException as {@link #start(Path)} does, and if the port is taken
     */
    public static EmbeddedBroker start(Path folder, int port) throws IOException {
        Path log = Files.createDirectories(folder.resolve("log")).toAbsolutePath();
        LockFile lock = lock(folder);
        try {
            BrokerFolder.format(log);
            KafkaRaftServer server = start(log, port, freePorts()[0]);
            return new EmbeddedBroker(server, BrokerFolder.LOOPBACK + ":" + port, lock);
        } catch (IOException | RuntimeException e) {
            lock.close();
            throw new IOException(
                    "cannot start a Kafka broker at port %d in %s: %s".formatted(port, folder, e.getMessage()), e);
        }
    }

    static KafkaRaftServer start(Path log, int brokerPort, int controllerPort) {
        KafkaRaftServer server = new KafkaRaftServer(
                KafkaConfig.fromProps(BrokerFolder.settings(log, brokerPort, controllerPort), false), Time.SYSTEM);
        try {
            server.startup();
            return server;
        } catch (RuntimeException e) {
            server.shutdown();
            server.awaitShutdown();
            throw e;
        }
    }

    // Kafka's own lock comes too late: a second controller would write to the first one's log before the broker
    // notices.
    private static LockFile lock(Path folder) throws IOException {
        LockFile lock = LockFile.tryLock(folder.resolve("lock"));
        if (lock == null) {
            throw new IOException(
                    "another embedded Kafka broker runs in %s; stop it, or choose another folder".formatted(folder));
        }
        return lock;
    }

    /** {@code host:port}. */
    public String bootstrapServers() {
        return bootstrapServers;
    }

    /** Shuts the broker down and waits for it; the folder stays. */
    @Override
    public void close() throws IOException {
        try (lock) {
            server.shutdown();
            server.awaitShutdown();
        }
    }

    private static void failInsteadOfExit(int status, @Nullable String message) {
        throw new IllegalStateException("the embedded Kafka broker stopped after a fatal error (status %d): %s"
                .formatted(status, message == null ? "its log has the cause" : message));
    }

    private static int[] freePorts() throws IOException {
        InetAddress loopback = InetAddress.getByAddress(new byte[] {127, 0, 0, 1});
        // Both at once: two separate calls could return the same port.
        try (ServerSocket first = new ServerSocket(0, 1, loopback);
                ServerSocket second = new ServerSocket(0, 1, loopback)) {
            return new int[] {first.getLocalPort(), second.getLocalPort()};
        }
    }
}
