package io.cutwater.deploy.view;

import java.io.PrintWriter;
import java.time.Duration;
import java.util.Locale;
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
    private final PrintWriter err;
    private final LongSupplier nanoTime;
    private final boolean showsLines;
    private final @Nullable ProgressBar bar;
    private final long startedAt;
    private long lastLineAt;

    /**
     * Where and how progress is shown.
     *
     * @param isTerminal whether {@code err} is one
     * @param nanoTime a monotonic clock, in nanoseconds
     */
    public record Display(ProgressStyle style, boolean isTerminal, PrintWriter err, LongSupplier nanoTime) {
        /** Begins to show a step; closing the result ends it. */
        public Progress begin(String task) {
            return new Progress(task, this);
        }

        /** Prints a sentence, unless progress is off. */
        public void say(String sentence) {
            if (style != ProgressStyle.OFF) {
                err.println(sentence);
            }
        }
    }

    private Progress(String task, Display display) {
        this.task = task;
        err = display.err();
        nanoTime = display.nanoTime();
        ProgressStyle style = display.style();
        if (style == ProgressStyle.AUTO) {
            style = display.isTerminal() ? ProgressStyle.BAR : ProgressStyle.LINES;
        }
        showsLines = style == ProgressStyle.LINES;
        bar = style == ProgressStyle.BAR ? newBar() : null;
        startedAt = nanoTime.getAsLong();
        lastLineAt = startedAt;
    }

    private ProgressBar newBar() {
        return new ProgressBarBuilder()
                .setTaskName(task)
                .setInitialMax(-1)
                .setStyle(ProgressBarStyle.ASCII)
                .setUnit(" edges", 1)
                .setUpdateIntervalMillis(500)
                .showSpeed()
                .setConsumer(new BarLine(err))
                .build();
    }

    /**
     * Updates the progress of the step; may be called often.
     *
     * @param edges done so far
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
        if (showsLines && now - lastLineAt >= LINE_NANOS) {
            lastLineAt = now;
            err.println(line(edges, share, note, (now - startedAt) / 1e9));
        }
    }

    private String line(long edges, double share, String note, double seconds) {
        StringBuilder line = new StringBuilder(
                String.format(Locale.ROOT, "%s: %,d edges, %,.0f edges/s", task, edges, edges / seconds));
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
