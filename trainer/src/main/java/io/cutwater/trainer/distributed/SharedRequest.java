package io.cutwater.trainer.distributed;

import io.cutwater.kafka.training.ModelMessage;
import io.cutwater.kafka.training.ModelMessage.Kind;
import io.cutwater.trainer.averaging.Workforce;
import io.cutwater.trainer.mesh.PeerAddress;
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
 * A request that needs all shards at the same time: a round of shared steps, or a test of one. If a worker fails or
 * times out, all shards do it again from its beginning, by the workers that are left; the result is the same. The same
 * holds for samplers. Attempts end with the time limit, or when several by the same processes have failed.
 *
 * @param <T> answer of a shard
 */
final class SharedRequest<T> {
    private static final String NO_WORKER =
            "no worker with an address was present; start workers with --transport mesh";
    private static final String NO_SAMPLER =
            "no sampler was left; start 'train --role sampler' with the same topics and options";
    private static final int MAX_ATTEMPTS = 3;
    /** Heartbeats after which a worker is alive: the first may have been sent before it died. */
    private static final int HEARTBEATS = 2;

    private final TopicWorkforce workforce;
    private final Members members;
    private final Consumer<String> notes;
    private final Kind question;
    private final Round round;
    private final WorkAssignment.Rest rest;
    private final Kind answer;
    private final TopicWorkforce.Reader<T> reader;
    private final int shards;
    private String failure = NO_WORKER;
    private boolean isUnbuilt;
    private int failedShard;

    SharedRequest(
            TopicWorkforce workforce,
            Members members,
            Consumer<String> notes,
            Kind question,
            Round round,
            WorkAssignment.Rest rest,
            Kind answer,
            TopicWorkforce.Reader<T> reader) {
        this.workforce = workforce;
        this.members = members;
        this.notes = notes;
        this.question = question;
        this.round = round;
        this.rest = rest;
        this.answer = answer;
        this.reader = reader;
        shards = round.cut().shards();
    }

    /** Returns the answers of all shards, or none of them. */
    List<@Nullable T> ask(Duration wait, Workforce.Gap gap) throws InterruptedException {
        long deadline = System.nanoTime() + wait.toNanos();
        members.begin(round.cut());
        int failed = 0;
        while (failed < MAX_ATTEMPTS) {
            Map<String, PeerAddress> addresses = awaitAddresses(deadline);
            if (addresses.isEmpty()) {
                break;
            }
            Map<String, List<Integer>> dealt =
                    members.deal(IntStream.range(0, shards).boxed().toList(), addresses.keySet());
            addresses.keySet().retainAll(dealt.keySet());
            Map<String, List<Integer>> samplers = Map.of();
            if (workforce.needsSamplers()) {
                Map<String, PeerAddress> present = members.samplers();
                samplers = Members.dealSamplers(dealt, present.keySet());
                present.keySet().retainAll(samplers.keySet());
                addresses.putAll(present);
            }
            WorkAssignment order = workforce.shared(round, dealt, samplers, addresses);
            int attempt = order.attempt();
            workforce.send(question, order, rest);
            List<T> answers = collect(attempt, owners(dealt), owners(samplers), deadline);
            if (!answers.isEmpty()) {
                return new ArrayList<>(answers);
            }
            workforce.linksFailed();
            notes.accept("round %d, attempt %d: shard %d: %s; the round begins again"
                    .formatted(round.number(), attempt, failedShard, failure));
            if (!isUnbuilt) { // otherwise another worker gets the shard
                failed = awaitHeartbeats(addresses.keySet(), deadline) ? failed + 1 : 0;
            }
        }
        gap.tell(failedShard, failure);
        return new ArrayList<>(Collections.nCopies(shards, null));
    }

    /** Waits for a worker, and for a sampler if one is needed; returns the addresses of workers, none in vain. */
    private Map<String, PeerAddress> awaitAddresses(long deadline) throws InterruptedException {
        while (isSomebodyMissing() && System.nanoTime() < deadline) {
            workforce.hear();
        }
        if (!members.addresses().isEmpty() && isSomebodyMissing()) {
            failure = failure.equals(NO_WORKER) ? NO_SAMPLER : "%s; %s".formatted(failure, NO_SAMPLER);
        }
        return System.nanoTime() < deadline ? members.addresses() : Map.of();
    }

    private boolean isSomebodyMissing() {
        return members.addresses().isEmpty()
                || workforce.needsSamplers() && members.samplers().isEmpty();
    }

    private static Map<Integer, String> owners(Map<String, List<Integer>> dealt) {
        Map<Integer, String> owners = new HashMap<>();
        dealt.forEach((process, own) -> own.forEach(shard -> owners.put(shard, process)));
        return owners;
    }

    /** Returns the answers of all shards; empty after a failure or at the end of the round. */
    private List<T> collect(int attempt, Map<Integer, String> owners, Map<Integer, String> samplers, long deadline)
            throws InterruptedException {
        Map<Integer, T> answers = new HashMap<>();
        isUnbuilt = false;
        while (answers.size() < shards) {
            if (System.nanoTime() >= deadline) {
                return late(owners, answers);
            }
            for (ModelMessage message : workforce.hear()) {
                boolean isFromOwner = message.sender().equals(owners.get(message.shard()))
                        || message.kind() == Kind.FAILED && message.sender().equals(samplers.get(message.shard()));
                if (workforce.isAnswer(message, round, attempt) && isFromOwner && !take(message, answers)) {
                    return List.of();
                }
            }
            for (Map<Integer, String> processes : List.of(samplers, owners)) {
                for (Map.Entry<Integer, String> owner : processes.entrySet()) {
                    if (!members.isHere(owner.getValue())) {
                        return fail(owner.getKey(), "%s timed out".formatted(members.words(owner.getValue())));
                    }
                }
            }
        }
        return IntStream.range(0, shards).mapToObj(answers::get).toList();
    }

    private List<T> late(Map<Integer, String> owners, Map<Integer, T> answers) {
        int shard = 0;
        while (answers.containsKey(shard)) {
            shard++;
        }
        return fail(shard, "worker %s did not finish in time".formatted(owners.get(shard)));
    }

    private boolean take(ModelMessage message, Map<Integer, T> answers) {
        if (message.kind() == Kind.FAILED
                && (message.weight() == question.ordinal()
                        || Answers.isOfWorker(message)
                        || Answers.isUnbuilt(message))) {
            isUnbuilt = Answers.isUnbuilt(message) && !members.isSampler(message.sender());
            if (isUnbuilt) {
                members.cannotBuild(message.shard(), message.sender(), Answers.sentence(message));
            }
            fail(
                    message.shard(),
                    "%s failed: %s".formatted(members.words(message.sender()), Answers.sentence(message)));
            return false;
        }
        if (message.kind() == answer) {
            try (DataInputStream in = Answers.body(message)) {
                answers.put(message.shard(), reader.read(message, in));
            } catch (IOException e) {
                fail(
                        message.shard(),
                        "worker %s sent an answer that cannot be read (%s); run all processes with the same version"
                                .formatted(message.sender(), e.getMessage()));
                return false;
            }
        }
        return true;
    }

    private List<T> fail(int shard, String sentence) {
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
