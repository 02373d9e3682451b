package io.cutwater.state.feedback;

import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Consumer;

/** The topic of the loop: three partitions, with records that come twice and records of dead attempts. */
final class SimulatedLog {
    private final int buckets;
    private final SplittableRandom random;
    private final List<List<VertexUpdate>> partitions =
            List.of(new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
    private final List<VertexUpdate> zombies = new ArrayList<>();

    SimulatedLog(int buckets, SplittableRandom random) {
        this.buckets = buckets;
        this.random = random;
    }

    /** Adds updates that a dead attempt has not sent and that still come, any number of times. */
    void addZombies(List<VertexUpdate> updates) {
        zombies.addAll(updates);
    }

    /** Returns the end of each partition. */
    int[] ends() {
        return partitions.stream().mapToInt(List::size).toArray();
    }

    /** Appends some updates of a producer in their order, some twice, some of dead attempts between. */
    void send(Deque<VertexUpdate> unsent) {
        int wanted = random.nextInt(1, 20);
        for (VertexUpdate update = unsent.poll(); update != null; update = unsent.poll()) {
            append(update);
            if (random.nextInt(16) == 0) {
                append(update);
            }
            if (!zombies.isEmpty() && random.nextInt(4) == 0) {
                append(zombies.get(random.nextInt(zombies.size())));
            }
            if (--wanted == 0) {
                return;
            }
        }
    }

    private void append(VertexUpdate update) {
        partitions.get(update.bucket() * partitions.size() / buckets).add(update);
    }

    /** Applies some records of one partition, so that buckets overtake each other. */
    void receive(BucketTable table, Consumer<VertexUpdate> requests, Consumer<VertexUpdate> messages, int[] position) {
        int partition = random.nextInt(partitions.size());
        List<VertexUpdate> records = partitions.get(partition);
        int until = Math.min(records.size(), position[partition] + random.nextInt(1, 40));
        while (position[partition] < until) {
            VertexUpdate update = records.get(position[partition]++);
            if (update.isRequest()) {
                requests.accept(update);
            } else if (update.isPeer()) {
                messages.accept(update);
            } else {
                table.apply(update);
            }
        }
    }
}
