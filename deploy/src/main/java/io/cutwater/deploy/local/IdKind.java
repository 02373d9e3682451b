package io.cutwater.deploy.local;

/** What the ids in edge files are. */
public enum IdKind {
    /** Signed 64-bit integers. */
    INTEGER,
    /** Any text without blanks, commas and line ends. */
    TEXT
}
