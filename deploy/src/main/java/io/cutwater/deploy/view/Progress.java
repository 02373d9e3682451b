package io.cutwater.deploy.view;

import io.cutwater.state.text.Counted;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/**
 * Shows the progress of one step of long work on standard error: a bar that is drawn over itself on a terminal, a line
 * every ten seconds elsewhere.
 */
public final class Progress implements AutoCloseable {
    private static final long LINE_NANOS = Duration.ofSeconds(10).toNanos();
    private static final long BAR_NANOS = Duration.ofMillis(250).toNanos();
    private static final int WIDEST_BAR = 30;
    private static final int NARROWEST_BAR = 8;
    /** If the terminal's width is not known. */
    private static final int BAR_COLUMNS = 80;
    /** Rates over less time say nothing. */
    private static final double LEAST_SECONDS = 0.1;

    private final String task;
    private final String unit;
    private final Display display;
    private final PrintWriter err;
    private final LongSupplier nanoTime;
    private final ProgressStyle style;
    private final long startedAt;
    /** When the first work was done: what was before is start-up, and no part of the rate. */
    private long workedAt;

    private long workedFrom;
    private boolean isWorking;
    private long done;
    /** When the count last grew: what follows it, such as passes over what was read, is no part of the rate. */
    private long grownAt;

    private long drawnAt;
    private String bar = "";

    /**
     * Where and how progress is shown.
     *
     * @param columns of the terminal that {@code err} is; 0 if it is none
     * @param nanoTime a monotonic clock, in nanoseconds
     * @param lastLine when the last line was shown
     * @param isInBar whether a bar is in the current line
     */
    public record Display(
            ProgressStyle style,
            int columns,
            PrintWriter err,
            LongSupplier nanoTime,
            AtomicLong lastLine,
            AtomicBoolean isInBar) {
        /** Creates a display that shows its first line ten seconds from now. */
        public Display(ProgressStyle style, int columns, PrintWriter err, LongSupplier nanoTime) {
            this(style, columns, err, nanoTime, new AtomicLong(nanoTime.getAsLong()), new AtomicBoolean());
        }

        /** Begins to show a step over edges; closing the result ends it. */
        public Progress begin(String task) {
            return begin(task, "edge");
        }

        /**
         * Begins to show a step; closing the result ends it.
         *
         * @param unit what is counted, in the singular
         */
        public Progress begin(String task, String unit) {
            return new Progress(task, unit, this);
        }

        /** Prints a sentence in a line of its own, unless progress is off. */
        public void say(String sentence) {
            if (style != ProgressStyle.OFF) {
                Interruption.show(() -> {
                    endBar();
                    err.println(sentence);
                });
            }
        }

        private void endBar() {
            if (isInBar.getAndSet(false)) {
                err.println();
            }
        }
    }

    private Progress(String task, String unit, Display display) {
        this.task = task;
        this.unit = unit;
        this.display = display;
        err = display.err();
        nanoTime = display.nanoTime();
        style = display.style() == ProgressStyle.AUTO
                ? display.columns() > 0 ? ProgressStyle.BAR : ProgressStyle.LINES
                : display.style();
        startedAt = nanoTime.getAsLong();
        drawnAt = startedAt - BAR_NANOS;
    }

    /**
     * Updates the progress of the step; may be called often. Calls with 0 are start-up, which is no part of the rate.
     *
     * @param edges done so far, or what else the step counts
     * @param share of the work that is done, 0 to 1; NaN if unknown
     * @param note further text, such as the replication factor so far; may be empty
     */
    public void update(long edges, double share, String note) {
        long now = nanoTime.getAsLong();
        if (!isWorking && edges == 0) {
            workedAt = now;
        } else if (!isWorking) {
            isWorking = true;
            workedFrom = workedAt == 0 ? startedAt : workedAt;
        }
        if (edges != done) {
            done = edges;
            grownAt = now;
        }
        // The end is drawn however soon it comes.
        if (style == ProgressStyle.BAR && (now - drawnAt >= BAR_NANOS || share >= 1)) {
            drawnAt = now;
            draw(share, note, now);
        }
        // Several short steps share a clock, so that a command is never silent for longer.
        if (style == ProgressStyle.LINES && now - display.lastLine().get() >= LINE_NANOS) {
            display.lastLine().set(now);
            String line = task + ": " + counts(now) + startUp() + join(note) + left(share, now);
            Interruption.show(() -> err.println(line));
        }
    }

    /** Draws as much as fits into a line: the counts, the time left, the note, start-up, and a bar in the rest. */
    private void draw(double share, String note, long now) {
        int columns = (display.columns() > 0 ? display.columns() : BAR_COLUMNS) - 1; // the last one may wrap
        String counts = (Double.isNaN(share) ? task : "%s %3.0f %%".formatted(task, Math.floor(100 * share))) + ": "
                + counts(now);
        String left = left(share, now);
        String line = List.of(startUp() + join(note) + left, join(note) + left, left).stream()
                .map(more -> counts + more)
                .filter(whole -> whole.length() <= columns)
                .findFirst()
                .orElse(counts);
        int cells = Math.min(WIDEST_BAR, columns - line.length() - 3);
        if (!Double.isNaN(share) && cells >= NARROWEST_BAR) {
            int full = (int) Math.floor(cells * Math.min(1, share));
            line += " [" + "=".repeat(full) + " ".repeat(cells - full) + "]";
        }
        String shown = line.substring(0, Math.min(line.length(), columns));
        Interruption.show(() -> {
            String before = display.isInBar().getAndSet(true) ? bar : "";
            err.print('\r' + shown + " ".repeat(Math.max(0, before.length() - shown.length())));
            err.flush();
            bar = shown;
        });
    }

    private String counts(long now) {
        if (!isWorking) {
            return String.format(Locale.ROOT, "nothing yet, %.0f s so far", (now - startedAt) / 1e9);
        }
        double seconds = workSeconds(grownAt);
        return Counted.of(done, unit)
                + (seconds < LEAST_SECONDS
                        ? ""
                        : String.format(Locale.ROOT, ", %,.0f %s/s", done / seconds, Counted.plural(unit)));
    }

    private String startUp() {
        double seconds = isWorking ? (workedFrom - startedAt) / 1e9 : 0;
        return seconds < 1 ? "" : String.format(Locale.ROOT, " after %.0f s of start-up", seconds);
    }

    private static String join(String note) {
        return note.isEmpty() ? "" : ", " + note;
    }

    private String left(double share, long now) {
        return isWorking && share > 0 && share < 1 && workSeconds(now) >= LEAST_SECONDS
                ? String.format(Locale.ROOT, ", about %.0f s left", Math.ceil(workSeconds(now) * (1 - share) / share))
                : "";
    }

    private double workSeconds(long until) {
        return (until - workedFrom) / 1e9;
    }

    @Override
    public void close() {
        Interruption.show(display::endBar);
    }
}
