package io.cutwater.deploy.cluster;

import io.cutwater.deploy.cluster.rest.FlinkKey;
import io.cutwater.state.scratch.DurableFile;
import java.io.IOException;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Map;
import java.util.Properties;

/** Paths in the folder of a local cluster. */
public record ClusterFolder(Path root) {
    public ClusterFolder(Path root) {
        this.root = root.toAbsolutePath().normalize();
    }

    /**
     * Returns the folder that commands use if none is given: {@code CUTWATER_CLUSTER} of the environment, or
     * {@code .cutwater/cluster} in the user's home folder, which the launcher takes from {@code HOME}.
     */
    public static Path standard() {
        return standard(System.getenv(), System.getProperty("user.home"));
    }

    static Path standard(Map<String, String> environment, String userHome) {
        String folder = environment.getOrDefault("CUTWATER_CLUSTER", "");
        return folder.isBlank() ? Path.of(userHome, ".cutwater", "cluster") : Path.of(folder);
    }

    void create() throws IOException {
        Path parent = root.getParent();
        if (parent != null && parent.endsWith(".cutwater")) {
            OwnFolder.make(parent);
        }
        OwnFolder.make(root);
        for (Path folder : new Path[] {configuration(), pids(), logs(), checkpoints(), savepoints(), jobs()}) {
            Files.createDirectories(folder);
        }
    }

    /** Replaces a file; a reader sees all of the old content or all of the new one, also after a power failure. */
    public static void replace(Path file, String content) throws IOException {
        DurableFile.replace(file, out -> out.write(content.getBytes(StandardCharsets.UTF_8)));
    }

    /** Returns the folder where the Flink processes look for plugins. */
    Path plugins() {
        return root.resolve("plugins");
    }

    /** Makes a jar the plugin with the reporter of metrics; a running process keeps the one that it has opened. */
    void writePlugin(Path jar) throws IOException {
        Path plugin = Files.createDirectories(plugins().resolve("cutwater"));
        Files.copy(jar, plugin.resolve(String.valueOf(jar.getFileName())), StandardCopyOption.REPLACE_EXISTING);
    }

    Path settings() {
        return root.resolve("cluster.json");
    }

    /** Returns the lock that a command holds while it changes the cluster. */
    Path lock() {
        return root.resolve("lock");
    }

    Path configuration() {
        return root.resolve("conf");
    }

    /**
     * Reads settings of the user, which are added to ours or replace them, from {@code NAME.properties} in the
     * configuration folder.
     *
     * @return empty if there is no such file
     */
    Properties userSettings(String name) throws IOException {
        Properties settings = new Properties();
        Path file = configuration().resolve(name + ".properties");
        if (Files.exists(file)) {
            try (Reader reader = Files.newBufferedReader(file)) {
                settings.load(reader);
            } catch (IllegalArgumentException e) {
                throw new IOException("%s is not a properties file: %s".formatted(file, e.getMessage()), e);
            }
        }
        return settings;
    }

    /** Returns the key of the Flink processes; a cluster started by an earlier version has none. */
    FlinkKey key() {
        return new FlinkKey(root.resolve("key"));
    }

    Path pids() {
        return root.resolve("pids");
    }

    Path logs() {
        return root.resolve("logs");
    }

    Path broker() {
        return root.resolve("kafka");
    }

    Path checkpoints() {
        return root.resolve("checkpoints");
    }

    Path savepoints() {
        return root.resolve("savepoints");
    }

    /** Returns the folder with one file for each job that was submitted from here. */
    public Path jobs() {
        return root.resolve("jobs");
    }

    /** Returns the folder for files of a process that nobody needs after its end. */
    Path temporary(String process) {
        return root.resolve("tmp").resolve(process);
    }
}
