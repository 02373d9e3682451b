/** Records of topic {@code partition-book}. */
@NullMarked
package io.cutwater.kafka.book;

import org.jspecify.annotations.NullMarked;
