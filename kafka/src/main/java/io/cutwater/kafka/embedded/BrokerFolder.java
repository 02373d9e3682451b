package io.cutwater.kafka.embedded;

import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.Reader;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.Properties;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.metadata.storage.Formatter;
import org.apache.kafka.metadata.storage.FormatterException;

/** The folder and settings of the only broker of a cluster. */
public final class BrokerFolder {
    /** The class that runs a broker as a process; its argument is the file that {@link #prepare} returns. */
    public static final String MAIN_CLASS = "kafka.Kafka";

    static final String LOOPBACK = "127.0.0.1";

    private static final int NODE_ID = 1;
    private static final String CONTROLLER = "CONTROLLER";
    /** Kafka's file with the id of the folder's cluster. */
    private static final String FORMATTED = "meta.properties";

    private BrokerFolder() {}

    /**
     * Prepares a folder for a broker on this machine's loopback address, and keeps the data of an earlier broker.
     *
     * @param more settings that are added to ours, or override them
     * @return the settings file, for {@link #MAIN_CLASS}
     * @throws IOException if the folder cannot be written, or has other content; the message is meant for users
     */
    public static Path prepare(Path folder, int brokerPort, int controllerPort, Properties more) throws IOException {
        Path log = Files.createDirectories(folder.resolve("log")).toAbsolutePath();
        format(log);
        Path file = folder.resolve("server.properties");
        Properties settings = settings(log, brokerPort, controllerPort);
        settings.putAll(more);
        try (Writer writer = Files.newBufferedWriter(file)) {
            settings.store(writer, "Written at every start of the broker.");
        }
        return file;
    }

    /**
     * Returns the id of the Kafka cluster whose broker was prepared in a folder.
     *
     * @return empty if there is none yet
     */
    public static Optional<String> clusterId(Path folder) throws IOException {
        Path file = folder.resolve("log").resolve(FORMATTED);
        if (!Files.exists(file)) {
            return Optional.empty();
        }
        Properties properties = new Properties();
        try (Reader reader = Files.newBufferedReader(file)) {
            properties.load(reader);
        }
        return Optional.ofNullable(properties.getProperty("cluster.id"));
    }

    /** Formats a folder with a new cluster id, unless it is formatted. */
    static void format(Path log) throws IOException {
        if (Files.exists(log.resolve(FORMATTED))) {
            return;
        }
        Formatter formatter = new Formatter()
                .setPrintStream(new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8))
                .setNodeId(NODE_ID)
                .setClusterId(Uuid.randomUuid().toString())
                .setIgnoreFormatted(true)
                .setControllerListenerName(CONTROLLER)
                .setMetadataLogDirectory(log.toString())
                .addDirectory(log.toString());
        try {
            formatter.run();
        } catch (FormatterException e) {
            throw new IOException("cannot use %s as a Kafka broker's folder: %s".formatted(log, e.getMessage()), e);
        } catch (IOException | RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new IOException("cannot format %s as a Kafka broker's folder: %s".formatted(log, e.getMessage()), e);
        }
    }

    static Properties settings(Path log, int brokerPort, int controllerPort) {
        Properties settings = new Properties();
        settings.put("process.roles", "broker,controller");
        settings.put("node.id", Integer.toString(NODE_ID));
        settings.put("controller.quorum.voters", NODE_ID + "@" + LOOPBACK + ":" + controllerPort);
        settings.put(
                "listeners",
                "PLAINTEXT://%s:%d,%s://%s:%d".formatted(LOOPBACK, brokerPort, CONTROLLER, LOOPBACK, controllerPort));
        settings.put("listener.security.protocol.map", "PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT");
        settings.put("controller.listener.names", CONTROLLER);
        settings.put("inter.broker.listener.name", "PLAINTEXT");
        settings.put("log.dirs", log.toString());
        settings.put("auto.create.topics.enable", "false");
        settings.put("num.partitions", "4");
        oneBroker(settings);
        smallMemory(settings);
        return settings;
    }

    private static void oneBroker(Properties settings) {
        settings.put("default.replication.factor", "1");
        settings.put("min.insync.replicas", "1");
        settings.put("offsets.topic.replication.factor", "1");
        settings.put("offsets.topic.num.partitions", "4");
        settings.put("transaction.state.log.replication.factor", "1");
        settings.put("transaction.state.log.min.isr", "1");
        settings.put("transaction.state.log.num.partitions", "4");
        settings.put("share.coordinator.state.topic.replication.factor", "1");
        settings.put("share.coordinator.state.topic.min.isr", "1");
        settings.put("share.coordinator.state.topic.num.partitions", "1");
        settings.put("group.initial.rebalance.delay.ms", "0");
        // A job that died with its machine can commit its prepared transactions when it is resumed the next day.
        settings.put(
                "transaction.max.timeout.ms", Long.toString(Duration.ofHours(24).toMillis()));
        settings.put("transaction.abort.timed.out.transaction.cleanup.interval.ms", "1000");
    }

    private static void smallMemory(Properties settings) {
        settings.put("log.cleaner.threads", "1");
        settings.put("log.cleaner.dedupe.buffer.size", Integer.toString(4 << 20)); // 128 MiB by default
        settings.put("log.segment.bytes", Integer.toString(64 << 20));
        settings.put("log.index.size.max.bytes", Integer.toString(1 << 20));
        settings.put("offsets.topic.segment.bytes", Integer.toString(1 << 20));
        settings.put("transaction.state.log.segment.bytes", Integer.toString(1 << 20));
        settings.put("num.network.threads", "2");
        settings.put("num.io.threads", "2");
        settings.put("background.threads", "2");
        settings.put("num.recovery.threads.per.data.dir", "1");
    }
}
