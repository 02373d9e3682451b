package io.cutwater.trainer.distributed;

import io.cutwater.trainer.round.Round;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A request of the coordinator: which worker serves which shards, followed by the data to work with. The body of a
 * message, big-endian: description (UTF), round, number of workers (4 bytes); for each worker its name (UTF), the
 * number of its shards (4) and the shards (4 each); then the state to train from, or the weights to test.
 *
 * @param description description of the training; a worker with another one must not take part
 * @param shards shards by worker
 */
record WorkAssignment(String description, Round round, Map<String, List<Integer>> shards) {
    /** Writes the part of a request after the assignment. */
    @FunctionalInterface
    interface Rest {
        void write(DataOutputStream out) throws IOException;
    }

    byte[] encode(Rest rest) {
        return Bodies.of(out -> {
            out.writeUTF(description);
            round.write(out);
            out.writeInt(shards.size());
            for (Map.Entry<String, List<Integer>> worker : shards.entrySet()) {
                out.writeUTF(worker.getKey());
                out.writeInt(worker.getValue().size());
                for (int shard : worker.getValue()) {
                    out.writeInt(shard);
                }
            }
            rest.write(out);
        });
    }

    /**
     * Reads an assignment and leaves the rest of the request in the stream.
     *
     * @throws IOException if the bytes are not an assignment, or name a shard that the cut does not have
     */
    static WorkAssignment read(DataInputStream in) throws IOException {
        String description = in.readUTF();
        Round round = Round.read(in);
        int workers = in.readInt();
        Map<String, List<Integer>> shards = new LinkedHashMap<>();
        for (int worker = 0; worker < workers; worker++) {
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
        }
        return new WorkAssignment(description, round, shards);
    }
}
