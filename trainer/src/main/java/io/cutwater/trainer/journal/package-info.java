/**
 * The records of a live job's topics, kept on disk by shard, and the partition book. Contacts no broker.
 *
 * <p>The journal is not a RocksDB on purpose. It has one access pattern: append in batches, then read everything in
 * hash order at one of the last three cuts. RocksDB pays for point reads, which nobody makes: with the same 2.8 million
 * records it took 12 times the CPU time to append, 3 to 7 times to read, and twice the disk for three cuts; the figures
 * are in {@code deploy/docs/reference/benchmarks-training.md}. In addition, {@code rocksdbjni} (72 MB) and the fork
 * that Flink brings both define {@code org.rocksdb} and would collide on the class path of the product.
 */
@NullMarked
package io.cutwater.trainer.journal;

import org.jspecify.annotations.NullMarked;
