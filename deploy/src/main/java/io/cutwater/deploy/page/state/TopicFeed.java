package io.cutwater.deploy.page.state;

import io.cutwater.deploy.page.PageRequest;
import io.cutwater.kafka.reader.FollowedRecord;
import io.cutwater.kafka.reader.TopicFollower;
import io.cutwater.kafka.topic.BrokerException;
import io.cutwater.kafka.topic.Topics;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** Reads the topics into the state and the sample of the book, each in a thread of its own, until it is closed. */
public final class TopicFeed implements AutoCloseable {
    private static final Duration POLL = Duration.ofMillis(250);
    private static final long RETRY_MILLIS = 2_000;
    /** Points of the line of a random placement at most, over the history. */
    private static final int HASH_POINTS = 2_000;

    private final PageState state;
    private final BookSample book;
    private final Thread series;
    private final Thread places;
    private final CountDownLatch isSeriesRead = new CountDownLatch(1);
    private final double hashSeconds;
    private final double historyBegin;
    private final CountDownLatch closing = new CountDownLatch(1);
    private double hashedAt;
    private double bookTime;
    private String lastPlan = "";

    /** @throws BrokerException if a client property is wrong; the message is meant for users */
    public TopicFeed(PageRequest request, PageState state, BookSample book) {
        this.state = state;
        this.book = book;
        Topics topics = request.topics();
        Instant begin = Instant.now().minus(request.history());
        historyBegin = begin.getEpochSecond();
        hashSeconds = Math.max(1, request.history().toSeconds() / (double) HASH_POINTS);
        TopicFollower written = follower(
                request,
                Map.of(
                        topics.quality(), begin,
                        topics.trainingRounds(), begin,
                        topics.deadLetters(), begin,
                        topics.report(), Instant.MIN,
                        topics.plans(), Instant.MIN));
        TopicFollower placed = follower(request, Map.of(topics.partitionBook(), Instant.MIN));
        series = new Thread(() -> follow(written, this::take, this::isRead), "page topics");
        places = new Thread(() -> followBook(placed), "page book");
        series.setDaemon(true);
        places.setDaemon(true);
    }

    private static TopicFollower follower(PageRequest request, Map<String, Instant> begins) {
        return new TopicFollower(request.bootstrapServers(), request.clientProperties(), begins);
    }

    public void start() {
        series.start();
        places.start();
    }

    /** Reads the book after the reports that say of how many partitions it is. */
    private void followBook(TopicFollower follower) {
        try {
            isSeriesRead.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        follow(follower, this::place, this::hash);
    }

    private void follow(TopicFollower follower, Consumer<FollowedRecord> handler, Consumer<TopicFollower> afterwards) {
        try (follower) {
            while (closing.getCount() > 0) {
                try {
                    follower.poll(POLL, handler);
                    afterwards.accept(follower);
                    state.setProblem("");
                } catch (BrokerException e) {
                    state.setProblem(String.valueOf(e.getMessage()));
                    closing.await(RETRY_MILLIS, TimeUnit.MILLISECONDS);
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void take(FollowedRecord record) {
        state.accept(record, System.currentTimeMillis());
        String plan = state.runningPlan();
        if (!plan.isEmpty() && !plan.equals(lastPlan)) {
            lastPlan = plan;
            book.beginMoves();
        }
    }

    private void isRead(TopicFollower follower) {
        if (follower.hasCaughtUp()) {
            state.setLive();
            isSeriesRead.countDown();
        }
    }

    private void place(FollowedRecord record) {
        try {
            book.accept(record);
        } catch (IllegalArgumentException e) {
            state.unreadable(record, String.valueOf(e.getMessage()));
        }
        bookTime = Math.max(bookTime, record.time() / 1e3);
        if (bookTime - hashedAt >= hashSeconds) {
            hash();
        }
    }

    private void hash(TopicFollower follower) {
        if (bookTime > hashedAt) {
            hash();
        }
    }

    private void hash() {
        hashedAt = bookTime;
        if (bookTime >= historyBegin) {
            state.addRandomCost(bookTime, book);
        }
    }

    @Override
    public void close() {
        // Without interrupts: a Kafka client that is interrupted cannot be closed in good order.
        closing.countDown();
        isSeriesRead.countDown();
        for (Thread each : new Thread[] {series, places}) {
            try {
                each.join(Duration.ofSeconds(5).toMillis());
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
