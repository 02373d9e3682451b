package io.cutwater.trainer.remote;

import io.cutwater.trainer.linked.RemoteRow;
import io.cutwater.trainer.round.Locality;
import io.cutwater.trainer.round.Traffic;
import io.cutwater.trainer.sampler.BufferPool;
import io.cutwater.trainer.sampler.Hop;
import io.cutwater.trainer.sampler.InputRows;
import io.cutwater.trainer.sampler.MiniBatch;
import io.cutwater.trainer.sync.GraphBatchMaker.Sample;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.FloatBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;

/** Groups of mini-batches, see {@link BatchFormat}. */
final class GroupFormat {
    private GroupFormat() {}

    static ByteBuffer question(long number, int capacity, long randomSeed, Collection<BatchTeam.Part> parts) {
        long bytes = 1 + 2L * Long.BYTES + 2L * Integer.BYTES;
        for (BatchTeam.Part part : parts) {
            bytes += (2L + part.seeds().length) * Integer.BYTES;
        }
        ByteBuffer out = BatchFormat.buffer(bytes);
        out.put(BatchFormat.GROUP)
                .putLong(number)
                .putInt(capacity)
                .putLong(randomSeed)
                .putInt(parts.size());
        for (BatchTeam.Part part : parts) {
            out.putInt(part.shard()).putInt(part.seeds().length);
            BatchFormat.put(part.seeds(), out);
        }
        return out.flip();
    }

    /**
     * A mini-batch as the sampler has it.
     *
     * @param traffic bytes read for it from other samplers, avoided, and read in their files
     * @param missing rows that the worker does not have
     */
    record Made(Sample sample, Traffic traffic, InputRows missing) {}

    static ByteBuffer encode(List<Made> group) {
        long bytes = 0;
        for (Made made : group) {
            Sample sample = made.sample;
            bytes += (8L + sample.vertices().length) * Long.BYTES + 1 + (long) sample.labels().length * Integer.BYTES;
            for (Hop hop : sample.hops()) {
                bytes += BatchFormat.bytes(hop);
            }
            bytes += BatchFormat.bytes(made.missing);
        }
        ByteBuffer out = BatchFormat.buffer(bytes);
        for (Made made : group) {
            Sample sample = made.sample;
            Locality locality = sample.locality();
            out.putLong(sample.randomSeed());
            out.putLong(made.traffic.forwardSent()).putLong(made.traffic.forwardAvoided());
            out.putLong(made.traffic.mapped());
            out.putLong(locality.seeds()).putLong(locality.localSeeds());
            out.putLong(locality.rows()).putLong(locality.localRows());
            out.put((byte) sample.hops().size());
            sample.hops().forEach(hop -> BatchFormat.put(hop, out));
            BatchFormat.put(sample.labels(), out);
            BatchFormat.put(sample.vertices(), out);
            BatchFormat.put(made.missing, out);
        }
        return out.flip();
    }

    /**
     * Reads the mini-batches of a group.
     *
     * @param bytes bytes of the question and the answer
     * @throws IOException if they are not those that were asked for; the message is meant for users
     */
    static void read(ByteBuffer in, Collection<BatchTeam.Part> parts, WorkerRows rows, int layers, long bytes)
            throws IOException {
        rows.beginGroup();
        long sent = bytes;
        for (BatchTeam.Part part : parts) {
            long randomSeed = in.getLong();
            Traffic traffic = new Traffic(in.getLong(), in.getLong(), 0, 0, 0).withMapped(in.getLong());
            Locality locality = new Locality(in.getLong(), in.getLong(), in.getLong(), in.getLong());
            List<Hop> hops = new ArrayList<>();
            for (int left = in.get(); left > 0; left--) {
                hops.add(BatchFormat.hop(in));
            }
            if (hops.size() != layers || hops.get(layers - 1).targetCount() != part.seeds().length) {
                throw new IOException(
                        "the sampler of shard %d made a mini-batch of other seeds or layers; run all processes with the same version"
                                .formatted(part.shard()));
            }
            int[] labels = BatchFormat.ints(in, part.seeds().length);
            long[] vertices = BatchFormat.longs(in, hops.get(0).sourceCount());
            Inputs inputs = new Inputs(vertices, BatchFormat.inputs(in, part.buffers()), rows, part.buffers());
            part.take(
                    new MiniBatch(randomSeed, hops, inputs.all, labels),
                    traffic.plus(Traffic.ofBatches(sent, inputs.avoided)),
                    locality);
            sent = 0;
        }
    }

    /** The inputs of a mini-batch, of which some rows were sent and the worker had the others. */
    private static final class Inputs {
        private final InputRows all;
        private long avoided;

        Inputs(long[] vertices, InputRows sent, WorkerRows known, BufferPool buffers) throws IOException {
            RemoteRow[] rows = new RemoteRow[vertices.length];
            int next = 0;
            for (int i = 0; i < rows.length; i++) {
                RemoteRow row = known.find(vertices[i]);
                if (row != null) {
                    avoided += row.bytes() - Integer.BYTES; // without a vertex in a question
                } else if (next < sent.rows()) {
                    row = row(sent, next++);
                    known.put(vertices[i], row);
                } else {
                    throw wrong();
                }
                rows[i] = row;
            }
            if (next < sent.rows()) {
                throw wrong();
            }
            all = sent instanceof InputRows.Dense dense
                    ? dense(rows, dense, buffers)
                    : sparse(rows, (InputRows.Sparse) sent);
        }

        private static IOException wrong() {
            return new IOException(
                    "a sampler sent other rows than those that are missing; run all processes with the same version");
        }

        private static RemoteRow row(InputRows from, int row) {
            if (from instanceof InputRows.Sparse sparse) {
                int begin = sparse.offsets()[row];
                int end = sparse.offsets()[row + 1];
                return new RemoteRow(
                        Arrays.copyOfRange(sparse.indices(), begin, end),
                        Arrays.copyOfRange(sparse.values(), begin, end));
            }
            InputRows.Dense dense = (InputRows.Dense) from;
            float[] values = new float[dense.columns()];
            dense.values().asFloatBuffer().get(row * dense.columns(), values);
            return RemoteRow.dense(values);
        }

        private static InputRows dense(RemoteRow[] rows, InputRows.Dense sent, BufferPool buffers) throws IOException {
            int columns = sent.columns();
            ByteBuffer bytes = buffers.take((long) rows.length * columns * Float.BYTES);
            FloatBuffer into = bytes.asFloatBuffer();
            for (RemoteRow row : rows) {
                if (!row.isDense() || row.values().length != columns) {
                    throw wrong();
                }
                into.put(row.values());
            }
            buffers.giveBack(sent.values());
            return new InputRows.Dense(rows.length, columns, bytes);
        }

        private static InputRows sparse(RemoteRow[] rows, InputRows.Sparse sent) throws IOException {
            int[] offsets = new int[rows.length + 1];
            for (int row = 0; row < rows.length; row++) {
                if (rows[row].isDense()) {
                    throw wrong();
                }
                offsets[row + 1] = Math.addExact(offsets[row], rows[row].values().length);
            }
            int[] indices = new int[offsets[rows.length]];
            float[] values = new float[indices.length];
            for (int row = 0; row < rows.length; row++) {
                RemoteRow from = rows[row];
                System.arraycopy(from.columns(), 0, indices, offsets[row], from.columns().length);
                System.arraycopy(from.values(), 0, values, offsets[row], from.values().length);
            }
            return new InputRows.Sparse(rows.length, sent.columns(), offsets, indices, values);
        }
    }
}
