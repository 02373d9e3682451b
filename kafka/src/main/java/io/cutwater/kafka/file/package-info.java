/** Edge files of every format, and other tools' assignments, read in batches of primitives and resumable anywhere. */
@NullMarked
package io.cutwater.kafka.file;

import org.jspecify.annotations.NullMarked;
