package io.cutwater.flink.operator;

import io.cutwater.flink.connector.restore.FinalFailure;
import java.nio.ByteBuffer;
import java.util.List;
import org.apache.flink.api.common.state.ListState;
import org.apache.flink.api.common.state.ListStateDescriptor;
import org.apache.flink.api.common.typeutils.base.array.BytePrimitiveArraySerializer;
import org.apache.flink.runtime.state.StateInitializationContext;
import org.jspecify.annotations.Nullable;

/**
 * State that an operator of parallelism 1 has in every checkpoint: a version (1 byte), then what the operator writes.
 * If it is missing from a checkpoint, the job began without the operator, which then lacks all that has come before.
 */
public final class BeginningState {
    private final ListState<byte[]> state;
    private final byte version;
    private final boolean isMissing;
    private final @Nullable ByteBuffer restored;

    /**
     * Reads the state.
     *
     * @param version that this build reads and writes
     * @param content what it is, for errors, such as {@code edges by key}
     * @throws IllegalStateException if it is of another version
     */
    public BeginningState(
            StateInitializationContext context, ListStateDescriptor<byte[]> descriptor, byte version, String content)
            throws Exception {
        this.version = version;
        state = context.getOperatorStateStore().getListState(descriptor);
        ByteBuffer found = null;
        for (byte[] bytes : state.get()) {
            found = ByteBuffer.wrap(bytes);
            byte stored = found.get();
            if (stored != version) {
                throw new IllegalStateException(
                        "%s of version %d; this build reads %d".formatted(content, stored, version));
            }
        }
        restored = found;
        isMissing = found == null && context.isRestored();
    }

    public static ListStateDescriptor<byte[]> describe(String name) {
        return new ListStateDescriptor<>(name, BytePrimitiveArraySerializer.INSTANCE);
    }

    /** Returns whether the job began without the operator. */
    public boolean isMissing() {
        return isMissing;
    }

    /** Returns the failure of a job that began without an option, and what it lacks, which ends it. */
    public static RuntimeException missing(String option, String lack) {
        return FinalFailure.of(
                "the job began without %1$s, so %2$s; leave %1$s out, or submit a new job with another --topic-prefix"
                        .formatted(option, lack));
    }

    /**
     * Returns what the operator has written; null in the first attempt of a job.
     *
     * @throws RuntimeException see {@link #missing}, if it is missing
     */
    @Nullable ByteBuffer required(String option, String lack) {
        if (isMissing) {
            throw missing(option, lack);
        }
        return restored;
    }

    /** Writes numbers of 8 bytes each, and then bytes. */
    public void update(byte[] bytes, long... numbers) throws Exception {
        ByteBuffer out = ByteBuffer.allocate(1 + Long.BYTES * numbers.length + bytes.length);
        out.put(version).asLongBuffer().put(numbers);
        out.position(1 + Long.BYTES * numbers.length).put(bytes);
        state.update(List.of(out.array()));
    }

    /** Writes numbers of 8 bytes each. */
    public void update(long... numbers) throws Exception {
        update(new byte[0], numbers);
    }
}
