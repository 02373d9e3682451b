package io.cutwater.flink.connector.transaction;

import io.cutwater.flink.connector.transaction.fate.PendingTransaction;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.connector.kafka.sink.KafkaWriterState;
import org.apache.flink.connector.kafka.sink.internal.CheckpointTransaction;
import org.apache.flink.core.io.SimpleVersionedSerializer;

/**
 * Serializes the connector's state and the pending transactions. Versions below this one's are those of the connector
 * alone, in state of earlier builds.
 */
final class WriterStateSerializer implements SimpleVersionedSerializer<WriterState> {
    /** Far above the connector's own versions, which are 2 and lower. */
    private static final int VERSION = 1_001;

    private final SimpleVersionedSerializer<KafkaWriterState> connector;

    WriterStateSerializer(SimpleVersionedSerializer<KafkaWriterState> connector) {
        this.connector = connector;
    }

    @Override
    public int getVersion() {
        return VERSION;
    }

    @Override
    public byte[] serialize(WriterState state) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (DataOutputStream out = new DataOutputStream(bytes)) {
            byte[] inner = connector.serialize(state.connector());
            out.writeInt(connector.getVersion());
            out.writeInt(inner.length);
            out.write(inner);
            out.writeUTF(state.job());
            out.writeInt(state.pending().size());
            for (PendingTransaction transaction : state.pending()) {
                transaction.write(out);
            }
        }
        return bytes.toByteArray();
    }

    @Override
    public WriterState deserialize(int version, byte[] serialized) throws IOException {
        if (version < VERSION) {
            KafkaWriterState state = connector.deserialize(version, serialized);
            return new WriterState(
                    state,
                    "",
                    state.getPrecommittedTransactionalIds().stream()
                            .map(CheckpointTransaction::getTransactionalId)
                            .map(PendingTransaction::known)
                            .toList());
        }
        if (version > VERSION) {
            throw new IOException(
                    "the state of a Kafka sink has version %d, and this build reads %d at most; resume the job with the build that wrote it"
                            .formatted(version, VERSION));
        }
        try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(serialized))) {
            int innerVersion = in.readInt();
            byte[] inner = in.readNBytes(in.readInt());
            KafkaWriterState state = connector.deserialize(innerVersion, inner);
            String job = in.readUTF();
            int count = in.readInt();
            List<PendingTransaction> pending = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                pending.add(PendingTransaction.read(in));
            }
            return new WriterState(state, job, pending);
        }
    }
}
