package io.cutwater.trainer.remote;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The workers that were heard of lately. Time counts only while somebody listens. */
final class Members {
    private final long silenceNanos;
    private final TreeMap<String, Long> heardNanos = new TreeMap<>();
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

    /** Forgets those that have been silent for too long, and gives their names. */
    List<String> removeSilent() {
        List<String> gone = new ArrayList<>();
        heardNanos.forEach((worker, heard) -> {
            if (clockNanos - heard > silenceNanos) {
                gone.add(worker);
            }
        });
        gone.forEach(heardNanos::remove);
        return gone;
    }

    boolean isHere(String worker) {
        return heardNanos.containsKey(worker);
    }

    int count() {
        return heardNanos.size();
    }

    /** Deals shards out, in turn; empty if nobody is here. */
    Map<String, List<Integer>> deal(List<Integer> shards) {
        List<String> names = List.copyOf(heardNanos.keySet());
        Map<String, List<Integer>> dealt = new HashMap<>();
        for (int i = 0; i < shards.size() && !names.isEmpty(); i++) {
            dealt.computeIfAbsent(names.get(i % names.size()), name -> new ArrayList<>())
                    .add(shards.get(i));
        }
        return dealt;
    }
}
