package io.cutwater.deploy.cluster;

import io.cutwater.kafka.embedded.BrokerFolder;
import io.cutwater.kafka.topic.TopicAdmin;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/** Checks the identity of a local cluster's broker: another user's may answer at the same port. */
public final class OwnBroker {
    private OwnBroker() {}

    /**
     * Refuses another broker at the address of the local cluster's; accepts all other addresses.
     *
     * @param bootstrapServers that a command is about to use
     * @throws IOException if another broker answers; the message is meant for users
     * @throws io.cutwater.kafka.topic.BrokerException if none answers
     */
    public static void require(Path clusterFolder, String bootstrapServers) throws IOException {
        ClusterSettings settings = ClusterSettings.read(clusterFolder);
        if (settings != null && settings.bootstrapServers().equals(bootstrapServers)) {
            require(settings, new ClusterFolder(clusterFolder));
        }
    }

    static void require(ClusterSettings settings, ClusterFolder folder) throws IOException {
        Optional<String> own = BrokerFolder.clusterId(folder.broker());
        try (TopicAdmin admin = TopicAdmin.connect(settings.bootstrapServers(), Map.of())) {
            String found = admin.clusterId();
            if (own.isPresent() && !own.get().equals(found)) {
                throw new IOException(
                        "the Kafka broker at %s is not that of the cluster in %s: its cluster id is %s and not %s; start the"
                                        .formatted(settings.bootstrapServers(), folder.root(), found, own.get())
                                + " cluster with another --broker-port, or give --bootstrap-servers");
            }
        }
    }
}
