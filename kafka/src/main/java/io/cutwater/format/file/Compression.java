package io.cutwater.format.file;

import java.nio.file.Path;
import java.util.Locale;

/** The compression of a file, told from the end of its name. */
public enum Compression {
    NONE("", ""),
    GZIP(".gz", "gzip"),
    ZSTD(".zst", "zstd");

    private final String suffix;
    private final String tool;

    Compression(String suffix, String tool) {
        this.suffix = suffix;
        this.tool = tool;
    }

    public static Compression ofName(Path file) {
        String name = String.valueOf(file.getFileName()).toLowerCase(Locale.ROOT);
        return name.endsWith(GZIP.suffix) ? GZIP : name.endsWith(ZSTD.suffix) ? ZSTD : NONE;
    }

    /** The end of the name; empty for none. */
    public String suffix() {
        return suffix;
    }

    /** The program that compresses and tests such files; empty for none. */
    public String tool() {
        return tool;
    }
}
