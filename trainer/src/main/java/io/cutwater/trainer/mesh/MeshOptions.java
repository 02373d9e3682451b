package io.cutwater.trainer.mesh;

import io.cutwater.kafka.client.TlsEngines;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.Map;

/**
 * Options of a worker's direct connections.
 *
 * @param address address to listen on; port 0 for any free one
 * @param timeout silence after which another worker is given up
 * @param clientProperties properties of Kafka clients; with a key store, connections use TLS with client
 *     authentication. They may contain passwords
 */
public record MeshOptions(InetSocketAddress address, Duration timeout, Map<String, String> clientProperties) {
    private static final String KEY_STORE = "ssl.keystore.";

    /**
     * Checks options.
     *
     * @param allowsPlaintext whether an address of another interface than loopback may do without TLS
     * @throws IllegalArgumentException if the address is unknown or not allowed; the message is meant for users
     */
    public static MeshOptions of(
            String address, boolean allowsPlaintext, Duration timeout, Map<String, String> clientProperties) {
        int colon = address.lastIndexOf(':');
        int port;
        try {
            port = colon < 1 ? -1 : Integer.parseInt(address.substring(colon + 1));
        } catch (NumberFormatException e) {
            port = -1;
        }
        if (port < 0 || port > 65_535) {
            throw new IllegalArgumentException(
                    "--mesh-address must be HOST:PORT, with port 0 for any free one, but was '%s'".formatted(address));
        }
        InetAddress host;
        try {
            host = InetAddress.getByName(address.substring(0, colon));
        } catch (UnknownHostException e) {
            throw new IllegalArgumentException("--mesh-address %s: the host is unknown".formatted(address), e);
        }
        MeshOptions options = new MeshOptions(new InetSocketAddress(host, port), timeout, clientProperties);
        if (host.isAnyLocalAddress()) {
            throw new IllegalArgumentException(
                    "--mesh-address %s: other workers need an address at which they reach this one; name one interface"
                            .formatted(address));
        }
        if (!host.isLoopbackAddress() && !options.usesTls() && !allowsPlaintext) {
            throw new IllegalArgumentException(
                    "--mesh-address %s is open to the network without TLS; give a key store in --kafka-properties, or --mesh-plaintext in a network that you trust"
                            .formatted(address));
        }
        return options;
    }

    /** Returns whether connections use TLS with client authentication. */
    public boolean usesTls() {
        return clientProperties.keySet().stream().anyMatch(name -> name.startsWith(KEY_STORE));
    }

    /**
     * Returns the common name of this worker's certificate: the name of a worker begins with it.
     *
     * @throws IllegalArgumentException if there is none or the keys cannot be read; the message is meant for users
     */
    public String certifiedName() {
        String name =
                CertificateNames.commonName(TlsEngines.of(clientProperties).certificate());
        if (name.isEmpty()) {
            throw new IllegalArgumentException(
                    "the certificate in --kafka-properties has no common name (CN), which names the worker; use another one");
        }
        return name;
    }

    /** Describes the options without the values of the client properties. */
    @Override
    public String toString() {
        return "%s, timeout %s, properties %s".formatted(address, timeout, clientProperties.keySet());
    }
}
