package io.cutwater.trainer.journal.file;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Thrown if a file of a journal is damaged. The journal is empty after that and reads its topic again. */
public final class DamagedJournalException extends IOException {
    private static final long serialVersionUID = 1;

    DamagedJournalException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
