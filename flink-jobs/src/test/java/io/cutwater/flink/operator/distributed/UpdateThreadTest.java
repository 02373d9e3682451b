package io.cutwater.flink.operator.distributed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cutwater.state.feedback.VertexUpdate;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.apache.flink.api.common.operators.MailboxExecutor;
import org.apache.flink.streaming.runtime.tasks.StreamTaskActionExecutor;
import org.apache.flink.streaming.runtime.tasks.mailbox.MailboxExecutorImpl;
import org.apache.flink.streaming.runtime.tasks.mailbox.TaskMailbox;
import org.apache.flink.streaming.runtime.tasks.mailbox.TaskMailboxImpl;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The thread must never end without the task's knowledge: nobody else would miss it. */
final class UpdateThreadTest {
    private final TaskMailbox mailbox = new TaskMailboxImpl(Thread.currentThread());
    private final MailboxExecutor executor = new MailboxExecutorImpl(mailbox, 0, StreamTaskActionExecutor.IMMEDIATE);

    private static final class FailingReader implements UpdateSource.Reader {
        private final Throwable failure;
        private final CountDownLatch closed = new CountDownLatch(1);

        FailingReader(Throwable failure) {
            this.failure = failure;
        }

        @Override
        public List<VertexUpdate> poll() {
            if (failure instanceof Error error) {
                throw error;
            }
            throw (RuntimeException) failure;
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
        failsTheTask(new FailingReader(new IllegalStateException("the topic is gone")), "the topic is gone");
    }

    @Test
    @Timeout(30)
    void anErrorOfTheReaderFailsTheTask() throws Exception {
        failsTheTask(new FailingReader(new NoClassDefFoundError("a/Codec")), "a/Codec");
    }

    private void failsTheTask(FailingReader reader, String why) throws Exception {
        try (UpdateThread thread = new UpdateThread("test", reader, executor, (updates, sentMillis) -> {})) {
            thread.start();
            assertThatThrownBy(() -> mailbox.take(0).run())
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessage("cannot read vertex updates: " + why);
            assertThat(reader.closed.getCount()).isZero();
        }
    }
}
