package io.cutwater.deploy.cluster.rest;

import java.util.List;

/** Extracts the part of a stack trace that tells a user what has failed. */
final class FailureCause {
    private static final String CAUSED_BY = "Caused by: ";
    private static final String OUR_FRAME = "at io.cutwater.";

    private FailureCause() {}

    /**
     * Returns the message of the outermost exception that our own code has thrown, which is a sentence; without any,
     * the name and message of the innermost one, since frameworks only say that something failed.
     *
     * @param stackTrace as Flink's REST endpoint gives it
     */
    static String of(String stackTrace) {
        List<String> lines = stackTrace.lines().map(String::strip).toList();
        String innermost = "";
        for (int i = 0; i < lines.size(); i++) {
            String line = lines.get(i);
            if (i == 0 || line.startsWith(CAUSED_BY)) {
                innermost = line.startsWith(CAUSED_BY) ? line.substring(CAUSED_BY.length()) : line;
                if (isOurs(lines, i + 1)) {
                    return message(innermost);
                }
            }
        }
        return innermost.isEmpty() ? "Flink does not say why" : simple(innermost);
    }

    /** A message may have several lines before the first frame. */
    private static boolean isOurs(List<String> lines, int from) {
        for (int i = from; i < lines.size() && !lines.get(i).startsWith(CAUSED_BY); i++) {
            if (lines.get(i).startsWith("at ")) {
                return lines.get(i).startsWith(OUR_FRAME);
            }
        }
        return false;
    }

    private static String message(String header) {
        int colon = header.indexOf(": ");
        return colon < 0 ? simple(header) : header.substring(colon + 2);
    }

    private static String simple(String header) {
        int colon = header.indexOf(": ");
        String name = colon < 0 ? header : header.substring(0, colon);
        return header.substring(name.lastIndexOf('.') + 1);
    }
}
