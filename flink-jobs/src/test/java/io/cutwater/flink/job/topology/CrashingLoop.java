package io.cutwater.flink.job.topology;

import io.cutwater.flink.operator.distributed.UpdateSource;
import io.cutwater.state.feedback.VertexUpdate;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

/**
 * A loop of a job that gets the edges of one task from its tables, of which the first attempts fail: before a table has
 * answered, amid the answers, when all are there, and when a table gets its first update, which may be before the first
 * checkpoint.
 */
public final class CrashingLoop implements UpdateSource {
    /** Attempts that fail. */
    public static final int CRASHES = 4;

    private static final long serialVersionUID = 1;
    private static final AtomicInteger ATTEMPT = new AtomicInteger();
    private static final ThreadLocal<Boolean> ASKS = ThreadLocal.withInitial(() -> false);

    private final UpdateSource loop;

    private CrashingLoop(UpdateSource loop) {
        this.loop = loop;
    }

    /** Adds a job graph of which the first attempts fail. */
    public static void build(StreamExecutionEnvironment env, PartitionRequest request) {
        ATTEMPT.set(0);
        PartitionJob.build(env, request, CrashingLoop::new);
    }

    /** Returns how often the operator that asks was opened in the job that was built last. */
    public static int attempts() {
        return ATTEMPT.get();
    }

    private static void failIn(int attempt) {
        if (ATTEMPT.get() == attempt) {
            throw new IllegalStateException("crash %d of a test".formatted(attempt));
        }
    }

    @Override
    public Sender sender(int buckets, Consumer<IOException> failed) throws IOException {
        ATTEMPT.incrementAndGet();
        ASKS.set(true);
        Sender sender = loop.sender(buckets, failed);
        return new Sender() {
            @Override
            public void send(VertexUpdate message) {
                sender.send(message);
                if (message.bucket() == buckets / 2) {
                    failIn(1);
                }
            }

            @Override
            public void close() {
                ASKS.set(false);
                sender.close();
                failIn(3);
            }
        };
    }

    @Override
    public long loop() {
        return loop.loop();
    }

    @Override
    public Reader open(int first, int end, int buckets) {
        return new HoldingReader(loop.open(first, end, buckets), new HoldingReader.Hold() {
            @Override
            public List<VertexUpdate> release(List<VertexUpdate> updates) {
                if (ASKS.get() && updates.stream().anyMatch(VertexUpdate::isOfEnds)) {
                    failIn(2);
                }
                if (updates.stream().anyMatch(VertexUpdate::isNumbered)) {
                    failIn(4);
                }
                return updates;
            }

            @Override
            public long size() {
                return 0;
            }
        });
    }
}
