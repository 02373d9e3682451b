package io.cutwater.deploy.view;

/** The form in which long work shows its progress. */
public enum ProgressStyle {
    /** A bar on a terminal, lines elsewhere. */
    AUTO,
    BAR,
    /** A line every ten seconds. */
    LINES,
    OFF
}
