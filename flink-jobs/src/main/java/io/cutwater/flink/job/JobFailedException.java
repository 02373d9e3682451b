package io.cutwater.flink.job;

import org.apache.flink.runtime.execution.SuppressRestartsException;

/** Thrown when a job has failed; the message names the cause and is meant for users. */
public final class JobFailedException extends Exception {
    private static final long serialVersionUID = 1;

    private JobFailedException(String message, Throwable cause) {
        super(message, cause);
    }

    public static JobFailedException of(Throwable failure) {
        Throwable telling = failure;
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            telling = cause;
            if (isOurs(cause)) {
                break;
            }
        }
        String message = telling.getMessage();
        return new JobFailedException(
                message == null || message.isBlank() ? telling.getClass().getSimpleName() : message, failure);
    }

    /** Prefers exceptions of this program, because their messages are meant for users, to the causes that they wrap. */
    private static boolean isOurs(Throwable failure) {
        StackTraceElement[] trace = failure.getStackTrace();
        // Flink's marker of a final failure has no message of its own.
        return !(failure instanceof SuppressRestartsException)
                && failure.getMessage() != null
                && trace.length > 0
                && trace[0].getClassName().startsWith("io.cutwater.");
    }
}
