/** The output folder: staged while the job runs, completed when it ends, and read back. */
@NullMarked
package io.cutwater.format.folder;

import org.jspecify.annotations.NullMarked;
