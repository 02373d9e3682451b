package io.cutwater.trainer.torch;

import ai.djl.ndarray.NDArray;
import io.cutwater.trainer.sampler.BufferPool;
import io.cutwater.trainer.sampler.Hop;
import io.cutwater.trainer.sampler.InputRows;
import io.cutwater.trainer.sampler.MiniBatch;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * A network as one TorchScript module, with its loss and its gradient: one call per training step, and no
 * synchronisation with a GPU. The code is in {@code step.torchscript} and the files of the models beside it. Stateless.
 */
public final class TrainingScript {
    /** Number of sizes of a mini-batch, before those of its hops. */
    private static final int OF_BATCH = 5;
    /** Codes of the inputs, besides 0 for dense rows. */
    private static final int SPARSE = 1;

    private static final int SELECTED = 2;
    /** Number of sizes of a hop. */
    private static final int OF_HOP = 3;

    /** The models with a script. */
    public enum Kind {
        /** Graph convolutional network. */
        GCN(List.of("gcn", "relu"), "normalised", true),
        /** GraphSAGE with the mean aggregator. */
        GRAPHSAGE_MEAN(List.of("graphsage", "relu"), "mean", false),
        /** GraphSAGE with the convolutional aggregator. */
        GRAPHSAGE_GCN(List.of("gcn", "relu"), "mean", true),
        /** Graph attention network. */
        GAT(List.of("gat"), "unweighted", true);

        private final List<String> files;
        private final String weights; // file of the weights of edges
        private final boolean hasSelf; // whether the edges include a self-loop of each target

        Kind(List<String> files, String weights, boolean hasSelf) {
            this.files = files;
            this.weights = weights;
            this.hasSelf = hasSelf;
        }

        private boolean isNormalised() {
            return this == GCN;
        }
    }

    private final Kind kind;
    private final String code;
    private final String edgeCode;

    /**
     * @param widths values per vertex before the first layer and after each
     * @param heads attention heads of each layer
     * @param dropped levels of 65,536 that dropout drops
     * @param scale factor of the values that dropout keeps
     */
    public TrainingScript(Kind kind, List<Integer> widths, List<Integer> heads, int dropped, float scale) {
        this.kind = kind;
        String common = Script.resource("hop")
                + Script.resource(kind.weights)
                + constant("isNormalised", "bool", kind.isNormalised() ? "True" : "False")
                + constant("widths", "List[int]", widths);
        edgeCode = Script.resource("edges") + common;
        StringBuilder text = new StringBuilder(Script.resource("step"))
                .append(Script.resource("sum"))
                .append(common);
        kind.files.forEach(file -> text.append(Script.resource(file)));
        text.append(constant("heads", "List[int]", heads));
        text.append(constant("dropped", "int", dropped));
        text.append(constant("scale", "float", (double) scale));
        code = text.toString();
    }

    private static String constant(String name, String type, Object value) {
        return "\n  def %s(self: __torch__.Module) -> %s:\n    return %s\n".formatted(name, type, value);
    }

    /** Returns the integers of a mini-batch in the layout that {@code step.torchscript} documents. Thread-safe. */
    public ByteBuffer pack(MiniBatch batch, BufferPool buffers) {
        int[] rows = batch.inputs() instanceof InputRows.Selected selected ? selected.vertices() : new int[0];
        long size = (long) rows.length + batch.labels().length;
        for (Hop hop : batch.hops()) {
            size += hop.targetCount() + 1L + hop.sourceCount() + 1L + 3L * edges(hop);
            size += kind.isNormalised() ? hop.targetCount() + hop.sourceCount() : 0;
        }
        int[] packed = new int[Math.toIntExact(size)];
        int at = 0;
        for (Hop hop : batch.hops()) {
            int[] offsets = kind.hasSelf ? Edges.offsetsWithSelf(hop) : hop.offsets();
            int[] sources = kind.hasSelf ? Edges.sourcesWithSelf(hop) : hop.sources();
            at = Edges.pack(hop.targetCount(), hop.sourceCount(), offsets, sources, packed, at);
            if (kind.isNormalised()) {
                at = append(hop.listed(), packed, at);
                at = append(hop.degrees(), packed, at);
            }
        }
        at = append(rows, packed, at);
        append(batch.labels(), packed, at);
        ByteBuffer bytes = buffers.take((long) packed.length * Integer.BYTES);
        bytes.asIntBuffer().put(packed);
        return bytes;
    }

