/** Vertices whose ids are hashes of text: how records become ids, and topic {@code ids} from ids to texts. */
@NullMarked
package io.cutwater.kafka.textid;

import org.jspecify.annotations.NullMarked;
