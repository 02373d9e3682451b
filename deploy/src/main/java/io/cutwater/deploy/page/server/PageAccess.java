package io.cutwater.deploy.page.server;

import com.sun.net.httpserver.HttpExchange;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Who may see the page, and whether viewers may send commands to the job. It is seen by everyone who reaches it, or who
 * sends one of the secrets of a file, as a bearer token or as user and password (RFC 6750, RFC 7617). Secrets are
 * compared in constant time.
 */
public final class PageAccess {
    private static final String BASIC = "Basic ";
    private static final String BEARER = "Bearer ";

    /** SHA-256 of the accepted values of header Authorization. */
    private final List<byte[]> accepted;

    private final boolean allowsCommands;

    private PageAccess(List<byte[]> accepted, boolean allowsCommands) {
        this.accepted = accepted;
        this.allowsCommands = allowsCommands;
    }

    /** Returns the access of everyone. */
    public static PageAccess open() {
        return new PageAccess(List.of(), false);
    }

    /**
     * Returns the access by secrets.
     *
     * @param passwords file with a line {@code USER:PASSWORD} for each user; null for none
     * @param token file with a bearer token on its first line; null for none
     * @throws IOException if a file cannot be read, everyone or the group of its owner, this user, may read it, or it
     *     has no secret; the message is meant for users
     */
    public static PageAccess of(@Nullable Path passwords, @Nullable Path token) throws IOException {
        List<byte[]> accepted = new ArrayList<>();
        if (passwords != null) {
            for (String line : lines("--password-file", passwords)) {
                int colon = line.indexOf(':');
                if (colon < 1 || colon == line.length() - 1) {
                    throw new IOException("--password-file %s must have lines USER:PASSWORD".formatted(passwords));
                }
                accepted.add(digest(BASIC + Base64.getEncoder().encodeToString(line.getBytes(StandardCharsets.UTF_8))));
            }
        }
        if (token != null) {
            accepted.add(digest(BEARER + lines("--token-file", token).get(0)));
        }
        return new PageAccess(accepted, false);
    }

    /** Returns the same access, for viewers who may send commands. */
    public PageAccess withCommands() {
        return new PageAccess(accepted, true);
    }

    /** Returns whether viewers may re-partition the job, and abort that. */
    boolean allowsCommands() {
        return allowsCommands;
    }

    private static List<String> lines(String option, Path file) throws IOException {
        requireOwn(option, file);
        List<String> lines;
        try {
            lines = Files.readAllLines(file).stream()
                    .map(String::strip)
                    .filter(line -> !line.isEmpty())
                    .toList();
        } catch (IOException e) {
            throw new IOException("%s: cannot read %s: %s".formatted(option, file, e.getMessage()), e);
        }
        if (lines.isEmpty()) {
            throw new IOException("%s %s is empty".formatted(option, file));
        }
        return lines;
    }

    private static void requireOwn(String option, Path file) throws IOException {
        PosixFileAttributeView view = Files.getFileAttributeView(file, PosixFileAttributeView.class);
        if (view == null || !Files.exists(file)) {
            return;
        }
        PosixFileAttributes attributes = view.readAttributes();
        Set<PosixFilePermission> permissions = attributes.permissions();
        // A secret of Kubernetes, or a file in /etc, belongs to root and is readable by the group of this process.
        boolean isOwn = attributes.owner().getName().equals(System.getProperty("user.name"));
        if (permissions.contains(PosixFilePermission.OTHERS_READ)
                || isOwn && permissions.contains(PosixFilePermission.GROUP_READ)) {
            throw new IOException("%s %s can be read by other users; run chmod 600 %s".formatted(option, file, file));
        }
    }

    /** Returns whether a secret is needed. */
    public boolean isRestricted() {
        return !accepted.isEmpty();
    }

    /** Returns whether the request has a secret that is accepted, or needs none. */
    boolean allows(HttpExchange exchange) {
        String given = exchange.getRequestHeaders().getFirst("Authorization");
        byte[] digest = digest(given == null ? "" : given);
        boolean isAccepted = accepted.isEmpty();
        for (byte[] each : accepted) {
            isAccepted |= MessageDigest.isEqual(each, digest);
        }
        return isAccepted;
    }

    /**
     * Returns whether the request names this machine, if the server listens on it alone: another name is that of a web
     * site that has sent its visitor here (DNS rebinding).
     */
    static boolean isForThisHost(HttpExchange exchange) {
        InetAddress local = exchange.getLocalAddress().getAddress();
        if (!local.isLoopbackAddress()) {
            return true;
        }
        String host = exchange.getRequestHeaders().getFirst("Host");
        String name = host == null ? "" : host.toLowerCase(Locale.ROOT).replaceAll(":[0-9]*$", "");
        return name.equals("localhost") || name.equals("[::1]") || name.matches("127(\\.[0-9]{1,3}){3}");
    }

    /**
     * Returns whether a browser says that a page of another origin asks (Fetch Metadata, W3C). Programs do not send the
     * header.
     */
    static boolean isFromAnotherSite(HttpExchange exchange) {
        String site = exchange.getRequestHeaders().getFirst("Sec-Fetch-Site");
        return "cross-site".equals(site) || "same-site".equals(site);
    }

    private static byte[] digest(String text) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }
}
