package io.cutwater.deploy.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class ClusterFolderTest {
    @Test
    void theStandardFolderIsThatOfTheEnvironmentOrBelowTheHomeFolder() {
        assertThat(ClusterFolder.standard(Map.of("CUTWATER_CLUSTER", "/a/b"), "/d"))
                .isEqualTo(Path.of("/a/b"));
        assertThat(ClusterFolder.standard(Map.of("CUTWATER_CLUSTER", " "), "/d"))
                .isEqualTo(Path.of("/d/.cutwater/cluster"));
        assertThat(ClusterFolder.standard(Map.of(), "/d")).isEqualTo(Path.of("/d/.cutwater/cluster"));
    }
}
