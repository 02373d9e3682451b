package io.cutwater.kafka.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cutwater.state.repartition.live.PlanState;
import io.cutwater.state.repartition.live.RepartitionStatus;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class RepartitionStatusJsonTest {
    @Test
    void aStatusComesBackAsItWas() {
        RepartitionStatus status = new RepartitionStatus(
                "a",
                3,
                PlanState.MOVING,
                8,
                12,
                1000,
                330,
                20,
                0.4,
                Map.of("replicationFactor", 2.5, "edgeBalance", 1.05),
                Map.of("replicationFactor", 2.25),
                Map.of(),
                "",
                1.5);
        assertThat(new String(RepartitionStatusJson.toBytes(status), StandardCharsets.UTF_8))
                .isEqualTo(
                        "{\"id\":\"a\",\"generation\":3,\"state\":\"moving\",\"partitionsBefore\":8,\"partitions\":12,"
                                + "\"edges\":1000,\"edgesToMove\":330,\"edgesMoved\":20,\"budget\":0.4,"
                                + "\"before\":{\"edgeBalance\":1.05,\"replicationFactor\":2.5},"
                                + "\"expected\":{\"replicationFactor\":2.25},\"seconds\":1.5}");
        assertThat(RepartitionStatusJson.read(RepartitionStatusJson.toBytes(status)))
                .isEqualTo(status);
        RepartitionStatus refused = RepartitionStatus.refused("b", 0, 8, "it says why");
        assertThat(RepartitionStatusJson.read(RepartitionStatusJson.toBytes(refused)))
                .isEqualTo(refused);
    }

    @Test
    void whatIsNoStatusIsToldApart() {
        assertThatThrownBy(() -> RepartitionStatusJson.read(new byte[] {1})).hasMessageContaining("not valid JSON");
        assertThatThrownBy(() -> RepartitionStatusJson.read("{\"id\":\"a\"}".getBytes(StandardCharsets.UTF_8)))
                .hasMessageContaining("no key generation");
    }
}
