package io.cutwater.kafka.field;

/** The bytes of a record do not fit its schema. It has no stack trace: it becomes the reason of a dead letter. */
public final class MalformedBytesException extends RuntimeException {
    private static final long serialVersionUID = 1;

    /** @param reason a sentence about the record, which begins with "it" */
    public MalformedBytesException(String reason) {
        super(reason, null, false, false);
    }
}
