/** Append-only files with checksums, and the positions that say how much of each file counts. */
@NullMarked
package io.cutwater.trainer.journal.file;

import org.jspecify.annotations.NullMarked;
