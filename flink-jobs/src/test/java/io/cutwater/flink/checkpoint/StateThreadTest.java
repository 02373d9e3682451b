package io.cutwater.flink.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.function.IntConsumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class StateThreadTest {
    private final StateThread thread = new StateThread("state");
    private final List<String> done = new ArrayList<>(); // by the thread, and read after await

    @AfterEach
    void close() {
        thread.close();
    }

    private Runnable step(String name) {
        return () -> done.add(name);
    }

    @Test
    void doesOneThingAfterTheOtherInTheOrderOfTheCalls() {
        List<String> wanted = new ArrayList<>();
        for (int i = 0; i < 1000; i++) {
            thread.execute(step("" + i));
            wanted.add("" + i);
        }
        thread.await();
        assertThat(done).isEqualTo(wanted);
    }

    @Test
    void longWorkLetsOtherWorkInBetween() throws Exception {
        CountDownLatch given = new CountDownLatch(1);
        Future<?> first = thread.execute(() -> {
            awaitUnchecked(given);
            done.add("first part");
            thread.runWaiting();
            done.add("second part");
        });
        thread.execute(step("urgent"));
        given.countDown();
        StateThread.await(first);
        thread.await();
        assertThat(done).containsExactly("first part", "urgent", "second part");
    }

    @Test
    void whatRunsInTheThreadDoesNotWaitForItself() {
        thread.execute(() -> {
            thread.await();
            done.add("through");
        });
        thread.await();
        assertThat(done).containsExactly("through");
    }

    @Test
    void theTaskSetsAKeyWhenTheThreadHasWritten() {
        IntConsumer currentKey = thread.exclusive(key -> done.add("key " + key));
        Thread task = Thread.currentThread();
        thread.execute(() -> {
            currentKey.accept(1);
            while (task.getState() != Thread.State.WAITING
                    && !Thread.currentThread().isInterrupted()) {
                Thread.onSpinWait();
            }
            done.add("written");
        });
        currentKey.accept(2);
        assertThat(done).containsExactly("key 1", "written", "key 2");
    }

    @Test
    void aFailureReachesWhoeverWaits() {
        RuntimeException failure = new IllegalStateException("disk full");
        thread.execute(() -> {
            throw failure;
        });
        assertThatThrownBy(thread::await)
                .isInstanceOf(IllegalStateException.class)
                .hasCause(failure);
    }

    @Test
    void aFailureOfWorkThatNobodyWaitsForReachesALaterCall() {
        RuntimeException failure = new IllegalStateException("disk full");
        CountDownLatch given = new CountDownLatch(1);
        thread.execute(() -> {
            awaitUnchecked(given);
            throw failure;
        });
        Future<?> next = thread.execute(() -> {});
        given.countDown();
        StateThread.await(next);
        assertThatThrownBy(() -> thread.execute(() -> {})).hasCause(failure);
    }

    @Test
    void closingWaitsForWhatHasBegunAndDropsTheRest() throws Exception {
        CountDownLatch begun = new CountDownLatch(1);
        thread.execute(() -> {
            begun.countDown();
            while (!Thread.currentThread().isInterrupted()) { // close interrupts it
                Thread.onSpinWait();
            }
            done.add("whole");
        });
        thread.execute(step("dropped"));
        begun.await();
        thread.close();
        assertThat(done).containsExactly("whole");
    }

    private static void awaitUnchecked(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
