package io.cutwater.deploy.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OwnFolderTest {
    @TempDir
    private Path parent;

    @Test
    void aClusterFolderAndTheOneAboveItAreTheirOwnersAlone() throws IOException {
        Path home = parent.resolve(".cutwater");
        Files.createDirectories(
                home.resolve("cluster"),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwxr-xr-x")));
        new ClusterFolder(home.resolve("cluster")).create();
        new ClusterFolder(parent.resolve("new").resolve("cluster")).create();
        for (String folder : new String[] {".cutwater", ".cutwater/cluster", "new", "new/cluster"}) {
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(parent.resolve(folder))))
                    .as(folder)
                    .isEqualTo("rwx------");
        }
    }

    @Test
    void refusesAFolderOfAnotherUser() throws IOException {
        int owner = (Integer) Files.getAttribute(parent, "unix:uid");
        OwnFolder.require(parent);
        assertThatThrownBy(() -> OwnFolder.requireOwner(parent, owner, owner + 1L))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("%s belongs to another user (number %d)".formatted(parent, owner));
    }
}
