package io.cutwater.trainer.distributed;

import io.cutwater.trainer.mesh.PeerAddress;
import io.cutwater.trainer.shard.ShardCut;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** The workers and samplers that were heard from recently. Time counts only while the coordinator listens. */
final class Members {
    /** Upper bound of the threads of a worker; a larger number comes from a damaged message. */
    private static final int MAX_THREADS = 1 << 12;

    private final long timeoutNanos;
    private final TreeMap<String, Long> heardNanos = new TreeMap<>();
    private final Map<String, Integer> threads = new HashMap<>();
    private final Map<String, PeerAddress> addresses = new HashMap<>();
    private final Set<String> samplers = new HashSet<>();
    private final Set<String> refused = new HashSet<>();
    private final Map<Integer, Set<String>> unable = new HashMap<>(); // workers that cannot build a shard of the cut
    private final Map<Integer, String> unbuilt = new HashMap<>();
    private @Nullable ShardCut cut;
    private long clockNanos;
    private long listenedAt = System.nanoTime();

    Members(Duration timeout) {
        timeoutNanos = timeout.toNanos();
    }

    /** Starts to listen: messages sent in the meantime are still to be read. */
    void begin() {
        listenedAt = System.nanoTime();
    }

    /** Starts to deal shards of a cut. */
    void begin(ShardCut at) {
        begin();
        if (!at.equals(cut)) {
            cut = at;
            unable.clear();
        }
    }

    /** Records that a worker failed to build a shard of the cut: its files or its disk may be at fault. */
    void cannotBuild(int shard, String worker, String sentence) {
        unable.computeIfAbsent(shard, unknown -> new HashSet<>()).add(worker);
        unbuilt.put(shard, sentence);
    }

    /** Records that the coordinator has listened up to now. */
    void listened() {
        long now = System.nanoTime();
        clockNanos += now - listenedAt;
        listenedAt = now;
    }

    /** Records a message of a worker; returns whether the worker is new. */
    boolean heard(String worker) {
        return heardNanos.put(worker, clockNanos) == null;
    }

    /** Records how many shards a worker trains at the same time; a sampler trains none. */
    void hasThreads(String worker, int count) {
        if (count == 0) {
            samplers.add(worker);
        }
        threads.put(worker, Math.min(MAX_THREADS, Math.max(1, count)));
    }

    /** Records the address at which other workers reach a worker; null for none. */
    void hasAddress(String worker, @Nullable PeerAddress address) {
        if (address == null) {
            addresses.remove(worker);
        } else {
            addresses.put(worker, address);
        }
    }

    /** Returns the addresses of the present workers that have one. */
    Map<String, PeerAddress> addresses() {
        Map<String, PeerAddress> present = new HashMap<>(addresses);
        present.keySet().retainAll(heardNanos.keySet());
        present.keySet().removeAll(samplers);
        return present;
    }

    /** Returns the addresses of the present samplers. */
    Map<String, PeerAddress> samplers() {
        Map<String, PeerAddress> present = new HashMap<>(addresses);
        present.keySet().retainAll(heardNanos.keySet());
        present.keySet().retainAll(samplers);
        return present;
    }

    boolean isSampler(String process) {
        return samplers.contains(process);
    }

    /** Returns a process with its role, for users. */
    String words(String process) {
        return (isSampler(process) ? "sampler " : "worker ") + process;
    }

    /** Removes the processes whose timeout has passed, and returns their names. */
    List<String> removeTimedOut() {
        List<String> gone = new ArrayList<>();
        heardNanos.forEach((worker, heard) -> {
            if (clockNanos - heard > timeoutNanos) {
                gone.add(worker);
            }
        });
        gone.forEach(heardNanos::remove);
        gone.forEach(this::forget);
        return gone;
    }

    /** Removes a process for good; returns whether it was there. */
    boolean refuse(String process) {
        refused.add(process);
        forget(process);
        return heardNanos.remove(process) != null;
    }

    boolean isRefused(String process) {
        return refused.contains(process);
    }

    private void forget(String process) {
        threads.remove(process);
        addresses.remove(process);
    }

    boolean isHere(String worker) {
        return heardNanos.containsKey(worker);
    }

    /** Returns the number of workers. */
    int count() {
        return workers().size();
    }

    /**
     * Assigns shards to workers in turn, to each worker as many per turn as it has threads; empty if there are no
     * workers.
     *
     * @throws IllegalStateException if no worker can build a shard; the message is meant for users
     */
    Map<String, List<Integer>> deal(List<Integer> shards) {
        return deal(shards, heardNanos.keySet());
    }

    /** Returns the present workers. */
    Set<String> workers() {
        Set<String> present = new TreeSet<>(heardNanos.keySet());
        present.removeAll(samplers);
        return present;
    }

    /**
     * Assigns shards to some of the workers, like {@link #deal(List)}; none to a worker that failed to build it.
     *
     * @throws IllegalStateException if all of them failed to; the message is meant for users
     */
    Map<String, List<Integer>> deal(List<Integer> shards, Set<String> among) {
        List<String> names = turns();
        names.retainAll(among);
        Map<String, List<Integer>> dealt = new HashMap<>();
        for (int i = 0; i < shards.size() && !names.isEmpty(); i++) {
            dealt.computeIfAbsent(able(shards.get(i), names, i), name -> new ArrayList<>())
                    .add(shards.get(i));
        }
        return dealt;
    }

    private String able(int shard, List<String> names, int turn) {
        Set<String> not = unable.getOrDefault(shard, Set.of());
        for (int i = 0; i < names.size(); i++) {
            String name = names.get((turn + i) % names.size());
            if (!not.contains(name)) {
                return name;
            }
        }
        throw new IllegalStateException("no worker can build shard %d: %s".formatted(shard, unbuilt.get(shard)));
    }

    /**
     * Assigns the shards of workers to samplers. The shards of a worker have one sampler, so that it sends each row
     * once, unless there are more samplers than workers.
     *
     * @param workers shards by worker
     * @param among samplers, at least one
     */
    static Map<String, List<Integer>> dealSamplers(Map<String, List<Integer>> workers, Set<String> among) {
        List<String> names = new ArrayList<>(new TreeSet<>(among));
        List<String> owners = new ArrayList<>(new TreeSet<>(workers.keySet()));
        Map<String, List<Integer>> dealt = new HashMap<>();
        for (int worker = 0; worker < owners.size(); worker++) {
            List<Integer> shards = workers.getOrDefault(owners.get(worker), List.of());
            // Sampler s serves worker s mod (number of workers).
            int perWorker = Math.max(1, (names.size() - worker + owners.size() - 1) / owners.size());
            for (int i = 0; i < shards.size(); i++) {
                String name = names.get((worker + i % perWorker * owners.size()) % names.size());
                dealt.computeIfAbsent(name, unknown -> new ArrayList<>()).add(shards.get(i));
            }
        }
        return dealt;
    }

    /** Returns one turn: each worker once, then those with a second thread, and so on. */
    private List<String> turns() {
        List<String> turns = new ArrayList<>();
        int before;
        int turn = 0;
        do {
            before = turns.size();
            for (String worker : heardNanos.keySet()) {
                if (!samplers.contains(worker) && threads.getOrDefault(worker, 1) > turn) {
                    turns.add(worker);
                }
            }
            turn++;
        } while (turns.size() > before);
        return turns;
    }
}
