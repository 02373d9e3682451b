package io.cutwater.trainer.run;

import io.cutwater.kafka.record.VertexSplit;
import io.cutwater.trainer.averaging.AveragedTraining;
import io.cutwater.trainer.averaging.RoundListener;
import io.cutwater.trainer.averaging.TrainingResult;
import io.cutwater.trainer.model.GnnNetwork;
import io.cutwater.trainer.shard.ShardStore;
import io.cutwater.trainer.shard.VertexData;
import io.cutwater.trainer.training.LocalTrainer;
import io.cutwater.trainer.training.ShardTrainer;
import io.cutwater.trainer.training.TrainingOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Trains a model on the shards of a folder, or on a whole graph. */
public final class TrainingRun {
    private final TrainingRequest request;
    private final RoundListener listener;

    public TrainingRun(TrainingRequest request, RoundListener listener) {
        this.request = request;
        this.listener = listener;
    }

    /**
     * Trains to the end, and writes the model where the request says so.
     *
     * @throws IOException with a sentence, if the files do not fit each other
     */
    public TrainingResult run() throws IOException, InterruptedException {
        try (ScratchFolder scratch = new ScratchFolder(request.scratch())) {
            VertexData data = request.graph().data(request.scaling());
            List<ShardStore> stores = request.graph().stores(data, scratch.path());
            refuseWithoutTraining(stores);
            GnnNetwork network = request.network(data);
            TrainingResult result = train(stores, network, scratch.path());
            request.writeModel(data, result);
            return result;
        }
    }

    private void refuseWithoutTraining(List<ShardStore> stores) throws IOException {
        for (ShardStore store : stores) {
            if (store.verticesOf(VertexSplit.TRAIN).length > 0) {
                return;
            }
        }
        throw new IOException(
                "there is no vertex with a class to train on; give labels and the split that belongs to them, here or to partition");
    }

    private TrainingResult train(List<ShardStore> stores, GnnNetwork network, Path scratch)
            throws IOException, InterruptedException {
        TrainingOptions options = request.training();
        List<ShardTrainer> trainers = new ArrayList<>();
        for (ShardStore store : stores) {
            Path folder = Files.createDirectories(scratch.resolve("between-" + store.shard()));
            trainers.add(new LocalTrainer(store, network, options.sharedBy(stores.size()), folder));
        }
        try (AveragedTraining training = new AveragedTraining(
                request.words(stores.size()),
                request.averaging(),
                trainers,
                network.initialWeights(options.randomSeed()),
                request.checkpoints(),
                listener)) {
            if (request.resumes()) {
                training.resume();
            }
            return training.run();
        }
    }
}
