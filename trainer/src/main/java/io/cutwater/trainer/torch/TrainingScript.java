package io.cutwater.trainer.torch;

import ai.djl.ndarray.NDArray;
import io.cutwater.trainer.sampler.Hop;
import io.cutwater.trainer.sampler.InputRows;
import io.cutwater.trainer.sampler.MiniBatch;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.Function;

/**
 * A network as one TorchScript module, with its loss and its gradient: one call per training step, and no
 * synchronisation with a GPU. The code is in {@code step.torchscript} and the files of the models beside it. Stateless.
 */
public final class TrainingScript {
    /** Number of sizes of a mini-batch, before those of its hops. */
    private static final int OF_BATCH = 5;
    /** Number of sizes of a hop. */
    private static final int OF_HOP = 3;

    /** The models with a script. */
    public enum Kind {
        /** Graph convolutional network. */
        GCN(List.of("gcn", "relu"), true, Edges::normalisedSum),
        /** GraphSAGE with the mean aggregator. */
        GRAPHSAGE_MEAN(List.of("graphsage", "relu"), false, Edges::meanOfNeighbours),
        /** GraphSAGE with the convolutional aggregator. */
        GRAPHSAGE_GCN(List.of("gcn", "relu"), true, Edges::meanWithSelf),
        /** Graph attention network. */
        GAT(List.of("gat"), true, Edges::attention);

        private final List<String> files;
        private final boolean hasSelf; // whether the edges include a self-loop of each target
        private final Function<Hop, Edges> edges;

        Kind(List<String> files, boolean hasSelf, Function<Hop, Edges> edges) {
            this.files = files;
            this.hasSelf = hasSelf;
            this.edges = edges;
        }
    }

    private final Kind kind;
    private final String code;

    /**
     * @param widths values per vertex before the first layer and after each
     * @param heads attention heads of each layer
     * @param dropped levels of 65,536 that dropout drops
     * @param scale factor of the values that dropout keeps
     */
    public TrainingScript(Kind kind, List<Integer> widths, List<Integer> heads, int dropped, float scale) {
        this.kind = kind;
        StringBuilder text = new StringBuilder(resource("step"));
        kind.files.forEach(file -> text.append(resource(file)));
        text.append(constant("widths", "List[int]", widths));
        text.append(constant("heads", "List[int]", heads));
        text.append(constant("dropped", "int", dropped));
        text.append(constant("scale", "float", (double) scale));
        code = text.toString();
    }

    private static String resource(String name) {
        try (InputStream in = TrainingScript.class.getResourceAsStream(name + ".torchscript")) {
            if (in == null) {
                throw new IllegalStateException("there is no " + name + ".torchscript");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e); // of a class path that was read before
        }
    }

    private static String constant(String name, String type, Object value) {
        return "\n  def %s(self: __torch__.Module) -> %s:\n    return %s\n".formatted(name, type, value);
    }

    /**
     * Returns the gradient of all weights, one after the other, and the sum of the seeds' losses behind it.
     *
     * @param weights all weights, one after the other
     * @param inputs inputs of the first layer, or the values of sparse ones
     * @param drawsInputs whether the inputs still need dropout
     * @param state state of the random numbers of dropout
     */
    public NDArray gradient(
            Tensors tensors, NDArray weights, MiniBatch batch, NDArray inputs, boolean drawsInputs, long state) {
        Hop first = batch.hops().get(0);
        // The script copies to a GPU what is read once, without waiting.
        float[][] made = new float[1][];
        NDArray packed = tensors.matrix(first, "packed", isKept -> {
            List<Edges> hops = batch.hops().stream().map(kind.edges).toList();
            int[] numbers = Edges.pack(hops, batch.labels());
            made[0] = Edges.packWeights(hops, numbers);
            return isKept ? tensors.ints(numbers, numbers.length, true) : tensors.intsOnCpu(numbers);
        });
        NDArray edgeWeights = tensors.matrix(
                first, "edge weights", isKept -> isKept ? tensors.floats(made[0], true) : tensors.floatsOnCpu(made[0]));
        NDArray places = packed; // any array where none is read
        long[] sizes = new long[OF_BATCH + OF_HOP * batch.hops().size()];
        sizes[0] = state;
        sizes[1] = drawsInputs ? 1 : 0;
        sizes[3] = batch.labels().length;
        if (batch.inputs() instanceof InputRows.Sparse sparse) {
            places = tensors.matrix(sparse, "places", isKept -> {
                int[] numbers = Edges.pack(sparse);
                return tensors.ints(numbers, numbers.length, isKept);
            });
            sizes[2] = sparse.offsets()[first.targetCount()];
            sizes[4] = 1;
        }
        for (int i = 0; i < batch.hops().size(); i++) {
            Hop hop = batch.hops().get(i);
            sizes[OF_BATCH + OF_HOP * i] = hop.targetCount();
            sizes[OF_BATCH + OF_HOP * i + 1] = hop.sourceCount();
            sizes[OF_BATCH + OF_HOP * i + 2] = hop.edgeCount() + (kind.hasSelf ? hop.targetCount() : 0);
        }
        return tensors.script(code).run(weights, packed, edgeWeights, tensors.longsOnCpu(sizes), inputs, places);
    }
}
