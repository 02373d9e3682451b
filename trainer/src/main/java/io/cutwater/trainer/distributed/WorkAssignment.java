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
 * What the coordinator asks for: who does which shards, and with what. The body of a message, big-endian: description
 * (UTF), round, workers (4 bytes), of each its name (UTF), its shards' number (4) and the shards (4 each); then to
 * train the state, or to test the weights.
 *
 * @param description of the training; a worker with another one must not take part
 * @param shards by worker
 */
record WorkAssignment(String description, Round round, Map<String, List<Integer>> shards) {
    /** Writes what is asked beside the assignment. */
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
     * Reads an order, and leaves the rest to be read.
     *
     * @throws IOException if it is none, or has a shard that the cut has not
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
                    throw new IOException("shard %d is none of %d"
                            .formatted(shard, round.cut().shards()));
                }
                own.add(shard);
            }
            shards.put(name, own);
        }
        return new WorkAssignment(description, round, shards);
    }
}
