package io.cutwater.deploy.view;

import java.io.PrintWriter;
import java.util.function.Supplier;

/**
 * Says what state things are in when the process is told to end (Ctrl-C, SIGTERM) during work; the process ends as it
 * would without it.
 */
public final class Interruption implements AutoCloseable {
    private static volatile boolean hasHappened;

    private final Thread hook;

    /**
     * Begins to wait for the signal.
     *
     * @param state what is kept and what the same command will do next; asked when the signal comes
     */
    public Interruption(PrintWriter err, Supplier<String> state) {
        hook = new Thread(
                () -> {
                    String kept = state.get();
                    synchronized (Interruption.class) {
                        hasHappened = true;
                        // A bar or the terminal's ^C is in the line.
                        err.println();
                        err.println("cutwater: interrupted; " + kept);
                        err.flush();
                    }
                },
                "interruption");
        Runtime.getRuntime().addShutdownHook(hook);
    }

    /** Returns whether the process is ending and has said so; what fails now, fails because of that. */
    public static boolean hasHappened() {
        return hasHappened;
    }

    /** Shows progress, unless the process is ending and has said so: nothing may follow that. */
    static void show(Runnable progress) {
        synchronized (Interruption.class) {
            if (!hasHappened) {
                progress.run();
            }
        }
    }

    /** Ends the waiting: the work is done, or has failed with a message of its own. */
    @Override
    public void close() {
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException e) {
            // the process is already ending, and the hook runs
        }
    }
}
