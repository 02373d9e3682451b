package io.cutwater.trainer.launch;

import ai.djl.ndarray.NDArray;
import io.cutwater.state.partition.PartitioningKind;
import io.cutwater.state.scratch.TemporaryFolder;
import io.cutwater.trainer.channel.FrameGroup;
import io.cutwater.trainer.feature.DenseFeatures;
import io.cutwater.trainer.feature.ShapeOptions;
import io.cutwater.trainer.model.GnnNetwork;
import io.cutwater.trainer.output.EmbeddingSource;
import io.cutwater.trainer.output.ModelFile;
import io.cutwater.trainer.output.PredictionFormat;
import io.cutwater.trainer.output.PredictionTable;
import io.cutwater.trainer.output.TrainedModel;
import io.cutwater.trainer.progress.EmbeddingFiles;
import io.cutwater.trainer.round.EmbeddingRows;
import io.cutwater.trainer.round.Scores;
import io.cutwater.trainer.shard.ShardCut;
import io.cutwater.trainer.shard.ShardSource;
import io.cutwater.trainer.shard.ShardStore;
import io.cutwater.trainer.sync.GraphInference;
import io.cutwater.trainer.torch.Tensors;
import io.cutwater.trainer.torch.Torch;
import io.cutwater.trainer.training.Inference;
import io.cutwater.trainer.training.Scorer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;

/**
 * Predicts the class of every vertex, and optionally returns its embedding: the input of the last layer. The neighbours
 * are those in its owner's shard, as in training, or those in the whole graph if shards read neighbours of each other
 * in training.
 *
 * @param model folder with a model
 * @param withEmbeddings whether to write embeddings
 * @param allowsMissingFeatures whether vertices may lack a row of features, which counts as zeros
 * @param device name of a device, see {@link Torch#device}
 * @param scratch existing folder for temporary files
 */
public record PredictionRun(
        Path model,
        GraphOrigin graph,
        boolean withEmbeddings,
        boolean allowsMissingFeatures,
        String device,
        Path scratch) {
    /**
     * Writes the predictions.
     *
     * @param out output folder, created if missing
     * @return the number of vertices
     * @throws IOException if the model does not fit the features; the message is meant for users
     */
    public long run(PredictionFormat format, Path out) throws IOException, InterruptedException {
        return run(format, out, table -> {});
    }

    /** Receives the predictions after they were written. */
    @FunctionalInterface
    public interface TableConsumer {
        void accept(PredictionTable table) throws IOException;
    }

    /**
     * Like the other method.
     *
     * @param written called when the files are there
     */
    public long run(PredictionFormat format, Path out, TableConsumer written) throws IOException, InterruptedException {
        TrainedModel trained = ModelFile.read(model);
        EmbeddingRows learned = new EmbeddingFiles(model).readBest().orElse(null);
        try (TemporaryFolder folder = TemporaryFolder.forMappedFiles(scratch, "train");
                ShardSource source = graph.open(
                        trained.scaling(),
                        ShapeOptions.ofClasses(trained.classes())
                                .allowingMissingFeatures(allowsMissingFeatures)
                                .withEmbeddings(learned == null ? 0 : learned.width()),
                        folder.path())) {
            int features = source.shape().features();
            if (features != trained.features()) {
                throw new IOException(
                        "vertices have %d features, but the model was trained with %d; give the same features as in training"
                                .formatted(features, trained.features()));
            }
            GnnNetwork network = trained.network();
            int embedded = network.layerCount() - 2;
            PredictionTable table = new PredictionTable(withEmbeddings && embedded >= 0 ? network.width(embedded) : 0);
            ShardCut cut = source.latest();
            source.expect(cut, IntStream.range(0, cut.shards()).boxed().toList());
            Stores stores = shard -> {
                ShardStore made = source.make(shard, cut, folder.folder("shard-" + shard));
                return learned == null ? made : with(learned, made, folder.folder("learned-" + shard));
            };
            if (trained.isOfWholeGraph() && cut.shards() > 1) {
                together(stores, source.kind(), cut.shards(), trained, folder, table);
            } else {
                for (int shard = 0; shard < cut.shards(); shard++) {
                    ShardStore store = stores.open(shard);
                    Path between = folder.folder("between-" + shard);
                    try (Tensors tensors = new Tensors(Torch.device(device))) {
                        Inference inference = new Inference(store, network, tensors, between);
                        table.add(store, classes(store, inference, trained, tensors), inference);
                    }
                }
            }
            format.write(table, Files.createDirectories(out));
            written.accept(table);
            return table.rows();
        }
    }

    private static ShardStore with(EmbeddingRows learned, ShardStore store, Path folder) throws IOException {
        DenseFeatures rows = DenseFeatures.create(folder.resolve("features"), store.vertexCount(), learned.width());
        float[] row = new float[learned.width()];
        for (int local = 0; local < store.vertexCount(); local++) {
            learned.copyRow(store.vertex(local), row, 0);
            rows.putRows(local, row);
        }
        return store.with(rows);
    }

    /** Builds a shard. */
    private interface Stores {
        ShardStore open(int shard) throws IOException, InterruptedException;
    }

    /** A predicted shard. */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    private record Predicted(ShardStore store, int[] classes, EmbeddingSource embeddings) {}

    /** Predicts all shards at the same time, each with a thread, because they read neighbours of each other. */
    private void together(
            Stores stores,
            PartitioningKind kind,
            int shards,
            TrainedModel trained,
            TemporaryFolder folder,
            PredictionTable table)
            throws IOException, InterruptedException {
        FrameGroup group = FrameGroup.ofThisProcess(shards);
        ExecutorService threads = Executors.newFixedThreadPool(shards);
        try {
            List<Future<Predicted>> running = new ArrayList<>();
            for (int each = 0; each < shards; each++) {
                int shard = each;
                Path between = folder.folder("between-" + shard);
                running.add(threads.submit(() -> {
                    try (Tensors tensors = new Tensors(Torch.device(device))) {
                        ShardStore store = stores.open(shard);
                        GraphInference inference =
                                GraphInference.link(group.channel(shard), store, kind, trained.network(), between);
                        return new Predicted(
                                store, classes(store, inference.scorer().scorer(tensors), trained, tensors), inference);
                    } catch (Exception | Error e) { // the others wait for this shard
                        group.fail(String.valueOf(e.getMessage()));
                        throw e;
                    }
                }));
            }
            for (Future<Predicted> each : running) {
                Predicted predicted = each.get();
                table.add(predicted.store, predicted.classes, predicted.embeddings);
            }
        } catch (ExecutionException e) {
            throw new IOException(
                    e.getCause() == null ? e.getMessage() : e.getCause().getMessage(), e);
        } finally {
            group.fail("the prediction was stopped");
            threads.shutdownNow();
        }
    }

    private static int[] classes(ShardStore store, Scorer scorer, TrainedModel trained, Tensors tensors)
            throws IOException {
        int[] classes = new int[store.ownedCount()];
        List<NDArray> weights = new ArrayList<>();
        for (int i = 0; i < trained.weights().length; i++) {
            weights.add(tensors.floats(
                    trained.weights()[i], trained.network().weights().get(i).shape()));
        }
        scorer.run(weights, (from, scores) -> {
            for (int i = 0; i < scores.length / trained.classes(); i++) {
                classes[from + i] = Scores.best(scores, i * trained.classes(), trained.classes());
            }
        });
        return classes;
    }
}
