package io.cutwater.kafka.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.config.types.Password;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ClientPropertiesFileTest {
    private static final String SECRET = "hush-hush";

    @TempDir
    private Path folder;

    @Test
    void everyKindOfClientResolvesReferencesThatHoldNoValue() throws IOException {
        Map<String, String> references = ClientPropertiesFile.references(
                file("# TLS\nsecurity.protocol=SSL\nssl.key.password = %s\nclient.rack=${env:PATH}".formatted(SECRET)));
        assertThat(references.toString()).contains("ssl.key.password").doesNotContain(SECRET);
        String servers = "localhost:1";
        for (AbstractConfig opened : new AbstractConfig[] {
            new ConsumerConfig(ClientSettings.consumer(servers, references)),
            new ProducerConfig(ClientSettings.producer(servers, references)),
            new AdminClientConfig(Map.copyOf(references))
        }) {
            assertThat(opened.getString("security.protocol")).isEqualTo("SSL");
            assertThat(opened.getPassword("ssl.key.password")).isEqualTo(new Password(SECRET));
        }
        assertThat(new ConsumerConfig(ClientSettings.consumer(servers, references)).getString("client.rack"))
                .isEqualTo(System.getenv("PATH"));
    }

    @Test
    void aChangedValueIsReadByTheNextClient() throws IOException {
        Path file = file("ssl.key.password=before");
        Map<String, String> references = ClientPropertiesFile.references(file);
        file("ssl.key.password=" + SECRET);
        assertThat(new ConsumerConfig(ClientSettings.consumer("localhost:1", references))
                        .getPassword("ssl.key.password"))
                .isEqualTo(new Password(SECRET));
    }

    @Test
    void providersOfTheFileItselfAreUsed() throws IOException {
        Path secrets = Files.writeString(folder.resolve("secrets"), "password=" + SECRET);
        Path file = file("config.providers=file\nconfig.providers.file.class=%s\nssl.key.password=${file:%s:password}"
                .formatted(org.apache.kafka.common.config.provider.FileConfigProvider.class.getName(), secrets));
        assertThat(ClientPropertiesFile.read(file)).isEqualTo(Map.of("ssl.key.password", SECRET));
    }

    @ParameterizedTest
    @ValueSource(strings = {"bootstrap.servers", "isolation.level", "key.serializer"})
    void refusesWhatIsOurs(String name) throws IOException {
        Path file = file("ssl.key.password=%s\n%s=%s".formatted(SECRET, name, SECRET));
        assertThatThrownBy(() -> ClientPropertiesFile.references(file))
                .hasMessageContaining(" has " + name)
                .hasMessageContaining("take it out")
                .hasMessageNotContaining(SECRET);
    }

    @Test
    void namesAnEnvironmentVariableThatIsNotSet() throws IOException {
        Path file = file("ssl.key.password=${env:CUTWATER_NOT_SET}");
        assertThatThrownBy(() -> ClientPropertiesFile.references(file))
                .hasMessageContaining("refers to environment variable CUTWATER_NOT_SET in ssl.key.password");
    }

    @Test
    void aFileThatIsGoneIsToldByItsPath() {
        Path gone = folder.resolve("gone.properties");
        assertThatThrownBy(() -> ClientPropertiesFile.references(gone))
                .hasMessageContaining("--kafka-properties " + gone)
                .hasMessageContaining("must have it at this path");
    }

    private Path file(String text) throws IOException {
        return Files.writeString(folder.resolve("client.properties"), text);
    }
}
