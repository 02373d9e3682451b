package io.cutwater.trainer.distributed;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The workers that were heard of lately. Time counts only while somebody listens. */
final class Members {
    /** More than a machine has; what says more is damaged. */
    private static final int MAX_THREADS = 1 << 12;

    private final long silenceNanos;
    private final TreeMap<String, Long> heardNanos = new TreeMap<>();
    private final Map<String, Integer> threads = new HashMap<>();
    private long clockNanos;
    private long listenedAt = System.nanoTime();

    Members(Duration silence) {
        silenceNanos = silence.toNanos();
    }

    /** Begins to listen: what was said meanwhile is still to be heard. */
    void begin() {
        listenedAt = System.nanoTime();
    }

    /** Time goes on. */
    void listened() {
        long now = System.nanoTime();
        clockNanos += now - listenedAt;
        listenedAt = now;
    }

    /** A worker has said something; true if it is new. */
    boolean heard(String worker) {
        return heardNanos.put(worker, clockNanos) == null;
    }

    /** A worker has said how many shards it trains at the same time. */
    void hasThreads(String worker, int count) {
        threads.put(worker, Math.min(MAX_THREADS, Math.max(1, count)));
    }

    /** Forgets those that have been silent for too long, and gives their names. */
    List<String> removeSilent() {
        List<String> gone = new ArrayList<>();
        heardNanos.forEach((worker, heard) -> {
            if (clockNanos - heard > silenceNanos) {
                gone.add(worker);
            }
        });
        gone.forEach(heardNanos::remove);
        gone.forEach(threads::remove);
        return gone;
    }

    boolean isHere(String worker) {
        return heardNanos.containsKey(worker);
    }

    int count() {
        return heardNanos.size();
    }

    /** Deals shards out, in turn, to each as many as it has threads before all begin anew; empty if nobody is here. */
    Map<String, List<Integer>> deal(List<Integer> shards) {
        List<String> names = turns();
        Map<String, List<Integer>> dealt = new HashMap<>();
        for (int i = 0; i < shards.size() && !names.isEmpty(); i++) {
            dealt.computeIfAbsent(names.get(i % names.size()), name -> new ArrayList<>())
                    .add(shards.get(i));
        }
        return dealt;
    }

    /** First everybody once, then those with a second thread, and so on. */
    private List<String> turns() {
        List<String> turns = new ArrayList<>();
        int before;
        int turn = 0;
        do {
            before = turns.size();
            for (String worker : heardNanos.keySet()) {
                if (threads.getOrDefault(worker, 1) > turn) {
                    turns.add(worker);
                }
            }
            turn++;
        } while (turns.size() > before);
        return turns;
    }
}
