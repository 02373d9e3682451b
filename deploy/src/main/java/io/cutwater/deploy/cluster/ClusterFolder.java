package io.cutwater.deploy.cluster;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/** Where everything of a local cluster lies. */
record ClusterFolder(Path root) {
    ClusterFolder(Path root) {
        this.root = root.toAbsolutePath().normalize();
    }

    void create() throws IOException {
        for (Path folder : new Path[] {configuration(), pids(), logs(), checkpoints(), savepoints(), jobs()}) {
            Files.createDirectories(folder);
        }
    }

    /** Whoever reads the file meanwhile sees all of the old content, or all of the new one. */
    static void replace(Path file, String content) throws IOException {
        Path written = file.resolveSibling(file.getFileName() + ".tmp");
        Files.writeString(written, content);
        Files.move(written, file, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
    }

    Path settings() {
        return root.resolve("cluster.json");
    }

    /** Held while a command changes the cluster. */
    Path lock() {
        return root.resolve("lock");
    }

    Path configuration() {
        return root.resolve("conf");
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

    /** One file for each job that was submitted from here. */
    Path jobs() {
        return root.resolve("jobs");
    }

    /** Where a process keeps what nobody needs after its end. */
    Path temporary(String process) {
        return root.resolve("tmp").resolve(process);
    }
}
