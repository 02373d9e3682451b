package io.cutwater.kafka.registry;

import io.cutwater.kafka.client.PropertiesFile;
import io.cutwater.kafka.client.TlsEngines;
import java.net.http.HttpClient;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Base64;
import java.util.Map;

/**
 * Credentials and keys for a registry. The file has lines {@code NAME=VALUE}: {@code basic.auth.user.info} is
 * USER:PASSWORD, {@code bearer.auth.token} a token, and {@code ssl.*} are the properties of Kafka clients.
 */
final class RegistrySecurity {
    static final String OPTION = "--registry-properties";
    private static final String BASIC = "basic.auth.user.info";
    private static final String BEARER = "bearer.auth.token";
    private static final String TLS = "ssl.";

    private final String authorization;

    /** @param authorization value of the header; empty for none */
    private RegistrySecurity(String authorization) {
        this.authorization = authorization;
    }

    /**
     * Reads the file, and gives a client its keys.
     *
     * @param file empty for none
     * @throws IllegalArgumentException if the file or its keys cannot be read; the message has no value
     */
    static RegistrySecurity apply(String file, HttpClient.Builder client) {
        if (file.isEmpty()) {
            return new RegistrySecurity("");
        }
        Path path = Path.of(file);
        Map<String, String> properties = PropertiesFile.read(OPTION, path);
        for (String name : properties.keySet()) {
            if (!name.equals(BASIC) && !name.equals(BEARER) && !name.startsWith(TLS)) {
                throw new IllegalArgumentException(
                        "%s %s has %s; it may have %s, %s, and the ssl. properties of Kafka clients"
                                .formatted(OPTION, file, name, BASIC, BEARER));
            }
        }
        if (properties.containsKey(BASIC) && properties.containsKey(BEARER)) {
            throw new IllegalArgumentException(
                    "%s %s has both %s and %s; take one of them out".formatted(OPTION, file, BASIC, BEARER));
        }
        if (properties.keySet().stream().anyMatch(name -> name.startsWith(TLS))) {
            client.sslContext(TlsEngines.clientContext(OPTION, path));
        }
        String basic = properties.get(BASIC);
        if (basic != null) {
            return new RegistrySecurity(
                    "Basic " + Base64.getEncoder().encodeToString(basic.getBytes(StandardCharsets.UTF_8)));
        }
        String token = properties.get(BEARER);
        return new RegistrySecurity(token == null ? "" : "Bearer " + token);
    }

    /** Returns the value of header Authorization; empty for none. */
    String authorization() {
        return authorization;
    }
}
