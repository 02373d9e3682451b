package io.cutwater.flink.connector.transaction;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;

/**
 * A Kafka transaction that a checkpoint names because it was not known to be committed.
 *
 * @param edges that its records bring into the graph
 * @param offsets where its records are; the count of these is that of the records
 */
record PendingTransaction(String transactionalId, long producerId, short epoch, long edges, TopicOffsets offsets) {
    /** Producer of a transaction of which an earlier build wrote down the id only. */
    private static final long UNKNOWN = -1;

    /** One that an earlier build wrote: its id is all that is known of it. */
    static PendingTransaction known(String transactionalId) {
        return new PendingTransaction(transactionalId, UNKNOWN, (short) UNKNOWN, 0, new TopicOffsets());
    }

    boolean isKnownById() {
        return producerId == UNKNOWN;
    }

    void write(DataOutput out) throws IOException {
        out.writeUTF(transactionalId);
        out.writeLong(producerId);
        out.writeShort(epoch);
        out.writeLong(edges);
        offsets.write(out);
    }

    static PendingTransaction read(DataInput in) throws IOException {
        return new PendingTransaction(
                in.readUTF(), in.readLong(), in.readShort(), in.readLong(), TopicOffsets.read(in));
    }
}
