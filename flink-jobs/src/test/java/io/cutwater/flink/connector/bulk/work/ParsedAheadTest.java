package io.cutwater.flink.connector.bulk.work;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cutwater.flink.connector.input.InputPosition;
import io.cutwater.flink.connector.input.OrderedInput;
import io.cutwater.state.graph.EdgeBatch;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ParsedAheadTest {
    private static final int BATCHES = 50;

    private volatile boolean isClosed;

    @Test
    void returnsAllBatchesInTheirOrder() throws Exception {
        List<Long> read = new ArrayList<>();
        try (ParsedAhead edges = new ParsedAhead(() -> new Counting(BATCHES, null))) {
            for (EdgeBatch batch; (batch = edges.next()) != null; edges.giveBack(batch)) {
                assertThat(batch.size()).isEqualTo(1);
                read.add(batch.sources()[0]);
            }
        }
        assertThat(read)
                .containsExactlyElementsOf(LongStream.range(0, BATCHES).boxed().toList());
    }

    @Test
    void anErrorComesToTheThreadThatUsesTheBatches() throws Exception {
        for (Exception error : List.of(new IOException("lost"), new IllegalStateException("broken"))) {
            try (ParsedAhead edges = new ParsedAhead(() -> new Counting(3, error))) {
                assertThatThrownBy(() -> {
                            for (EdgeBatch batch; (batch = edges.next()) != null; ) {
                                edges.giveBack(batch);
                            }
                        })
                        .isSameAs(error);
            }
            assertThat(isClosed).isTrue();
        }
        try (ParsedAhead edges = new ParsedAhead(() -> {
            throw new IOException("no such file");
        })) {
            assertThatThrownBy(edges::next).isInstanceOf(IOException.class).hasMessage("no such file");
        }
    }

    @Test
    void closingEndsTheThreadAndTheInput() throws Exception {
        CountDownLatch waits = new CountDownLatch(1);
        try (ParsedAhead edges = new ParsedAhead(() -> new Counting(Long.MAX_VALUE, null))) {
            assertThat(edges.next()).isNotNull();
        }
        assertThat(isClosed).isTrue();

        isClosed = false;
        ParsedAhead stuck = new ParsedAhead(() -> new Counting(0, null) {
            @Override
            public boolean read(EdgeBatch into) throws InterruptedException {
                waits.countDown();
                Thread.sleep(Long.MAX_VALUE);
                return true;
            }
        });
        waits.await();
        Thread.currentThread().interrupt();
        assertThatThrownBy(stuck::next).isInstanceOf(InterruptedException.class);
        stuck.close();
        assertThat(isClosed).isTrue();
    }

    /** An input of single edges, each of which names its number, that ends with an error if there is one. */
    private class Counting implements OrderedInput {
        private final long count;
        private final @Nullable Exception error;
        private long next;

        Counting(long count, @Nullable Exception error) {
            this.count = count;
            this.error = error;
            isClosed = false;
        }

        @Override
        public boolean read(EdgeBatch into) throws IOException, InterruptedException {
            if (next < count) {
                into.add(next++, 0, 1, EdgeBatch.NO_TIMESTAMP);
                return true;
            }
            if (error instanceof IOException e) {
                throw e;
            }
            if (error instanceof RuntimeException e) {
                throw e;
            }
            return false;
        }

        @Override
        public InputPosition position() {
            return InputPosition.START;
        }

        @Override
        public void close() {
            isClosed = true;
        }
    }
}
