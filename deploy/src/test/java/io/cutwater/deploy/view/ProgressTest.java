package io.cutwater.deploy.view;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class ProgressTest {
    private final StringWriter err = new StringWriter();
    private long nanos;

    private Progress begin(ProgressStyle style, int columns) {
        return new Progress.Display(style, columns, new PrintWriter(err, true), () -> nanos).begin("partition");
    }

    private void pass(Duration time) {
        nanos += time.toNanos();
    }

    @Test
    void elsewhereThanOnATerminalALineComesEveryTenSeconds() {
        try (Progress progress = begin(ProgressStyle.AUTO, 0)) {
            pass(Duration.ofMillis(9_999));
            progress.update(900, 0.09, "");
            assertThat(err.toString()).isEmpty();

            pass(Duration.ofMillis(1));
            progress.update(1_000_000, 0.1, "RF 5.26");
            pass(Duration.ofSeconds(5));
            progress.update(2_000_000, 0.2, "RF 5.30");
            pass(Duration.ofSeconds(5));
            progress.update(4_000_000, Double.NaN, "");
        }

        assertThat(err.toString().lines())
                .containsExactly(
                        "partition: 1,000,000 edges, 100,000 edges/s, RF 5.26, about 90 s left",
                        "partition: 4,000,000 edges, 200,000 edges/s");
    }

    @Test
    void startUpAndWhatFollowsTheLastEdgeAreNoPartOfTheRate() {
        try (Progress progress = begin(ProgressStyle.LINES, 0)) {
            progress.update(0, Double.NaN, "");
            pass(Duration.ofSeconds(12));
            progress.update(0, Double.NaN, "");
            pass(Duration.ofSeconds(10));
            progress.update(5_000, Double.NaN, "");
            pass(Duration.ofSeconds(10));
            progress.update(5_000, Double.NaN, "pass 1");
        }

        assertThat(err.toString().lines())
                .containsExactly(
                        "partition: nothing yet, 12 s so far",
                        "partition: 5,000 edges, 500 edges/s after 12 s of start-up",
                        "partition: 5,000 edges, 500 edges/s after 12 s of start-up, pass 1");
    }

    @Test
    void noRateIsShownBeforeItCanBeMeasured() {
        try (Progress progress = begin(ProgressStyle.LINES, 0)) {
            pass(Duration.ofSeconds(12));
            progress.update(0, Double.NaN, "");
            pass(Duration.ofMillis(1));
            progress.update(4_096, 0.01, "");
            pass(Duration.ofSeconds(10));
            progress.update(4_096, 0.01, "");
        }

        assertThat(err.toString().lines())
                .containsExactly(
                        "partition: nothing yet, 12 s so far",
                        "partition: 4,096 edges after 12 s of start-up, about 991 s left");
    }

    @Test
    void shortStepsShareTheClock() {
        Progress.Display display = new Progress.Display(ProgressStyle.AUTO, 0, new PrintWriter(err, true), () -> nanos);
        for (String step : new String[] {"one", "two"}) {
            try (Progress progress = display.begin(step, "vertex")) {
                pass(Duration.ofSeconds(6));
                progress.update(600, Double.NaN, "");
            }
        }

        assertThat(err.toString().lines()).containsExactly("two: 600 vertices, 100 vertices/s");
    }

    @Test
    void onATerminalABarIsDrawnOverItself() {
        try (Progress progress = begin(ProgressStyle.AUTO, 110)) {
            progress.update(0, Double.NaN, "");
            pass(Duration.ofSeconds(12));
            progress.update(0, Double.NaN, "");
            pass(Duration.ofSeconds(5));
            progress.update(5_000, 0.25, "RF 2.00");
            pass(Duration.ofMillis(1));
            progress.update(5_001, 0.3, "too soon to be drawn");
            progress.update(20_000, 1, "RF 2.50");
        }

        assertThat(err.toString().split("\r"))
                .containsExactly(
                        "",
                        "partition: nothing yet, 0 s so far",
                        "partition: nothing yet, 12 s so far",
                        "partition  25 %: 5,000 edges, 1,000 edges/s after 12 s of start-up, RF 2.00, about 15 s left"
                                + " [===           ]",
                        "partition 100 %: 20,000 edges, 3,999 edges/s after 12 s of start-up, RF 2.50"
                                + " [==============================]" + System.lineSeparator());
    }

    @Test
    void aSentenceDuringAStepHasALineOfItsOwn() {
        Progress.Display display =
                new Progress.Display(ProgressStyle.AUTO, 80, new PrintWriter(err, true), () -> nanos);
        try (Progress progress = display.begin("ingest")) {
            progress.update(0, 1, "");
            display.say("a.txt is skipped");
            progress.update(0, 1, "");
        }
        display.say("done");

        String bar = "\ringest 100 %: nothing yet, 0 s so far [==============================]";
        assertThat(err.toString().split(System.lineSeparator())).containsExactly(bar, "a.txt is skipped", bar, "done");
    }

    @Test
    void whatDoesNotFitIntoTheTerminalIsLeftOut() {
        for (int columns = 2; columns <= 120; columns++) {
            err.getBuffer().setLength(0);
            try (Progress progress = begin(ProgressStyle.BAR, columns)) {
                pass(Duration.ofSeconds(10));
                progress.update(1_000_000, 0.1, "RF 2.00");
                pass(Duration.ofSeconds(10));
                progress.update(10_000_000, 1, "RF 2.50");
            }
            int limit = columns;
            String[] drawn = err.toString().strip().split("\r");
            assertThat(drawn).allSatisfy(line -> assertThat(line).hasSizeLessThan(limit));
            assertThat(drawn[0].contains("RF 2.00")).isEqualTo(columns > 75);
            assertThat(drawn[0]).matches(line -> limit < 90 || line.endsWith("]"));
        }
    }

    @Test
    void nothingIsShownWhenItIsOff() {
        Progress.Display display = new Progress.Display(ProgressStyle.OFF, 80, new PrintWriter(err, true), () -> nanos);
        display.say("starting");
        try (Progress progress = display.begin("partition")) {
            pass(Duration.ofMinutes(1));
            progress.update(500, 0.5, "");
        }

        assertThat(err.toString()).isEmpty();
    }
}
