package io.cutwater.flink.job.topology;

import io.cutwater.flink.operator.distributed.UpdateSource;
import io.cutwater.state.feedback.VertexUpdate;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** Loses the last update of every bucket before its end mark. */
final class LossyLoop implements UpdateSource {
    private static final long serialVersionUID = 1;

    private final UpdateSource loop;

    LossyLoop(UpdateSource loop) {
        this.loop = loop;
    }

    @Override
    public Sender sender(int buckets, Consumer<IOException> failed) throws IOException {
        return loop.sender(buckets, failed);
    }

    @Override
    public long loop() {
        return loop.loop();
    }

    @Override
    public Reader open(int first, int end, int buckets) {
        Map<Integer, VertexUpdate> last = new HashMap<>();
        return new HoldingReader(loop.open(first, end, buckets), new HoldingReader.Hold() {
            @Override
            public List<VertexUpdate> release(List<VertexUpdate> updates) {
                List<VertexUpdate> released = new ArrayList<>();
                for (VertexUpdate update : updates) {
                    VertexUpdate before = update.isEnd() ? update : last.put(update.bucket(), update);
                    if (before != null) {
                        released.add(before);
                    }
                }
                return released;
            }

            @Override
            public long size() {
                return last.size();
            }
        });
    }
}
