/** The output folder: staged while the job runs, completed when it ends, read back and recounted afterwards. */
@NullMarked
package io.cutwater.kafka.folder;

import org.jspecify.annotations.NullMarked;
