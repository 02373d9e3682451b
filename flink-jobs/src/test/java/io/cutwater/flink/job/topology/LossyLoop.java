package io.cutwater.flink.job.topology;

import io.cutwater.flink.operator.distributed.UpdateSource;
import io.cutwater.state.feedback.VertexUpdate;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Loses the last update of every bucket: the one before the word that there will be no more. */
final class LossyLoop implements UpdateSource {
    private static final long serialVersionUID = 1;

    private final UpdateSource loop;

    LossyLoop(UpdateSource loop) {
        this.loop = loop;
    }

    @Override
    public Reader open(int first, int end, int buckets) {
        Reader reader = loop.open(first, end, buckets);
        Map<Integer, VertexUpdate> last = new HashMap<>();
        return new Reader() {
            @Override
            public List<VertexUpdate> poll() {
                List<VertexUpdate> released = new ArrayList<>();
                for (VertexUpdate update : reader.poll()) {
                    VertexUpdate before = update.isEnd() ? update : last.put(update.bucket(), update);
                    if (before != null) {
                        released.add(before);
                    }
                }
                return released;
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
                return reader.waiting() + last.size();
            }

            @Override
            public void wakeUp() {
                reader.wakeUp();
            }

            @Override
            public void close() {
                reader.close();
            }
        };
    }
}
