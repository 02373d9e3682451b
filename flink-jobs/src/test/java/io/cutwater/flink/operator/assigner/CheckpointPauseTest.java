package io.cutwater.flink.operator.assigner;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class CheckpointPauseTest {
    @Test
    void lastsFromTheFlushToTheNextElement() {
        CheckpointPause pause = new CheckpointPause();
        pause.end(900);
        assertThat(pause.lastMillis()).isZero();
        pause.begin(1000);
        assertThat(pause.lastMillis()).isZero();
        pause.end(1250);
        pause.end(9999);
        assertThat(pause.lastMillis()).isEqualTo(250);
    }
}
