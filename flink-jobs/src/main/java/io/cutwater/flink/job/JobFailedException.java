package io.cutwater.flink.job;

import org.apache.flink.runtime.execution.SuppressRestartsException;

/** A job has ended with a failure; the message is the sentence that names the cause. */
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

    /** The messages of exceptions that this program throws are sentences; what they wrap tells less. */
    private static boolean isOurs(Throwable failure) {
        StackTraceElement[] trace = failure.getStackTrace();
        // Flink's sign that a failure is final says nothing of it.
        return !(failure instanceof SuppressRestartsException)
                && failure.getMessage() != null
                && trace.length > 0
                && trace[0].getClassName().startsWith("io.cutwater.");
    }
}
