package io.cutwater.deploy.local;

/** Type of the ids in edge files. */
public enum IdKind {
    /** Signed 64-bit integers. */
    INTEGER,
    /** Any text without blanks, commas and line ends. */
    TEXT
}
