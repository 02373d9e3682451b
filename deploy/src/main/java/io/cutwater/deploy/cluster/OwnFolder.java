package io.cutwater.deploy.cluster;

import com.sun.security.auth.module.UnixSystem;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

/** A folder that only its owner can enter: it contains keys, topics and the records of jobs. */
public final class OwnFolder {
    private static final Set<PosixFilePermission> OWNER_ONLY = PosixFilePermissions.fromString("rwx------");

    private OwnFolder() {}

    /**
     * Creates the folder with mode 0700, or gives an existing one that mode.
     *
     * @throws IOException if it belongs to another user; the message is meant for users
     */
    public static void make(Path folder) throws IOException {
        Files.createDirectories(folder, PosixFilePermissions.asFileAttribute(OWNER_ONLY));
        require(folder);
        if (!Files.getPosixFilePermissions(folder).equals(OWNER_ONLY)) {
            Files.setPosixFilePermissions(folder, OWNER_ONLY);
        }
    }

    /**
     * Refuses a folder of another user, who could have put anything into it.
     *
     * @throws IOException if it belongs to another user; the message is meant for users
     */
    static void require(Path folder) throws IOException {
        if (!Files.exists(folder)) {
            return;
        }
        int owner = (Integer) Files.getAttribute(folder, "unix:uid");
        requireOwner(folder, owner, new UnixSystem().getUid());
    }

    static void requireOwner(Path folder, long owner, long user) throws IOException {
        if (owner != user) {
            throw new IOException(
                    "%s belongs to another user (number %d), who could have put anything into it; choose another --dir"
                            .formatted(folder, owner));
        }
    }
}
