package io.cutwater.flink.operator.distributed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cutwater.state.feedback.VertexUpdate;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.flink.api.common.operators.MailboxExecutor;
import org.apache.flink.streaming.runtime.tasks.StreamTaskActionExecutor;
import org.apache.flink.streaming.runtime.tasks.mailbox.MailboxExecutorImpl;
import org.apache.flink.streaming.runtime.tasks.mailbox.TaskMailbox;
import org.apache.flink.streaming.runtime.tasks.mailbox.TaskMailboxImpl;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The thread must never end without the task's knowledge: nobody else would miss it. */
final class UpdateThreadTest {
    private final TaskMailbox mailbox = new TaskMailboxImpl(Thread.currentThread());
    private final MailboxExecutor executor = new MailboxExecutorImpl(mailbox, 0, StreamTaskActionExecutor.IMMEDIATE);

    /** Has nothing to say, or fails. */
    private static final class OneReader implements UpdateSource.Reader {
        private final @Nullable Throwable failure;
        private final CountDownLatch polled = new CountDownLatch(3);
        private final CountDownLatch closed = new CountDownLatch(1);

        OneReader(@Nullable Throwable failure) {
            this.failure = failure;
        }

        @Override
        public List<VertexUpdate> poll() {
            polled.countDown();
            if (failure instanceof Error error) {
                throw error;
            }
            if (failure instanceof RuntimeException exception) {
                throw exception;
            }
            return List.of();
        }

        @Override
        public long sentMillis() {
            return 0;
        }

        @Override
        public long malformed() {
            return 0;
        }

        @Override
        public long waiting() {
            return 0;
        }

        @Override
        public void wakeUp() {}

        @Override
        public void close() {
            closed.countDown();
        }
    }

    @Test
    @Timeout(30)
    void anExceptionOfTheReaderFailsTheTask() throws Exception {
        failsTheTask(new OneReader(new IllegalStateException("the topic is gone")), "the topic is gone");
    }

    @Test
    @Timeout(30)
    void anErrorOfTheReaderFailsTheTask() throws Exception {
        failsTheTask(new OneReader(new NoClassDefFoundError("a/Codec")), "a/Codec");
    }

    @Test
    @Timeout(30)
    void updatesThatNobodyWaitsForAreReadBeforeTheTopicDeletesThem() throws Exception {
        OneReader reader = new OneReader(null);
        try (UpdateThread thread = new UpdateThread("test", reader, executor, (updates, sentMillis) -> {})) {
            thread.setWanted(false);
            thread.start();
            assertThat(reader.polled.await(20, TimeUnit.SECONDS)).isTrue();
            thread.setWanted(true);
            thread.setWanted(false);
        }
        assertThat(reader.closed.getCount()).isZero();
    }

    private void failsTheTask(OneReader reader, String why) throws Exception {
        try (UpdateThread thread = new UpdateThread("test", reader, executor, (updates, sentMillis) -> {})) {
            thread.start();
            assertThatThrownBy(() -> mailbox.take(0).run())
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessage("cannot read vertex updates: " + why);
            assertThat(reader.closed.getCount()).isZero();
        }
    }
}
