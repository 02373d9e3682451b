package io.cutwater.deploy.cli.topic;

import io.cutwater.deploy.cluster.rest.FlinkKey;
import io.cutwater.testkit.FlinkCluster;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.flink.configuration.Configuration;

/** A Flink cluster that answers at HTTPS only, and only to who has its key. */
final class SecuredFlink implements AutoCloseable {
    private final FlinkKey key;
    private final Path properties;
    private final FlinkCluster cluster;

    /** @param folder for checkpoints and the properties of clients */
    SecuredFlink(Path folder, FlinkKey key) throws Exception {
        this.key = key;
        Configuration configuration = Configuration.fromMap(key.settings());
        configuration.setString("rest.address", "127.0.0.1");
        configuration.setString("rest.bind-address", "127.0.0.1");
        configuration.setString("rest.bind-port", "0");
        // What the job's jar has is on the class path of this process, too.
        configuration.setString("classloader.resolve-order", "parent-first");
        configuration.setString("taskmanager.memory.managed.size", "64m");
        configuration.setString(
                "execution.checkpointing.dir",
                folder.resolve("checkpoints").toUri().toString());
        cluster = FlinkCluster.start(configuration, 1);
        String password = Files.readString(key.passwordFile()).strip();
        String text = "";
        for (String store : new String[] {"truststore", "keystore"}) {
            text += "security.ssl.rest.%1$s=%2$s%nsecurity.ssl.rest.%1$s-password=%3$s%n"
                    .formatted(store, key.store(), password);
        }
        properties = Files.writeString(folder.resolve("flink.properties"), text);
    }

    private String address() throws Exception {
        return "https://127.0.0.1:" + cluster.endpoint().getPort();
    }

    /** Returns the options of a command for this cluster. */
    String options() throws Exception {
        return " --flink %s --flink-properties %s".formatted(address(), properties);
    }

    /** Returns what the REST endpoint answers. */
    String get(String path) throws Exception {
        HttpClient client = HttpClient.newBuilder()
                .sslContext(key.credentials().sslContext())
                .build();
        return client.send(
                        HttpRequest.newBuilder(URI.create(address() + "/v1" + path))
                                .build(),
                        HttpResponse.BodyHandlers.ofString())
                .body();
    }

    @Override
    public void close() throws Exception {
        cluster.close();
    }
}
