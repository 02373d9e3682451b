package io.cutwater.flink.operator.distributed;

import io.cutwater.state.feedback.VertexUpdate;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/** A loop of one reader in this process. */
final class UpdateQueue implements UpdateSource {
    private static final long serialVersionUID = 1;
    private static final AtomicInteger NEXT = new AtomicInteger();
    private static final Map<Integer, BlockingQueue<List<VertexUpdate>>> QUEUES = new ConcurrentHashMap<>();

    private final int id = NEXT.getAndIncrement();

    /** Sends updates that the reader gets together. */
    void send(List<VertexUpdate> updates) {
        queue().add(updates);
    }

    private BlockingQueue<List<VertexUpdate>> queue() {
        return QUEUES.computeIfAbsent(id, ignored -> new LinkedBlockingQueue<>());
    }

    /** Sends to the reader as well. */
    @Override
    public Sender sender(int buckets, Consumer<IOException> failed) {
        return new Sender() {
            @Override
            public void send(VertexUpdate message) {
                UpdateQueue.this.send(List.of(message));
            }

            @Override
            public void close() {}
        };
    }

    @Override
    public long loop() {
        return id;
    }

    @Override
    public Reader open(int first, int end, int buckets) {
        return new Reader() {
            @Override
            public List<VertexUpdate> poll() {
                try {
                    List<VertexUpdate> updates = queue().poll(10, TimeUnit.MILLISECONDS);
                    return updates == null ? List.of() : updates;
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                    return List.of();
                }
            }

            @Override
            public long malformed() {
                return 0;
            }

            @Override
            public long sentMillis() {
                return System.currentTimeMillis();
            }

            @Override
            public long waiting() {
                return queue().size();
            }

            @Override
            public void wakeUp() {}

            @Override
            public void close() {}
        };
    }
}
