/**
 * What was read of topics, kept on disk: files that only grow, which are cut back to what was committed and written
 * anew without what has gone. No broker is asked here.
 */
@NullMarked
package io.cutwater.trainer.journal;

import org.jspecify.annotations.NullMarked;
