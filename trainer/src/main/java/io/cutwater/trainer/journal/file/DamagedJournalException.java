package io.cutwater.trainer.journal.file;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** A file does not hold what was written to it; the journal begins anew when it is asked next. */
public final class DamagedJournalException extends IOException {
    private static final long serialVersionUID = 1;

    DamagedJournalException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
