package io.cutwater.state.feedback.ask;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class AskWindowTest {
    @Test
    void theWindowGrowsWithTheGraph() {
        AskWindow window = new AskWindow(2, 0);
        assertThat(window.batchSize()).isEqualTo(AskWindow.LEAST / 2);
        assertThat(new AskWindow(2, 1_000_000).batchSize()).isEqualTo(20_000);
        assertThat(new AskWindow(1000, 0).batchSize()).isEqualTo(64);
        assertThat(new AskWindow(2, 2, 0, 500_000, 0).batchSize()).isEqualTo(20_000);
        assertThat(new AskWindow(2, 2, 0, 0, 0).batchSize()).isEqualTo(AskWindow.LEAST / 2);
    }

    @Test
    void theWindowOfAYoungGraphIsSmaller() {
        assertThat(new AskWindow(1, 2, 500_000, 400_000, 0).batchSize()).isEqualTo(2_000);
        assertThat(new AskWindow(1, 2, 500_000, 500_000, 0).batchSize()).isEqualTo(2_500);
        assertThat(new AskWindow(1, 2, 500_000, 1_000_000, 0).batchSize()).isEqualTo(12_500);
        assertThat(new AskWindow(2, 2, 500_000, 500_000, 0).batchSize())
                .as("each of two tasks has asked for so many edges")
                .isEqualTo(12_500);
    }

    @Test
    void whatIsPlacedMakesRoomAndInAnyOrder() {
        AskWindow window = new AskWindow(2, 0);
        window.ask(1, 512);
        assertThat(window.hasRoomFor(512)).isTrue();
        window.ask(2, 512);
        assertThat(window.hasRoomFor(1)).isFalse();
        window.placed(2);
        assertThat(window.hasRoomFor(512)).isTrue();
        assertThat(window.hasRoomFor(513)).isFalse();
        window.placed(2);
        assertThat(window.hasRoomFor(513)).isFalse();
        window.placed(1);
        assertThat(window.hasRoomFor(5_000))
                .as("a batch larger than the window goes alone")
                .isTrue();
        assertThat(window.edges()).isEqualTo(1024);
    }

    @Test
    void whatIsPlacedMattersWhenTheWindowIsHalfFull() {
        AskWindow window = new AskWindow(1, 1, 0, 0, 10_000);
        window.ask(1, 9_999);
        assertThat(window.isHalfFull()).as("it asks alone").isFalse();
        window.ask(2, 1);
        assertThat(window.isHalfFull()).isTrue();
        window.placed(1);
        window.ask(3, AskWindow.LEAST / 2 - 1);
        assertThat(window.isHalfFull()).isFalse();
        window.ask(4, 1);
        assertThat(window.isHalfFull()).isTrue();
    }

    @Test
    void aBatchIsPlacedWithThoseBeforeItOfTheSameAssigner() {
        AskWindow window = new AskWindow(2, 0);
        for (int batch = 1; batch <= 4; batch++) {
            window.ask(batch, 100);
        }
        window.placed(3);
        assertThat(window.inFlight()).isEqualTo(200);
        window.placed(2);
        assertThat(window.inFlight()).isEqualTo(100);
        window.placed(4);
        assertThat(window.inFlight()).isZero();
    }

    @Test
    void whoAsksAloneWaitsForNothing() {
        AskWindow window = new AskWindow(2, 2, 0, 500_000, 100_000);
        for (int batch = 1; batch <= 10; batch++) {
            assertThat(window.batchSize()).isGreaterThan(10_000);
            assertThat(window.hasRoomFor(10_000)).isTrue();
            window.ask(batch, 10_000);
        }
        assertThat(window.hasRoomFor(1)).isFalse();
        assertThat(window.batchSize()).isEqualTo(24_000);
    }
}
