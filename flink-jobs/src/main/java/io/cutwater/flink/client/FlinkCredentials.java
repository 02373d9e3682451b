package io.cutwater.flink.client;

import io.cutwater.kafka.client.PropertiesFile;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.Base64;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.RestOptions;
import org.apache.flink.configuration.SecurityOptions;
import org.jspecify.annotations.Nullable;

/**
 * Certificates that a client of Flink's REST endpoint trusts, and its own credentials. They stay in the process:
 * nothing of them travels with a job.
 */
public final class FlinkCredentials {
    /** The certificates that Java trusts, and no credentials. */
    public static final FlinkCredentials NONE = new FlinkCredentials(Map.of(), null);

    private static final String OPTION = "--flink-properties";
    private static final String TRUST_STORE = SecurityOptions.SSL_REST_TRUSTSTORE.key();
    private static final String TRUST_STORE_PASSWORD = SecurityOptions.SSL_REST_TRUSTSTORE_PASSWORD.key();
    private static final String KEY_STORE = SecurityOptions.SSL_REST_KEYSTORE.key();
    private static final String KEY_STORE_PASSWORD = SecurityOptions.SSL_REST_KEYSTORE_PASSWORD.key();
    private static final String KEY_PASSWORD = SecurityOptions.SSL_REST_KEY_PASSWORD.key();
    private static final String AUTHORIZATION = "authorization";
    private static final String USER = "username";
    private static final String PASSWORD = "password";
    private static final Set<String> NAMES = Set.of(
            TRUST_STORE,
            TRUST_STORE_PASSWORD,
            KEY_STORE,
            KEY_STORE_PASSWORD,
            KEY_PASSWORD,
            AUTHORIZATION,
            USER,
            PASSWORD);

    private final Map<String, String> stores;
    private final @Nullable String authorization;

    /** @param stores paths and passwords under Flink's names */
    private FlinkCredentials(Map<String, String> stores, @Nullable String authorization) {
        this.stores = Map.copyOf(stores);
        this.authorization = authorization;
    }

    /**
     * Reads a file of lines {@code NAME=VALUE}: Flink's {@code security.ssl.rest.*} names for the stores, and for a
     * proxy with a login {@code username} and {@code password}, or {@code authorization} with the whole header.
     *
     * @throws IllegalArgumentException if the file is unreadable or malformed; the message names the file and no value
     */
    public static FlinkCredentials read(Path file) {
        Map<String, String> values = PropertiesFile.read(OPTION, file);
        TreeSet<String> unknown = new TreeSet<>(values.keySet());
        unknown.removeAll(NAMES);
        if (!unknown.isEmpty()) {
            throw wrong(
                    file, "has %s; it takes %s".formatted(unknown.first(), String.join(", ", new TreeSet<>(NAMES))));
        }
        for (String store : new String[] {TRUST_STORE, KEY_STORE}) {
            if (values.containsKey(store) != values.containsKey(store + "-password")) {
                throw wrong(file, "needs %s and %s-password together".formatted(store, store));
            }
        }
        if (values.containsKey(USER) != values.containsKey(PASSWORD)
                || values.containsKey(USER) && values.containsKey(AUTHORIZATION)) {
            throw wrong(file, "needs username and password together, or authorization alone");
        }
        String user = values.remove(USER);
        String password = values.remove(PASSWORD);
        String authorization = values.remove(AUTHORIZATION);
        return new FlinkCredentials(values, user == null ? authorization : basic(user + ":" + password));
    }

    private static String basic(String login) {
        return "Basic " + Base64.getEncoder().encodeToString(login.getBytes(StandardCharsets.UTF_8));
    }

    private static IllegalArgumentException wrong(Path file, String rest) {
        return new IllegalArgumentException("%s %s %s".formatted(OPTION, file, rest));
    }

    /**
     * Creates credentials with one key and its certificate for both sides: whoever has the store may use the cluster.
     */
    public static FlinkCredentials ofStore(Path store, String password) {
        String path = store.toString();
        return new FlinkCredentials(
                Map.of(
                        TRUST_STORE, path,
                        TRUST_STORE_PASSWORD, password,
                        KEY_STORE, path,
                        KEY_STORE_PASSWORD, password,
                        KEY_PASSWORD, password),
                null);
    }

    /** Returns the value of the header {@code Authorization}; null for none. */
    public @Nullable String authorization() {
        return authorization;
    }

    /**
     * Returns the TLS context for connections to the endpoint.
     *
     * @throws IOException if a store cannot be used; the message is meant for users
     */
    public SSLContext sslContext() throws IOException {
        try {
            TrustManager[] trusted = null;
            KeyStore trustStore = open(TRUST_STORE);
            if (trustStore != null) {
                TrustManagerFactory factory =
                        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
                factory.init(trustStore);
                trusted = factory.getTrustManagers();
            }
            KeyManager[] keys = null;
            KeyStore keyStore = open(KEY_STORE);
            if (keyStore != null) {
                KeyManagerFactory factory = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
                factory.init(keyStore, keyPassword().toCharArray());
                keys = factory.getKeyManagers();
            }
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(keys, trusted, null);
            return context;
        } catch (GeneralSecurityException e) {
            throw new IOException("the keys for Flink's REST endpoint cannot be used: " + e.getMessage(), e);
        }
    }

    private String keyPassword() {
        return stores.getOrDefault(KEY_PASSWORD, stores.getOrDefault(KEY_STORE_PASSWORD, ""));
    }

    private @Nullable KeyStore open(String name) throws IOException, GeneralSecurityException {
        String path = stores.get(name);
        if (path == null) {
            return null;
        }
        if (!Files.isReadable(Path.of(path))) {
            throw new IOException("%s %s does not exist or cannot be read; check the path".formatted(name, path));
        }
        try {
            return KeyStore.getInstance(
                    Path.of(path).toFile(),
                    stores.getOrDefault(name + "-password", "").toCharArray());
        } catch (IOException e) {
            throw new IOException(
                    "%s %s cannot be opened; it must be PKCS12 or JKS, and %s-password its password"
                            .formatted(name, path, name),
                    e);
        }
    }

    /** Returns the configuration of Flink's own client. It is for the client alone, never for a job. */
    Configuration client(FlinkAddress address) {
        Configuration configuration = Configuration.fromMap(stores);
        configuration.set(RestOptions.ADDRESS, address.host());
        configuration.set(RestOptions.PORT, address.port());
        configuration.set(FlinkClientHandlers.SECURE, address.isSecure());
        if (authorization != null) {
            configuration.set(FlinkClientHandlers.AUTHORIZATION, authorization);
        }
        return configuration;
    }

    /** Returns the credentials that {@link #client} has put into a configuration. */
    static FlinkCredentials of(Configuration client) {
        Map<String, String> stores = new HashMap<>(client.toMap());
        stores.keySet().retainAll(NAMES);
        return new FlinkCredentials(stores, client.get(FlinkClientHandlers.AUTHORIZATION));
    }

    /** Returns a text without paths and values. */
    @Override
    public String toString() {
        return "credentials for Flink's REST endpoint: " + new TreeSet<>(stores.keySet());
    }
}
