package io.cutwater.trainer.remote;

import io.cutwater.trainer.training.FloatArrays;
import io.cutwater.trainer.training.ModelState;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What the coordinator asks for: who does which shards, and with what. The body of a message, big-endian: description
 * (UTF), workers (4 bytes), of each its name (UTF), its shards' number (4) and the shards (4 each); then to train the
 * first epoch (4), epochs (4) and the state, or to test the weights.
 *
 * @param description of the training; a worker with another one must not take part
 * @param shards by worker
 */
record Order(String description, Map<String, List<Integer>> shards) {
    /** Writes what is asked beside the assignment. */
    @FunctionalInterface
    interface Rest {
        void write(DataOutputStream out) throws IOException;
    }

    static Rest train(ModelState from, int firstEpoch, int epochs) {
        return out -> {
            out.writeInt(firstEpoch);
            out.writeInt(epochs);
            from.write(out);
        };
    }

    static Rest test(float[][] weights) {
        return out -> FloatArrays.write(weights, out);
    }

    byte[] encode(Rest rest) {
        return Bodies.of(out -> {
            out.writeUTF(description);
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

    /** Reads an order, and leaves the rest to be read. */
    static Order read(DataInputStream in) throws IOException {
        String description = in.readUTF();
        int workers = in.readInt();
        Map<String, List<Integer>> shards = new LinkedHashMap<>();
        for (int worker = 0; worker < workers; worker++) {
            String name = in.readUTF();
            List<Integer> own = new ArrayList<>();
            for (int left = in.readInt(); left > 0; left--) {
                own.add(in.readInt());
            }
            shards.put(name, own);
        }
        return new Order(description, shards);
    }
}
