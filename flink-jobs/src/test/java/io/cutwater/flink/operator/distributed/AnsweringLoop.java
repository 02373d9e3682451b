package io.cutwater.flink.operator.distributed;

import io.cutwater.state.feedback.VertexUpdate;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/** A loop for one operator, whose messages are answered when it reads, in its thread. */
final class AnsweringLoop implements UpdateSource {
    private static final long serialVersionUID = 1;
    private static final AtomicInteger NEXT = new AtomicInteger();
    private static final Map<Integer, Tables> TABLES = new ConcurrentHashMap<>();
    /** The messages that were sent and are not answered; one operator has one sender and one reader. */
    private static final Map<Integer, List<VertexUpdate>> SENT = new ConcurrentHashMap<>();

    private final int id = NEXT.getAndIncrement();
    private final long loop;

    /** @param loop see {@link #loop()} */
    AnsweringLoop(long loop, Tables tables) {
        this.loop = loop;
        TABLES.put(id, tables);
    }

    /** Answer messages. */
    @FunctionalInterface
    interface Tables {
        /** @param messages since the last call, perhaps none */
        List<VertexUpdate> answers(List<VertexUpdate> messages) throws Exception;
    }

    @Override
    public Sender sender(int buckets, Consumer<IOException> failed) {
        List<VertexUpdate> sent = SENT.computeIfAbsent(id, ignored -> new ArrayList<>());
        return new Sender() {
            @Override
            public void send(VertexUpdate message) {
                sent.add(message);
            }

            @Override
            public void close() {}
        };
    }

    @Override
    public long loop() {
        return loop;
    }

    @Override
    public Reader open(int first, int end, int buckets) {
        List<VertexUpdate> sent = SENT.computeIfAbsent(id, ignored -> new ArrayList<>());
        return new Reader() {
            @Override
            public List<VertexUpdate> poll() {
                try {
                    List<VertexUpdate> messages = List.copyOf(sent);
                    sent.clear();
                    return Objects.requireNonNull(TABLES.get(id)).answers(messages);
                } catch (Exception e) {
                    throw new IllegalStateException(e);
                }
            }

            @Override
            public long malformed() {
                return 0;
            }

            @Override
            public long sentMillis() {
                return 0;
            }

            @Override
            public long waiting() {
                return 0;
            }

            @Override
            public void wakeUp() {}

            @Override
            public void close() {}
        };
    }
}
