/** Where a job reads from and writes to: files, Kafka topics, and the output folder's staging area. */
@NullMarked
package io.cutwater.flink.connector;

import org.jspecify.annotations.NullMarked;
