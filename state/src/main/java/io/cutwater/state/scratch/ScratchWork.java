package io.cutwater.state.scratch;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.ClosedByInterruptException;

/** Work on scratch files, which ends soon after its thread is interrupted. */
@FunctionalInterface
public interface ScratchWork {
    /** Does the work; a pass that cannot read throws {@link UncheckedIOException}. */
    void run() throws IOException;

    /**
     * Does some work.
     *
     * @throws IOException if a file cannot be read or written
     * @throws InterruptedException soon after the thread was interrupted
     */
    static void run(ScratchWork work) throws IOException, InterruptedException {
        try {
            work.run();
        } catch (ClosedByInterruptException e) {
            throw interrupted(e);
        } catch (UncheckedIOException e) {
            if (e.getCause() instanceof ClosedByInterruptException) {
                throw interrupted(e);
            }
            throw e.getCause();
        }
    }

    private static InterruptedException interrupted(Exception cause) {
        Thread.interrupted(); // the exception says it from now on
        InterruptedException exception = new InterruptedException("the work was interrupted");
        exception.initCause(cause);
        return exception;
    }
}
