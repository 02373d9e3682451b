package io.cutwater.deploy.cluster.rest;

import io.cutwater.flink.client.FlinkCredentials;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

/**
 * The key of a Flink cluster on this machine, with its own certificate, in a folder that only its owner can read. The
 * cluster's processes and the commands that use it trust this certificate and no other, so whoever has the key can be
 * the cluster, or use it.
 */
public final class FlinkKey {
    private static final String ALIAS = "flink";
    private static final int PASSWORD_BYTES = 24;
    private static final long TIMEOUT_SECONDS = 60;
    private static final Set<PosixFilePermission> OWNER_ONLY = PosixFilePermissions.fromString("rw-------");
    private static final int PEM_COLUMNS = 64;

    private final Path folder;

    /** @param folder that only its owner can read */
    public FlinkKey(Path folder) {
        this.folder = folder.toAbsolutePath();
    }

    public boolean exists() {
        return Files.exists(store());
    }

    /** Returns the file with key and certificate, PKCS12. */
    public Path store() {
        return folder.resolve("flink.p12");
    }

    /** Returns the file with the certificate alone, PEM. */
    public Path certificate() {
        return folder.resolve("flink.pem");
    }

    /** Returns the file with the password of {@link #store}. */
    public Path passwordFile() {
        return folder.resolve("password");
    }

    /**
     * Creates the key unless it exists.
     *
     * @throws IOException if the JDK's {@code keytool} fails; the message is meant for users
     */
    public void create() throws IOException, InterruptedException {
        if (exists()) {
            return;
        }
        Files.createDirectories(folder);
        byte[] random = new byte[PASSWORD_BYTES];
        new SecureRandom().nextBytes(random);
        Files.deleteIfExists(passwordFile());
        Files.createFile(passwordFile(), ownerOnly());
        Files.writeString(passwordFile(), HexFormat.of().formatHex(random) + "\n");
        Path made = folder.resolve("flink.p12.tmp");
        Files.deleteIfExists(made);
        keytool(made);
        writeCertificate(made);
        Files.move(made, store(), StandardCopyOption.ATOMIC_MOVE);
    }

    private static FileAttribute<Set<PosixFilePermission>> ownerOnly() {
        return PosixFilePermissions.asFileAttribute(OWNER_ONLY);
    }

    private void keytool(Path made) throws IOException, InterruptedException {
        String keytool =
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString();
        Path log = folder.resolve("keytool.log");
        Process process = new ProcessBuilder(List.of(
                        keytool,
                        "-genkeypair",
                        "-alias",
                        ALIAS,
                        "-keyalg",
                        "RSA",
                        "-keysize",
                        "2048",
                        "-validity",
                        "3650",
                        "-dname",
                        "CN=cutwater",
                        "-ext",
                        "SAN=IP:127.0.0.1,DNS:localhost",
                        "-storetype",
                        "PKCS12",
                        "-keystore",
                        made.toString(),
                        "-storepass:file",
                        passwordFile().toString()))
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        boolean hasEnded = process.waitFor(TIMEOUT_SECONDS, TimeUnit.SECONDS);
        if (!hasEnded || process.exitValue() != 0 || !Files.exists(made)) {
            process.destroyForcibly();
            throw new IOException("%s made no key for the Flink cluster; its output is in %s".formatted(keytool, log));
        }
        Files.delete(log);
        Files.setPosixFilePermissions(made, OWNER_ONLY);
    }

    private void writeCertificate(Path made) throws IOException {
        try {
            byte[] der = KeyStore.getInstance(made.toFile(), password().toCharArray())
                    .getCertificate(ALIAS)
                    .getEncoded();
            String base64 =
                    Base64.getMimeEncoder(PEM_COLUMNS, new byte[] {'\n'}).encodeToString(der);
            Files.writeString(
                    certificate(), "-----BEGIN CERTIFICATE-----\n" + base64 + "\n-----END CERTIFICATE-----\n");
        } catch (GeneralSecurityException e) {
            throw new IOException("the key in %s cannot be read: %s".formatted(made, e.getMessage()), e);
        }
    }

    private String password() throws IOException {
        return Files.readString(passwordFile(), StandardCharsets.US_ASCII).strip();
    }

    /** Returns the credentials with which commands use the cluster. */
    public FlinkCredentials credentials() throws IOException {
        return FlinkCredentials.ofStore(store(), password());
    }

    /**
     * Returns Flink's settings for processes that present the key and require it: at the REST endpoint and for calls
     * between the processes. Data between TaskManagers stay unencrypted, because encryption would cost throughput.
     */
    public Map<String, String> settings() throws IOException {
        Map<String, String> settings = new TreeMap<>();
        for (String side : new String[] {"security.ssl.rest.", "security.ssl.internal."}) {
            settings.put(side + "enabled", "true");
            settings.put(side + "keystore", store().toString());
            settings.put(side + "truststore", store().toString());
            for (String name : new String[] {"keystore-password", "truststore-password", "key-password"}) {
                settings.put(side + name, password());
            }
        }
        settings.put("security.ssl.rest.authentication-enabled", "true");
        settings.put("taskmanager.data.ssl.enabled", "false");
        return settings;
    }
}
