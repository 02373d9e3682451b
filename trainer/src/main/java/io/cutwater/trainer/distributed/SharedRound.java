package io.cutwater.trainer.distributed;

import io.cutwater.kafka.training.ModelMessage;
import io.cutwater.kafka.training.ModelMessage.Kind;
import io.cutwater.trainer.averaging.Workforce;
import io.cutwater.trainer.mesh.PeerAddress;
import io.cutwater.trainer.round.LocalUpdate;
import io.cutwater.trainer.round.ModelState;
import io.cutwater.trainer.round.Round;
import java.io.DataInputStream;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * A round of shared steps, which needs all shards at the same time. If a worker fails or times out, all shards train
 * the round again from its beginning, by the workers that are left; the result is the same. Attempts end with the
 * round's time limit, or when several by the same workers have failed.
 */
final class SharedRound {
    private static final int MAX_ATTEMPTS = 3;
    /** Heartbeats after which a worker is alive: the first may have been sent before it died. */
    private static final int HEARTBEATS = 2;

    private final TopicWorkforce workforce;
    private final Members members;
    private final Consumer<String> notes;
    private final Round round;
    private final ModelState from;
    private final int shards;
    private String failure = "no worker with an address was present; start workers with --transport mesh";
    private int failedShard;

    SharedRound(TopicWorkforce workforce, Members members, Consumer<String> notes, Round round, ModelState from) {
        this.workforce = workforce;
        this.members = members;
        this.notes = notes;
        this.round = round;
        this.from = from;
        shards = round.cut().shards();
    }

    /** Returns the updates of all shards, or none of them. */
    List<@Nullable LocalUpdate> train(Duration wait, Workforce.Gap gap) throws InterruptedException {
        long deadline = System.nanoTime() + wait.toNanos();
        members.begin();
        int failed = 0;
        for (int attempt = 1; failed < MAX_ATTEMPTS; attempt++) {
            Map<String, PeerAddress> addresses = awaitAddresses(deadline);
            if (addresses.isEmpty()) {
                break;
            }
            Map<String, List<Integer>> dealt =
                    members.deal(IntStream.range(0, shards).boxed().toList(), addresses.keySet());
            addresses.keySet().retainAll(dealt.keySet());
            workforce.send(
                    Kind.TRAIN,
                    new WorkAssignment(workforce.description(), round, dealt, addresses, attempt),
                    from::write);
            List<LocalUpdate> updates = collect(attempt, dealt, deadline);
            if (!updates.isEmpty()) {
                return new ArrayList<>(updates);
            }
            notes.accept("round %d, attempt %d: shard %d: %s; the round begins again"
                    .formatted(round.number(), attempt, failedShard, failure));
            failed = awaitHeartbeats(dealt.keySet(), deadline) ? failed + 1 : 0;
        }
        gap.tell(failedShard, failure);
        return new ArrayList<>(Collections.nCopies(shards, null));
    }

    private Map<String, PeerAddress> awaitAddresses(long deadline) throws InterruptedException {
        while (members.addresses().isEmpty() && System.nanoTime() < deadline) {
            workforce.hear();
        }
        return System.nanoTime() < deadline ? members.addresses() : Map.of();
    }

    /** Returns the updates of all shards; empty after a failure or at the end of the round. */
    private List<LocalUpdate> collect(int attempt, Map<String, List<Integer>> dealt, long deadline)
            throws InterruptedException {
        Map<Integer, String> owners = new HashMap<>();
        dealt.forEach((worker, own) -> own.forEach(shard -> owners.put(shard, worker)));
        Map<Integer, LocalUpdate> updates = new HashMap<>();
        while (updates.size() < shards) {
            if (System.nanoTime() >= deadline) {
                return late(owners, updates);
            }
            for (ModelMessage message : workforce.hear()) {
                if (workforce.isAnswer(message, round, attempt)
                        && message.sender().equals(owners.get(message.shard()))
                        && !take(message, updates)) {
                    return List.of();
                }
            }
            for (Map.Entry<Integer, String> owner : owners.entrySet()) {
                if (!members.isHere(owner.getValue())) {
                    return fail(owner.getKey(), "worker %s timed out".formatted(owner.getValue()));
                }
            }
        }
        return IntStream.range(0, shards).mapToObj(updates::get).toList();
    }

    private List<LocalUpdate> late(Map<Integer, String> owners, Map<Integer, LocalUpdate> updates) {
        int shard = 0;
        while (updates.containsKey(shard)) {
            shard++;
        }
        return fail(shard, "worker %s did not finish in time".formatted(owners.get(shard)));
    }

    private boolean take(ModelMessage message, Map<Integer, LocalUpdate> updates) {
        if (message.kind() == Kind.FAILED && message.weight() == Kind.TRAIN.ordinal()) {
            fail(message.shard(), "worker %s failed: %s".formatted(message.sender(), Answers.sentence(message)));
            return false;
        }
        if (message.kind() == Kind.UPDATE) {
            try (DataInputStream in = Answers.body(message)) {
                updates.put(message.shard(), Answers.update(message, in, from));
            } catch (IOException e) {
                fail(
                        message.shard(),
                        "worker %s sent an update that cannot be read (%s); run all processes with the same version"
                                .formatted(message.sender(), e.getMessage()));
                return false;
            }
        }
        return true;
    }

    private List<LocalUpdate> fail(int shard, String sentence) {
        failedShard = shard;
        failure = sentence;
        return List.of();
    }

    /** Waits until each worker was heard again or timed out; returns whether all are still there. */
    private boolean awaitHeartbeats(Set<String> workers, long deadline) throws InterruptedException {
        Map<String, Integer> heard = new HashMap<>();
        Set<String> open = new HashSet<>(workers);
        while (!open.isEmpty() && System.nanoTime() < deadline) {
            for (ModelMessage message : workforce.hear()) {
                if (message.kind() == Kind.ALIVE && heard.merge(message.sender(), 1, Integer::sum) >= HEARTBEATS) {
                    open.remove(message.sender());
                }
            }
            open.removeIf(worker -> !members.isHere(worker));
        }
        return workers.stream().allMatch(members::isHere);
    }
}
