package io.cutwater.trainer.allocation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WorkloadTest {
    /** Two devices of 300 bytes, of which 200 are for training: 100 bytes of data in each. */
    @ParameterizedTest
    @CsvSource({"0, 2", "1, 2", "200, 2", "201, 3", "300, 3", "301, 4", "99901, 1000"})
    void thereAreAsManyShardsAsDevicesUntilTheseAreFull(long dataBytes, long shards) {
        assertThat(new Workload(2, 300, 200).shards(dataBytes)).isEqualTo(shards);
    }

    @Test
    void twoThirdsOfTheMemoryAreForTraining() {
        assertThat(Workload.of(4, 24L << 30).trainingBytes()).isEqualTo(16L << 30);
        // 111 M vertices with 128 features and 1.6 G edges (ogbn-papers100M), on four GPUs of 24 GiB
        long data = Workload.dataBytes(111_059_956, 1_615_685_872, 128);
        assertThat(data).isEqualTo(111_059_956L * (29 + 512) + 1_615_685_872L * 8);
        assertThat(Workload.of(4, 24L << 30).shards(data)).isEqualTo(9);
        assertThat(Workload.of(16, 24L << 30).shards(data)).isEqualTo(16);
    }

    @Test
    void aDeviceWithoutRoomForDataIsRefused() {
        assertThatThrownBy(() -> new Workload(1, 100, 100))
                .hasMessage("a device must have more memory than the 100 bytes that training takes: 100");
        assertThatThrownBy(() -> Workload.of(0, 100)).hasMessage("devices must be at least 1: 0");
    }
}
