package io.cutwater.deploy.view;

import java.io.Writer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Standard error as events of the log: each line that a command prints there is one of them. */
public final class EventWriter extends Writer {
    private static final String PREFIX = "cutwater: ";
    private static final String NOTE = PREFIX + "note: ";

    private final StringBuilder line = new StringBuilder();

    @Override
    public void write(char[] text, int from, int length) {
        synchronized (lock) {
            for (int i = from; i < from + length; i++) {
                if (text[i] == '\n') {
                    endLine();
                } else if (text[i] != '\r') {
                    line.append(text[i]);
                }
            }
        }
    }

    private void endLine() {
        String text = line.toString().strip();
        line.setLength(0);
        // Not before the first line: other options of the command line configure the log.
        Logger log = LoggerFactory.getLogger("cutwater");
        if (text.startsWith(NOTE)) {
            log.warn("{}", text.substring(NOTE.length()));
        } else if (text.startsWith(PREFIX)) {
            log.error("{}", text.substring(PREFIX.length()));
        } else if (!text.isEmpty()) {
            log.info("{}", text);
        }
    }

    /** Does nothing: an event is a whole line. */
    @Override
    public void flush() {}

    @Override
    public void close() {
        synchronized (lock) {
            endLine();
        }
    }
}
