package io.cutwater.kafka.registry;

import java.io.Serializable;
import java.net.URI;
import java.util.Locale;

/**
 * Where a schema registry is.
 *
 * @param url of its API, without a slash at the end
 * @param propertiesFile absolute path of the file with credentials and keys, see {@link RegistrySecurity}; empty for
 *     none
 */
public record RegistryAddress(String url, String propertiesFile) implements Serializable {
    private static final String APICURIO = "/apis/registry/v";

    /**
     * Parses an address.
     *
     * @throws IllegalArgumentException if it is none, or contains a password; the message names the option
     */
    public static RegistryAddress of(String url, String propertiesFile) {
        URI uri;
        try {
            uri = URI.create(url.replaceAll("/+$", ""));
        } catch (IllegalArgumentException e) {
            throw wrong(
                    "must be the URL of a schema registry, such as https://registry:8081"); // it may hold a password
        }
        String scheme = String.valueOf(uri.getScheme()).toLowerCase(Locale.ROOT);
        if (uri.getRawUserInfo() != null) {
            throw wrong("must not contain a password; write basic.auth.user.info=USER:PASSWORD into a file, and give"
                    + " --registry-properties FILE");
        }
        if (!scheme.equals("http") && !scheme.equals("https")
                || uri.getHost() == null
                || uri.getRawQuery() != null
                || uri.getRawFragment() != null) {
            throw wrong("must be the URL of a schema registry, such as https://registry:8081");
        }
        return new RegistryAddress(uri.toString(), propertiesFile);
    }

    private static IllegalArgumentException wrong(String rule) {
        return new IllegalArgumentException("--schema-registry " + rule);
    }

    /** Returns whether this is the API of Apicurio, and not the one of Confluent. */
    boolean isApicurio() {
        return url.contains(APICURIO);
    }

    /** Returns whether ids before a value have 8 bytes instead of 4, as Apicurio 2 writes them. */
    boolean hasLongIds() {
        return url.contains(APICURIO + "2");
    }

    @Override
    public String toString() {
        return url;
    }
}
