package io.cutwater.trainer.distributed;

import io.cutwater.kafka.training.ModelMessage;
import io.cutwater.kafka.training.ModelMessage.Kind;
import io.cutwater.trainer.averaging.Workforce.Gap;
import io.cutwater.trainer.round.Round;
import java.io.DataInputStream;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A request that each shard answers alone. The shards of a worker that times out go to the others at once, and a shard
 * whose worker fails or is late is a gap.
 *
 * @param <T> answer of a shard
 */
final class SeparateRequest<T> {
    private static final int FIRST_ATTEMPT = 1;

    private final TopicWorkforce workforce;
    private final Members members;
    private final Kind question;
    private final Round round;
    private final WorkAssignment.Rest rest;
    private final Kind answer;
    private final TopicWorkforce.Reader<T> reader;
    private final Gap gap;
    private final List<@Nullable T> answers = new ArrayList<>();
    private final List<Integer> open = new ArrayList<>();
    private final @Nullable String[] owners;

    SeparateRequest(
            TopicWorkforce workforce,
            Members members,
            Kind question,
            Round round,
            WorkAssignment.Rest rest,
            Kind answer,
            TopicWorkforce.Reader<T> reader,
            Gap gap) {
        this.workforce = workforce;
        this.members = members;
        this.question = question;
        this.round = round;
        this.rest = rest;
        this.answer = answer;
        this.reader = reader;
        this.gap = gap;
        int shards = round.cut().shards();
        owners = new String[shards];
        for (int shard = 0; shard < shards; shard++) {
            answers.add(null);
            open.add(shard);
        }
    }

    /**
     * Returns the answers by shard, with null for each gap.
     *
     * @throws IllegalStateException if no worker can build a shard; the message is meant for users
     */
    List<@Nullable T> ask(Duration wait) throws InterruptedException {
        long deadline = System.nanoTime() + wait.toNanos();
        members.begin(round.cut());
        while (!open.isEmpty() && System.nanoTime() < deadline) {
            assign();
            for (ModelMessage message : workforce.hear()) {
                if (workforce.isAnswer(message, round, FIRST_ATTEMPT) && open.contains(message.shard())) {
                    take(message); // others are late or duplicates
                }
            }
        }
        for (int shard : open) {
            gap.tell(
                    shard,
                    owners[shard] == null
                            ? "no worker was present"
                            : "worker %s did not finish in time".formatted(owners[shard]));
        }
        return answers;
    }

    /** Assigns the shards that no present worker works on. */
    private void assign() {
        List<Integer> orphans = new ArrayList<>();
        for (int shard : open) {
            String owner = owners[shard];
            if (owner == null || !members.isHere(owner)) {
                orphans.add(shard);
            }
        }
        Map<String, List<Integer>> dealt = members.deal(orphans);
        if (!dealt.isEmpty()) {
            dealt.forEach((worker, own) -> own.forEach(shard -> owners[shard] = worker));
            workforce.send(question, workforce.separate(round, dealt), rest);
        }
    }

    private void take(ModelMessage message) {
        boolean isFromOwner = message.sender().equals(owners[message.shard()]);
        if (message.kind() == answer) {
            try (DataInputStream in = Answers.body(message)) {
                answers.set(message.shard(), reader.read(message, in));
                open.remove((Integer) message.shard());
            } catch (IOException e) {
                String why = "%s that cannot be read (%s); run all processes with the same version"
                        .formatted(message.kind(), e.getMessage() == null ? "it is truncated" : e.getMessage());
                if (isFromOwner) {
                    fail(message, "worker %s sent a message %s".formatted(message.sender(), why));
                } else {
                    workforce.skipped(message, why);
                }
            }
        } else if (Answers.isOfWorker(message) && isFromOwner) {
            owners[message.shard()] = null; // it is assigned again
        } else if (Answers.isUnbuilt(message) && isFromOwner) {
            members.cannotBuild(message.shard(), message.sender(), Answers.sentence(message));
            owners[message.shard()] = null; // another worker gets it
        } else if (message.kind() == Kind.FAILED && message.weight() == question.ordinal() && isFromOwner) {
            fail(message, "worker %s failed: %s".formatted(message.sender(), Answers.sentence(message)));
        }
    }

    private void fail(ModelMessage message, String sentence) {
        gap.tell(message.shard(), sentence);
        open.remove((Integer) message.shard());
    }
}
