/**
 * What travels as bytes: edge events, edge batches, shard records, the partition book and the run's report. Every
 * layout of ours begins with a version byte; nothing here knows a broker.
 */
@NullMarked
package io.cutwater.kafka.record;

import org.jspecify.annotations.NullMarked;
