package io.cutwater.flink.job.topology;

import io.cutwater.flink.operator.distributed.UpdateSource;
import io.cutwater.state.feedback.VertexUpdate;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.function.Consumer;

/** Delivers the updates of a loop late: those of a bucket in their order, buckets in any order. */
final class SlowLoop implements UpdateSource {
    private static final long serialVersionUID = 1;

    private final UpdateSource loop;
    private final long seed;

    SlowLoop(UpdateSource loop, long seed) {
        this.loop = loop;
        this.seed = seed;
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
        SplittableRandom random = new SplittableRandom(seed + first);
        Map<Integer, Deque<VertexUpdate>> held = new TreeMap<>();
        return new HoldingReader(loop.open(first, end, buckets), new HoldingReader.Hold() {
            @Override
            public List<VertexUpdate> release(List<VertexUpdate> updates) {
                for (VertexUpdate update : updates) {
                    held.computeIfAbsent(update.bucket(), bucket -> new ArrayDeque<>())
                            .add(update);
                }
                List<VertexUpdate> released = new ArrayList<>();
                for (Iterator<Deque<VertexUpdate>> buckets = held.values().iterator(); buckets.hasNext(); ) {
                    Deque<VertexUpdate> bucket = buckets.next();
                    for (int some = random.nextInt(2) * random.nextInt(1, 40); some > 0 && !bucket.isEmpty(); some--) {
                        released.add(bucket.remove());
                    }
                    if (bucket.isEmpty()) {
                        buckets.remove();
                    }
                }
                return released;
            }

            @Override
            public long size() {
                return held.values().stream().mapToLong(Deque::size).sum();
            }
        });
    }
}
