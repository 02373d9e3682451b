package io.cutwater.flink.connector.transaction.fate;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;

/**
 * A Kafka transaction that was not known to be committed when a checkpoint was taken.
 *
 * @param edges that its records add to the graph
 * @param offsets of its records; their count is the number of records
 */
public record PendingTransaction(
        String transactionalId, long producerId, short epoch, long edges, TopicOffsets offsets) {
    /** Producer of a transaction of which an earlier build stored the id only. */
    private static final long UNKNOWN = -1;

    /** Creates a transaction from the state of an earlier build, which has its id only. */
    public static PendingTransaction known(String transactionalId) {
        return new PendingTransaction(transactionalId, UNKNOWN, (short) UNKNOWN, 0, new TopicOffsets());
    }

    public boolean isKnownById() {
        return producerId == UNKNOWN;
    }

    public void write(DataOutput out) throws IOException {
        out.writeUTF(transactionalId);
        out.writeLong(producerId);
        out.writeShort(epoch);
        out.writeLong(edges);
        offsets.write(out);
    }

    public static PendingTransaction read(DataInput in) throws IOException {
        return new PendingTransaction(
                in.readUTF(), in.readLong(), in.readShort(), in.readLong(), TopicOffsets.read(in));
    }
}