    private static int append(int[] values, int[] into, int at) {
        System.arraycopy(values, 0, into, at, values.length);
        return at + values.length;
    }

    private int edges(Hop hop) {
        return hop.edgeCount() + (kind.hasSelf ? hop.targetCount() : 0);
    }

    /**
     * Returns the gradient of all weights, one after the other, and the sum of the seeds' losses behind it.
     *
     * @param weights all weights, one after the other
     * @param batch packed by this script or not
     * @param inputs inputs of the first layer, or the values of sparse ones; ignored if rows are to be selected
     * @param drawsInputs whether the inputs still need dropout
     * @param state state of the random numbers of dropout
     */
    public NDArray gradient(
            Tensors tensors, NDArray weights, MiniBatch batch, NDArray inputs, boolean drawsInputs, long state) {
        NDArray packed = packed(tensors, batch);
        NDArray places = packed; // any array where none is read
        NDArray given = inputs;
        long[] sizes = sizes(batch);
        sizes[0] = state;
        sizes[1] = drawsInputs ? 1 : 0;
        if (batch.inputs() instanceof InputRows.Sparse sparse) {
            places = tensors.matrix(sparse, "places", isKept -> {
                int[] numbers = Edges.pack(sparse);
                return tensors.ints(numbers, numbers.length, isKept);
            });
        } else if (batch.inputs() instanceof InputRows.Selected) {
            given = tensors.held();
        }
        NDArray numbers = tensors.longsOnCpu(sizes);
        // Those of a mini-batch that is used once are computed within the step.
        NDArray edgeWeights = tensors.matrix(
                batch.hops().get(0),
                "edge weights",
                isKept -> isKept
                        ? Tensors.keep(tensors.script(edgeCode).run(packed, numbers), true)
                        : tensors.noFloats());
        return tensors.script(code).run(weights, packed, edgeWeights, numbers, given, places);
    }

    /** Returns the integers of a mini-batch, on the device if they are kept, otherwise on the CPU. */
    NDArray packed(Tensors tensors, MiniBatch batch) {
        return tensors.matrix(batch.hops().get(0), "packed", isKept -> {
            ByteBuffer there = batch.packed();
            return tensors.ints(there == null ? pack(batch, new BufferPool()) : there, isKept);
        });
    }

    /** Returns the sizes of a mini-batch, whose first two numbers are to be filled in. */
    long[] sizes(MiniBatch batch) {
        long[] sizes = new long[OF_BATCH + OF_HOP * batch.hops().size()];
        sizes[3] = batch.labels().length;
        if (batch.inputs() instanceof InputRows.Sparse sparse) {
            sizes[2] = sparse.offsets()[batch.hops().get(0).targetCount()];
            sizes[4] = SPARSE;
        } else if (batch.inputs() instanceof InputRows.Selected) {
            sizes[4] = SELECTED;
        }
        for (int i = 0; i < batch.hops().size(); i++) {
            Hop hop = batch.hops().get(i);
            sizes[OF_BATCH + OF_HOP * i] = hop.targetCount();
            sizes[OF_BATCH + OF_HOP * i + 1] = hop.sourceCount();
            sizes[OF_BATCH + OF_HOP * i + 2] = edges(hop);
        }
        return sizes;
    }

    /** Returns the weights of the edges by target and then by source, for each hop. */
    NDArray edgeWeights(Tensors tensors, MiniBatch batch) {
        return tensors.script(edgeCode).run(packed(tensors, batch), tensors.longsOnCpu(sizes(batch)));
    }
}
