package io.cutwater.deploy.faults.change;

import io.cutwater.testkit.FreePorts;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;

/**
 * A PostgreSQL server with an empty database, which logs what Debezium reads. The server does not run as root, so root
 * starts it as user {@value #OTHER_USER}, which Debian's package creates.
 */
final class PostgresServer implements AutoCloseable {
    static final String USER = "cutwater";
    static final String DATABASE = "postgres";

    private static final String OTHER_USER = "postgres";
    private static final Path DEBIAN = Path.of("/usr/lib/postgresql");
    private static final String SETTINGS =
            "-p %d -c listen_addresses=127.0.0.1 -c unix_socket_directories= -c wal_level=logical -c fsync=off"
                    + " -c max_replication_slots=100 -c max_wal_senders=100";

    private final Path programs;
    private final Path folder;
    private final int port;

    /** @throws IOException if PostgreSQL is not installed, or does not start */
    PostgresServer() throws IOException {
        programs = programs()
                .orElseThrow(() -> new IOException("PostgreSQL is not installed; install package postgresql"));
        folder =
                Path.of(run("", "mktemp", "-d", "/tmp/cutwater-postgres-XXXXXX").strip());
        port = FreePorts.find(1)[0];
        run("", program("initdb"), "-D", data(), "-U", USER, "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync");
        String log = folder.resolve("log").toString();
        run("", program("pg_ctl"), "-D", data(), "-l", log, "-w", "-o", SETTINGS.formatted(port), "start");
    }

    /** Returns the folder with the newest server's programs. */
    static Optional<Path> programs() throws IOException {
        List<Path> folders = new ArrayList<>();
        if (Files.isDirectory(DEBIAN)) {
            try (Stream<Path> versions = Files.list(DEBIAN)) {
                versions.sorted(Comparator.comparingInt(PostgresServer::version).reversed())
                        .map(version -> version.resolve("bin"))
                        .forEach(folders::add);
            }
        }
        for (String folder : System.getenv().getOrDefault("PATH", "").split(":", -1)) {
            folders.add(Path.of(folder));
        }
        return folders.stream()
                .filter(folder -> Files.isExecutable(folder.resolve("initdb")))
                .findFirst();
    }

    private static int version(Path folder) {
        String name = folder.getFileName().toString();
        return name.matches("[0-9]{1,4}") ? Integer.parseInt(name) : 0;
    }

    private String program(String name) {
        return programs.resolve(name).toString();
    }

    private String data() {
        return folder.resolve("data").toString();
    }

    int port() {
        return port;
    }

    /** Runs SQL; the first error ends it. */
    void execute(String sql) {
        query(sql);
    }

    /** Returns the rows of a query, their columns separated by a space. */
    List<String> query(String sql) {
        try {
            return run(
                            sql,
                            program("psql"),
                            "-h",
                            "127.0.0.1",
                            "-p",
                            Integer.toString(port),
                            "-U",
                            USER,
                            "-d",
                            DATABASE,
                            "-v",
                            "ON_ERROR_STOP=1",
                            "-qAtX",
                            "-F",
                            " ")
                    .lines()
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns what a program prints. */
    private static String run(String in, String... words) throws IOException {
        List<String> command = new ArrayList<>();
        if (System.getProperty("user.name").equals("root")) {
            command.addAll(List.of("runuser", "-u", OTHER_USER, "--"));
        }
        command.addAll(List.of(words));
        Path out = Files.createTempFile("cutwater-postgres-", ".out");
        try {
            // To a file: a server that stays would keep a pipe open.
            Process process = new ProcessBuilder(command)
                    .directory(Path.of("/").toFile())
                    .redirectErrorStream(true)
                    .redirectOutput(out.toFile())
                    .start();
            CompletableFuture<Void> writing = CompletableFuture.runAsync(() -> write(in, process.getOutputStream()));
            int exitCode = process.waitFor();
            writing.join();
            String text = Files.readString(out);
            if (exitCode != 0) {
                throw new IOException("%s ended with exit code %d: %s".formatted(words[0], exitCode, text.strip()));
            }
            return text;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException(e);
        } finally {
            Files.delete(out);
        }
    }

    private static void write(String text, OutputStream in) {
        try (in) {
            in.write(text.getBytes(StandardCharsets.UTF_8));
        } catch (IOException e) {
            // The program has ended, and its exit code tells.
        }
    }

    @Override
    public void close() throws IOException {
        try {
            run("", program("pg_ctl"), "-D", data(), "-m", "immediate", "stop");
        } finally {
            run("", "rm", "-rf", folder.toString());
        }
    }
}
