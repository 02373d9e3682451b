package io.cutwater.trainer.launch;

import ai.djl.ndarray.NDArray;
import io.cutwater.trainer.feature.ShapeOptions;
import io.cutwater.trainer.mapped.MappedFolder;
import io.cutwater.trainer.model.GnnNetwork;
import io.cutwater.trainer.output.ModelFile;
import io.cutwater.trainer.output.PredictionFormat;
import io.cutwater.trainer.output.PredictionTable;
import io.cutwater.trainer.output.TrainedModel;
import io.cutwater.trainer.round.Scores;
import io.cutwater.trainer.shard.ShardCut;
import io.cutwater.trainer.shard.ShardSource;
import io.cutwater.trainer.shard.ShardStore;
import io.cutwater.trainer.torch.Tensors;
import io.cutwater.trainer.torch.Torch;
import io.cutwater.trainer.training.Inference;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Predicts the class of every vertex, each by its owner and with all neighbours that its shard has, and gives its
 * embedding: what the last layer sees of it.
 *
 * @param model a folder with a model
 * @param withEmbeddings whether embeddings are written, too
 * @param allowsMissingFeatures whether vertices may have no row of features; theirs are 0
 * @param device as {@link Torch#device} takes it
 * @param scratch an existing folder for a folder of mapped files
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
     * @param out a folder, made if missing
     * @return the number of vertices
     * @throws IOException with a sentence, if the model does not fit the features
     */
    public long run(PredictionFormat format, Path out) throws IOException, InterruptedException {
        TrainedModel trained = ModelFile.read(model);
        try (MappedFolder folder = new MappedFolder(scratch);
                ShardSource source = graph.open(
                        trained.scaling(),
                        ShapeOptions.ofClasses(trained.classes()).allowingMissingFeatures(allowsMissingFeatures),
                        folder.path())) {
            int features = source.shape().features();
            if (features != trained.features()) {
                throw new IOException(
                        "vertices have %d features, and the model was trained with %d; give features of that kind"
                                .formatted(features, trained.features()));
            }
            GnnNetwork network = trained.network();
            int embedded = network.layerCount() - 2;
            PredictionTable table = new PredictionTable(withEmbeddings && embedded >= 0 ? network.width(embedded) : 0);
            ShardCut cut = source.latest();
            source.expect(cut, IntStream.range(0, cut.shards()).boxed().toList());
            for (int shard = 0; shard < cut.shards(); shard++) {
                ShardStore store = source.make(shard, cut, folder.folder("shard-" + shard));
                Path between = folder.folder("between-" + shard);
                predict(store, network, trained, between, table);
            }
            format.write(table, Files.createDirectories(out));
            return table.rows();
        }
    }

    private void predict(
            ShardStore store, GnnNetwork network, TrainedModel trained, Path between, PredictionTable table)
            throws IOException {
        int[] classes = new int[store.ownedCount()];
        try (Tensors tensors = new Tensors(Torch.device(device))) {
            List<NDArray> weights = new ArrayList<>();
            for (int i = 0; i < trained.weights().length; i++) {
                weights.add(tensors.floats(
                        trained.weights()[i], network.weights().get(i).shape()));
            }
            Inference inference = new Inference(store, network, tensors, between);
            inference.run(weights, (from, scores) -> {
                for (int i = 0; i < scores.length / trained.classes(); i++) {
                    classes[from + i] = Scores.best(scores, i * trained.classes(), trained.classes());
                }
            });
            table.add(store, classes, inference);
        }
    }
}
