package io.cutwater.flink.checkpoint.assigner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cutwater.state.repartition.DriftCheck;
import io.cutwater.state.repartition.live.JobCommand;
import io.cutwater.state.repartition.live.RepartitionStatus;
import io.cutwater.state.repartition.live.RepartitioningState;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class RepartitioningCodecTest {
    private static final RepartitionStatus REFUSED = RepartitionStatus.refused("b", 2, 4, "no edges are kept");

    @Test
    void readsWhatItWrites() {
        JobCommand.Repartition command = new JobCommand.Repartition("a", 12, 0.25, 20_000, false);
        RepartitionStatus status = RepartitionStatus.collecting("a", 2, 4, 12, 0.5, Map.of("edgeBalance", 1.25))
                .withPlan(1_000, 100, Map.of("edgeBalance", 1.5))
                .moving(3)
                .moved(17);
        RepartitioningState state = new RepartitioningState(
                3,
                4,
                7,
                new DriftCheck(900, 2, 1.75),
                new RepartitioningState.Running(command, status, true, 1_700_000_000_000L),
                List.of(REFUSED));

        assertThat(RepartitioningCodec.fromBytes(RepartitioningCodec.toBytes(state)))
                .isEqualTo(state);
    }

    @Test
    void readsAJobThatHasNeverBeenRepartitioned() {
        assertThat(RepartitioningCodec.fromBytes(RepartitioningCodec.toBytes(RepartitioningState.NONE)))
                .isEqualTo(RepartitioningState.NONE);
    }

    @Test
    void refusesAnotherVersion() {
        byte[] bytes = RepartitioningCodec.toBytes(RepartitioningState.NONE);
        bytes[0] = 9;

        assertThatThrownBy(() -> RepartitioningCodec.fromBytes(bytes)).hasMessageContaining("version 9");
    }
}
