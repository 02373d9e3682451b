package io.cutwater.kafka.client;

import java.nio.file.Path;
import java.security.KeyStore;
import java.security.KeyStoreException;
import java.security.cert.X509Certificate;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.SslConfigs;
import org.apache.kafka.common.config.internals.BrokerSecurityConfigs;
import org.apache.kafka.common.security.ssl.DefaultSslEngineFactory;

/** Both ends of TLS connections between our own processes, with the keys of the Kafka clients. Thread-safe. */
public final class TlsEngines {
    private final DefaultSslEngineFactory factory = new DefaultSslEngineFactory();
    private final String identification;

    private TlsEngines(Map<String, Object> settings) {
        identification = String.valueOf(settings.get(SslConfigs.SSL_ENDPOINT_IDENTIFICATION_ALGORITHM_CONFIG));
        factory.configure(settings);
    }

    /**
     * Reads the keys.
     *
     * @param properties properties of Kafka clients; those that begin with {@code ssl.} are used
     * @throws IllegalArgumentException if a key store is missing, damaged or has another password; the message is meant
     *     for users and has no value
     */
    public static TlsEngines of(Map<String, ?> properties) {
        try {
            AbstractConfig config = new AbstractConfig(new ConfigDef().withClientSslSupport(), properties, false);
            Map<String, Object> settings = new HashMap<>(config.values());
            settings.put(BrokerSecurityConfigs.SSL_CLIENT_AUTH_CONFIG, "required");
            return new TlsEngines(settings);
        } catch (KafkaException e) {
            throw new IllegalArgumentException(
                    "cannot read the keys in --kafka-properties: %s; correct the ssl. properties"
                            .formatted(e.getMessage()),
                    e);
        }
    }

    /**
     * Returns the keys of a server whose clients need no certificate, such as browsers.
     *
     * @param option the option that named the file, for messages
     * @param file lines {@code NAME=VALUE} with the {@code ssl.} properties of Kafka clients
     * @throws IllegalArgumentException if the file or a key store is missing or malformed; the message is meant for
     *     users and has no value
     */
    public static SSLContext serverContext(String option, Path file) {
        DefaultSslEngineFactory keys = keys(option, file);
        if (keys.keystore() == null) {
            throw PropertiesFile.wrong(option, file, "names no key; give ssl.keystore.location or .key");
        }
        return keys.sslContext();
    }

    /**
     * Returns the keys of a client.
     *
     * @param option the option that named the file, for messages
     * @param file lines {@code NAME=VALUE}, among them the {@code ssl.} properties of Kafka clients
     * @throws IllegalArgumentException if the file or a key store is missing or malformed; the message is meant for
     *     users and has no value
     */
    public static SSLContext clientContext(String option, Path file) {
        return keys(option, file).sslContext();
    }

    private static DefaultSslEngineFactory keys(String option, Path file) {
        try {
            AbstractConfig config = new AbstractConfig(
                    new ConfigDef().withClientSslSupport(), PropertiesFile.read(option, file), false);
            DefaultSslEngineFactory factory = new DefaultSslEngineFactory();
            factory.configure(config.values());
            return factory;
        } catch (KafkaException e) {
            throw PropertiesFile.wrong(option, file, "has keys that cannot be used: " + e.getMessage());
        }
    }

    /** Returns the end of a connection to a server, which must have a certificate for the host. */
    public SSLEngine client(String host, int port) {
        return factory.createClientSslEngine(host, port, identification);
    }

    /** Returns the end of a connection that this process accepted; the client must have a trusted certificate. */
    public SSLEngine server() {
        return factory.createServerSslEngine("", 0);
    }

    /**
     * Returns the certificate of this process.
     *
     * @throws IllegalArgumentException if the key store has none; the message is meant for users
     */
    public X509Certificate certificate() {
        KeyStore keys = factory.keystore();
        if (keys != null) { // it is null if only a type or nothing is given
            try {
                for (String alias : Collections.list(keys.aliases())) {
                    if (keys.isKeyEntry(alias) && keys.getCertificate(alias) instanceof X509Certificate certificate) {
                        return certificate;
                    }
                }
            } catch (KeyStoreException e) {
                throw new IllegalArgumentException("cannot read the key store in --kafka-properties", e);
            }
        }
        throw new IllegalArgumentException(
                "the key store in --kafka-properties has no key with a certificate; name another file with ssl.keystore.location");
    }
}
