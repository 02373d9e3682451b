package io.cutwater.deploy.doctor;

/**
 * The result of one check.
 *
 * @param check its name, one word or two
 * @param text what was found
 * @param advice what to change; empty if nothing
 */
public record Finding(String check, State state, String text, String advice) {
    /** Whether something has to be changed. */
    public enum State {
        OK,
        /** It works, until something grows or fails. */
        WARNING,
        /** It does not work. */
        FAILED
    }

    static Finding ok(String check, String text) {
        return new Finding(check, State.OK, text, "");
    }

    static Finding warning(String check, String text, String advice) {
        return new Finding(check, State.WARNING, text, advice);
    }

    static Finding failed(String check, String text, String advice) {
        return new Finding(check, State.FAILED, text, advice);
    }
}
