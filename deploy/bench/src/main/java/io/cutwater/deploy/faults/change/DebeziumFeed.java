package io.cutwater.deploy.faults.change;

import io.cutwater.deploy.faults.process.CampaignCluster;
import io.cutwater.testkit.RegistryProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How Debezium's engine is started.
 *
 * @param port of PostgreSQL
 * @param registry of the schemas; null for records in JSON
 * @param number of the case on its server and cluster
 */
record DebeziumFeed(
        CampaignCluster cluster, int port, @Nullable RegistryProcess registry, int number) {
    /**
     * Writes the properties of the engine into a file, and returns the words that start it.
     *
     * @param topic for the changes
     * @param more properties, one per line
     */
    List<String> command(String topic, String more) throws IOException {
        Path file = cluster.folder().resolve("debezium-%d.properties".formatted(number));
        Files.writeString(
                file,
                """
                bootstrap.servers=%s
                name=cutwater
                connector.class=io.debezium.connector.postgresql.PostgresConnector
                plugin.name=pgoutput
                database.hostname=127.0.0.1
                database.port=%d
                database.user=%s
                database.dbname=%s
                topic.prefix=bank
                table.include.list=public.payments
                publication.autocreate.mode=filtered
                publication.name=payments_%5$d
                slot.name=payments_%5$d
                skipped.operations=none
                offset.storage=org.apache.kafka.connect.storage.FileOffsetBackingStore
                offset.storage.file.filename=%6$s
                offset.flush.interval.ms=5000
                transforms=route
                transforms.route.type=org.apache.kafka.connect.transforms.RegexRouter
                transforms.route.regex=bank.public.payments
                transforms.route.replacement=%7$s
                """.formatted(
                                        cluster.servers(),
                                        port,
                                        PostgresServer.USER,
                                        PostgresServer.DATABASE,
                                        number,
                                        cluster.folder().resolve("debezium-%d.offsets".formatted(number)),
                                        topic)
                        + more
                        + (registry == null ? "" : "converter.apicurio.registry.url=" + registry.apicurio()));
        return List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx256m",
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-Dlog4j2.level=INFO",
                "-cp",
                System.getProperty(ChangeBench.FEED),
                "io.cutwater.deploy.cdc.ChangeFeed",
                file.toString());
    }
}
