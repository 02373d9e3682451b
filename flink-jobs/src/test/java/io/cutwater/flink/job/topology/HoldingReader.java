package io.cutwater.flink.job.topology;

import io.cutwater.flink.operator.distributed.UpdateSource;
import io.cutwater.state.feedback.VertexUpdate;
import java.util.List;

/** A reader of a loop that holds updates back. */
record HoldingReader(UpdateSource.Reader reader, Hold hold) implements UpdateSource.Reader {
    /** The updates that are held back. */
    interface Hold {
        /** Takes updates, and returns those that are released now. */
        List<VertexUpdate> release(List<VertexUpdate> updates);

        long size();
    }

    @Override
    public List<VertexUpdate> poll() {
        return hold.release(reader.poll());
    }

    @Override
    public long malformed() {
        return reader.malformed();
    }

    @Override
    public long sentMillis() {
        return reader.sentMillis();
    }

    @Override
    public long waiting() {
        return reader.waiting() + hold.size();
    }

    @Override
    public void wakeUp() {
        reader.wakeUp();
    }

    @Override
    public void close() {
        reader.close();
    }
}
