/** Rules and checks for a restored job: which losses are accepted, whether another job owns the topics. */
@NullMarked
package io.cutwater.flink.connector.restore;

import org.jspecify.annotations.NullMarked;
