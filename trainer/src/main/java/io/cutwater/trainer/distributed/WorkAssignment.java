package io.cutwater.trainer.distributed;

import io.cutwater.trainer.channel.FrameChannel;
import io.cutwater.trainer.mesh.GroupKey;
import io.cutwater.trainer.mesh.Membership;
import io.cutwater.trainer.mesh.PeerAddress;
import io.cutwater.trainer.round.Round;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A request of the coordinator: which worker serves which shards, followed by the data to work with. The body of a
 * message, big-endian: description (UTF), round, number of workers (4 bytes); for each worker its name (UTF), the
 * number of its shards (4), the shards (4 each), and 1 byte: 1 if its address follows, otherwise 0; the same for
 * samplers; then the attempt (4), the number of the links (8), and 1 byte: 1 if the place of the model follows, see
 * {@link ModelPlace}; otherwise 0, and the state to train from, or the weights to test.
 *
 * @param description description of the training; a process with another one must not take part
 * @param shards shards by worker
 * @param samplers shards by sampler; empty if workers make their mini-batches
 * @param addresses addresses by worker and sampler for a request that needs all shards at the same time, otherwise
 *     empty
 * @param attempt number of the attempt at such a request, from 1 in each round; otherwise 1
 * @param linkId see {@link FrameChannel#linkId}
 * @param models where workers get the model; null if it follows the assignment
 */
record WorkAssignment(
        String description,
        Round round,
        Map<String, List<Integer>> shards,
        Map<String, List<Integer>> samplers,
        Map<String, PeerAddress> addresses,
        int attempt,
        long linkId,
        @Nullable ModelPlace models) {
    private static final int FIRST = 1;

    /** Creates the assignment of a request that each worker answers alone. */
    WorkAssignment(String description, Round round, Map<String, List<Integer>> shards) {
        this(description, round, shards, Map.of(), Map.of(), FIRST, 0, null);
    }

    /** Writes the part of a request after the assignment. */
    @FunctionalInterface
    interface Rest {
        /** @param isLinked whether the shards are linked, and so have the embeddings of the state */
        void write(DataOutputStream out, boolean isLinked) throws IOException;
    }

    /** Returns this assignment with a place of the model. */
    WorkAssignment with(@Nullable ModelPlace place) {
        return new WorkAssignment(description, round, shards, samplers, addresses, attempt, linkId, place);
    }

    /** @param isLinked see {@link Rest#write} */
    byte[] encode(Rest rest, boolean isLinked) {
        return Bodies.of(out -> {
            out.writeUTF(description);
            round.write(out);
            write(shards, out);
            write(samplers, out);
            out.writeInt(attempt);
            out.writeLong(linkId);
            out.writeBoolean(models != null);
            if (models == null) {
                rest.write(out, isLinked);
            } else {
                models.write(out);
            }
        });
    }

    private void write(Map<String, List<Integer>> processes, DataOutputStream out) throws IOException {
        out.writeInt(processes.size());
        for (Map.Entry<String, List<Integer>> process : processes.entrySet()) {
            out.writeUTF(process.getKey());
            out.writeInt(process.getValue().size());
            for (int shard : process.getValue()) {
                out.writeInt(shard);
            }
            PeerAddress address = addresses.get(process.getKey());
            out.writeBoolean(address != null);
            if (address != null) {
                address.write(out);
            }
        }
    }

    /**
     * Reads an assignment and leaves the rest of the request in the stream.
     *
     * @throws IOException if the bytes are not an assignment, or name a shard that the cut does not have
     */
    static WorkAssignment read(DataInputStream in) throws IOException {
        String description = in.readUTF();
        Round round = Round.read(in);
        Map<String, PeerAddress> addresses = new HashMap<>();
        Map<String, List<Integer>> shards = read(in, round, addresses);
        Map<String, List<Integer>> samplers = read(in, round, addresses);
        return new WorkAssignment(
                description,
                round,
                shards,
                samplers,
                addresses,
                in.readInt(),
                in.readLong(),
                in.readBoolean() ? ModelPlace.read(in) : null);
    }

    private static Map<String, List<Integer>> read(DataInputStream in, Round round, Map<String, PeerAddress> addresses)
            throws IOException {
        int processes = in.readInt();
        Map<String, List<Integer>> shards = new LinkedHashMap<>();
        for (int process = 0; process < processes; process++) {
            String name = in.readUTF();
            List<Integer> own = new ArrayList<>();
            for (int left = in.readInt(); left > 0; left--) {
                int shard = in.readInt();
                if (shard < 0 || shard >= round.cut().shards()) {
                    throw new IOException("shard %d is out of range: the cut has %d shards"
                            .formatted(shard, round.cut().shards()));
                }
                own.add(shard);
            }
            shards.put(name, own);
            if (in.readBoolean()) {
                addresses.put(name, PeerAddress.read(in));
            }
        }
        return shards;
    }

    /**
     * Returns the workers and samplers of the attempt.
     *
     * @param run run of the coordinator
     * @throws IOException if a shard has no worker or sampler, or one of these no address
     */
    Membership membership(long run) throws IOException {
        return new Membership(
                new GroupKey(run, round.number(), attempt),
                round.cut(),
                byShard(shards),
                samplers.isEmpty() ? List.of() : byShard(samplers),
                addresses,
                linkId);
    }

    private List<String> byShard(Map<String, List<Integer>> processes) throws IOException {
        String[] names = new String[round.cut().shards()];
        processes.forEach((process, own) -> own.forEach(shard -> names[shard] = process));
        for (String name : names) {
            if (name == null || !addresses.containsKey(name)) {
                throw new IOException("a request that needs all shards has a shard without a process or address");
            }
        }
        return Arrays.asList(names);
    }
}
