package io.cutwater.deploy.view;

import java.io.PrintWriter;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarConsumer;
import me.tongfei.progressbar.ProgressBarStyle;
import org.jspecify.annotations.Nullable;

/**
 * Shows the progress of one step of long work on standard error: a bar that moves on a terminal, a line every ten
 * seconds elsewhere.
 */
public final class Progress implements AutoCloseable {
    private static final long LINE_NANOS = Duration.ofSeconds(10).toNanos();
    private static final int BAR_COLUMNS = 110;

    private final String task;
    private final String unit;
    private final Display display;
    private final PrintWriter err;
    private final LongSupplier nanoTime;
    private final boolean showsLines;
    private final @Nullable ProgressBar bar;
    private final long startedAt;
    /** When the first work was done: what was before is start-up, and no part of the rate. */
    private long workedAt;

    private long workedFrom;
    private boolean isWorking;

    /**
     * Where and how progress is shown.
     *
     * @param isTerminal whether {@code err} is one
     * @param nanoTime a monotonic clock, in nanoseconds
     */
    public record Display(
            ProgressStyle style, boolean isTerminal, PrintWriter err, LongSupplier nanoTime, AtomicLong lastLine) {
        /** Creates a display that shows its first line ten seconds from now. */
        public Display(ProgressStyle style, boolean isTerminal, PrintWriter err, LongSupplier nanoTime) {
            this(style, isTerminal, err, nanoTime, new AtomicLong(nanoTime.getAsLong()));
        }

        /** Begins to show a step over edges; closing the result ends it. */
        public Progress begin(String task) {
            return begin(task, "edges");
        }

        /**
         * Begins to show a step; closing the result ends it.
         *
         * @param unit what is counted, in the plural
         */
        public Progress begin(String task, String unit) {
            return new Progress(task, unit, this);
        }

        /** Prints a sentence, unless progress is off. */
        public void say(String sentence) {
            if (style != ProgressStyle.OFF) {
                err.println(sentence);
            }
        }
    }

    private Progress(String task, String unit, Display display) {
        this.task = task;
        this.unit = unit;
        this.display = display;
        err = display.err();
        nanoTime = display.nanoTime();
        ProgressStyle style = display.style();
        if (style == ProgressStyle.AUTO) {
            style = display.isTerminal() ? ProgressStyle.BAR : ProgressStyle.LINES;
        }
        showsLines = style == ProgressStyle.LINES;
        bar = style == ProgressStyle.BAR ? newBar() : null;
        startedAt = nanoTime.getAsLong();
    }

    private ProgressBar newBar() {
        return new ProgressBarBuilder()
                .setTaskName(task)
                .setInitialMax(-1)
                .setStyle(ProgressBarStyle.ASCII)
                .setUnit(" " + unit, 1)
                .setUpdateIntervalMillis(500)
                .showSpeed()
                .setConsumer(new BarLine(err))
                .build();
    }

    /**
     * Updates the progress of the step; may be called often. Calls with 0 are start-up, which is no part of the rate.
     *
     * @param edges done so far, or what else the step counts
     * @param share of the work that is done, 0 to 1; NaN if unknown
     * @param note further text, such as the replication factor so far; may be empty
     */
    public void update(long edges, double share, String note) {
        if (bar != null) {
            bar.maxHint(share > 0 ? Math.max(edges, Math.round(edges / share)) : -1);
            bar.stepTo(edges);
            bar.setExtraMessage(" " + note); // the bar puts the note directly after the rate
        }
        long now = nanoTime.getAsLong();
        if (!isWorking && edges == 0) {
            workedAt = now;
        } else if (!isWorking) {
            isWorking = true;
            workedFrom = workedAt == 0 ? startedAt : workedAt;
        }
        // Several short steps share a clock, so that a command is never silent for longer.
        if (showsLines && now - display.lastLine().get() >= LINE_NANOS) {
            display.lastLine().set(now);
            err.println(line(edges, share, note, now));
        }
    }

    private String line(long edges, double share, String note, long now) {
        double seconds = (now - startedAt) / 1e9;
        StringBuilder line = new StringBuilder(task).append(": ");
        if (!isWorking) {
            line.append(String.format(Locale.ROOT, "nothing yet, %.0f s so far", seconds));
        } else {
            double rate = edges / Math.max(1e-9, (now - workedFrom) / 1e9);
            line.append(String.format(Locale.ROOT, "%,d %s, %,.0f %s/s", edges, unit, rate, unit));
            double startUp = (workedFrom - startedAt) / 1e9;
            if (startUp >= 1) {
                line.append(String.format(Locale.ROOT, " after %.0f s of start-up", startUp));
            }
        }
        if (!note.isEmpty()) {
            line.append(", ").append(note);
        }
        if (share > 0 && share < 1) {
            line.append(String.format(Locale.ROOT, ", about %.0f s left", Math.ceil(seconds / share - seconds)));
        }
        return line.toString();
    }

    @Override
    public void close() {
        if (bar != null) {
            bar.close();
        }
    }

    /** A line of the terminal that is overwritten. */
    private record BarLine(PrintWriter err) implements ProgressBarConsumer {
        @Override
        public int getMaxRenderedLength() {
            return BAR_COLUMNS;
        }

        @Override
        public void accept(String rendered) {
            err.print('\r' + rendered);
            err.flush();
        }

        @Override
        public void close() {
            err.println();
        }
    }
}
