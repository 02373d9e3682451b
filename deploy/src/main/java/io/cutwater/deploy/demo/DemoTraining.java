package io.cutwater.deploy.demo;

import io.cutwater.deploy.view.Progress;
import io.cutwater.trainer.launch.TrainingRequest;
import io.cutwater.trainer.launch.TrainingRun;
import io.cutwater.trainer.progress.RoundListener;
import io.cutwater.trainer.progress.RoundReport;
import io.cutwater.trainer.progress.TrainingResult;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** A training in a thread of its own. */
final class DemoTraining implements AutoCloseable {
    private static final Duration POLL = Duration.ofMillis(500);

    private final ExecutorService thread = Executors.newSingleThreadExecutor();
    private final CountDownLatch released;
    private final Rounds rounds;
    private final Future<TrainingResult> result;

    /**
     * Starts the training.
     *
     * @param held epochs after which it waits to be released; 0 not to wait
     * @param further also receives the rounds
     */
    DemoTraining(TrainingRequest request, int held, Progress.Display display, RoundListener further) {
        released = new CountDownLatch(held == 0 ? 0 : 1);
        rounds = new Rounds(request.averaging().epochs(), display);
        RoundListener listener = RoundListener.all(List.of(rounds, further, new Hold(held)));
        result = thread.submit(() -> new TrainingRun(request, listener).run());
    }

    private final class Hold implements RoundListener {
        private final int epochs;

        Hold(int epochs) {
            this.epochs = epochs;
        }

        @Override
        public void roundDone(RoundReport report) {
            if (report.epochs() >= epochs) {
                try {
                    released.await();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt(); // the training sees it, and ends
                }
            }
        }

        @Override
        public void shardMissing(int round, int shard, String sentence) {}
    }

    /** Returns its progress as text; empty before its first round. */
    String note() {
        return rounds.standing().note();
    }

    /** Lets it continue to its end. */
    void release() {
        released.countDown();
    }

    /** @throws IOException if it has failed by now; the message is meant for users */
    void requireWell() throws IOException, InterruptedException {
        TrainingResult unused = result(Duration.ZERO);
    }

    /**
     * Waits for the end.
     *
     * @throws IOException if it fails; the message is meant for users
     */
    Learned await(Progress progress) throws IOException, InterruptedException {
        TrainingResult ended = null;
        while (ended == null) {
            ended = result(POLL);
            Rounds.Standing standing = rounds.standing();
            progress.update(standing.edges(), Double.NaN, standing.note());
        }
        return new Learned(ended, rounds.standing().seconds() / ended.epochs());
    }

    private @Nullable TrainingResult result(Duration wait) throws IOException, InterruptedException {
        try {
            return result.get(wait.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            return null;
        } catch (ExecutionException e) {
            Throwable cause = e.getCause() == null ? e : e.getCause();
            throw new IOException("the training failed: " + cause.getMessage(), e);
        }
    }

    @Override
    public void close() {
        thread.shutdownNow();
        try {
            thread.awaitTermination(30, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
