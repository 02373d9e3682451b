package io.cutwater.flink.job.topology;

import io.cutwater.flink.operator.distributed.UpdateSource;
import io.cutwater.state.feedback.VertexUpdate;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;

/** Gives the updates of a loop away late: each bucket's in their order, but no two buckets' in any. */
final class SlowLoop implements UpdateSource {
    private static final long serialVersionUID = 1;

    private final UpdateSource loop;
    private final long seed;

    SlowLoop(UpdateSource loop, long seed) {
        this.loop = loop;
        this.seed = seed;
    }

    @Override
    public Reader open(int first, int end, int buckets) {
        Reader reader = loop.open(first, end, buckets);
        SplittableRandom random = new SplittableRandom(seed + first);
        Map<Integer, Deque<VertexUpdate>> held = new TreeMap<>();
        return new Reader() {
            @Override
            public List<VertexUpdate> poll() {
                for (VertexUpdate update : reader.poll()) {
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
            public long malformed() {
                return reader.malformed();
            }

            @Override
            public long sentMillis() {
                return reader.sentMillis();
            }

            @Override
            public long waiting() {
                return reader.waiting()
                        + held.values().stream().mapToLong(Deque::size).sum();
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
