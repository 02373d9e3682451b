package io.cutwater.flink.checkpoint.assigner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cutwater.state.repartition.DriftCheck;
import io.cutwater.state.repartition.live.JobCommand;
import io.cutwater.state.repartition.live.RepartitionStatus;
import io.cutwater.state.repartition.live.RepartitioningState;
import java.util.HexFormat;
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
                12,
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
    void readsVersion1WhichLacksTheNumberOfPartitions() {
        byte[] bytes = HexFormat.of()
                .parseHex("01" + "0000000000000003" + "00000004" + "0000000000000007" + "0000000000000384" + "00000002"
                        + "3ffc000000000000" + "00" + "00000000");

        assertThat(RepartitioningCodec.fromBytes(bytes))
                .isEqualTo(new RepartitioningState(3, 4, 0, 7, new DriftCheck(900, 2, 1.75), null, List.of()));
    }

    @Test
    void movesOfAnotherGenerationDoNotCount() {
        byte[] bytes = RepartitioningCodec.movedToBytes(3, 17);

        assertThat(HexFormat.of().formatHex(bytes)).isEqualTo("01" + "0000000000000003" + "0000000000000011");
        assertThat(RepartitioningCodec.movedFromBytes(bytes, 3)).isEqualTo(17);
        assertThat(RepartitioningCodec.movedFromBytes(bytes, 4)).isZero();
        bytes[0] = 9;
        assertThatThrownBy(() -> RepartitioningCodec.movedFromBytes(bytes, 3)).hasMessageContaining("version 9");
    }

    @Test
    void refusesAnotherVersion() {
        byte[] bytes = RepartitioningCodec.toBytes(RepartitioningState.NONE);
        bytes[0] = 9;

        assertThatThrownBy(() -> RepartitioningCodec.fromBytes(bytes)).hasMessageContaining("version 9");
    }
}
