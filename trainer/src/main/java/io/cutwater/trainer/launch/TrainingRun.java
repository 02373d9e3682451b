package io.cutwater.trainer.launch;

import io.cutwater.state.scratch.TemporaryFolder;
import io.cutwater.trainer.averaging.AveragedTraining;
import io.cutwater.trainer.averaging.LocalWorkers;
import io.cutwater.trainer.progress.RoundListener;
import io.cutwater.trainer.progress.TrainingResult;
import io.cutwater.trainer.shard.DataShape;
import io.cutwater.trainer.shard.ShardSource;
import java.io.IOException;

/** Runs a training in this process, on the shards of a source or on a whole graph. */
public final class TrainingRun {
    private final TrainingRequest request;
    private final RoundListener listener;

    public TrainingRun(TrainingRequest request, RoundListener listener) {
        this.request = request;
        this.listener = listener;
    }

    /**
     * Trains to the end and writes each new best model to the output folder of the request. A training that follows its
     * graph ends when its thread is interrupted.
     *
     * @throws IOException if the data are inconsistent; the message is meant for users
     */
    public TrainingResult run() throws IOException, InterruptedException {
        try (TemporaryFolder scratch = TemporaryFolder.forMappedFiles(request.scratch(), "train");
                ShardSource source = request.open(scratch)) {
            DataShape shape = request.shape(source);
            try (AveragedTraining training = new AveragedTraining(
                    request.words(source, shape),
                    request.averaging(),
                    source::latest,
                    new LocalWorkers(
                            request.trainers(source, shape, scratch.path()),
                            request.averaging().workers(),
                            request.averaging().averageEvery().isOfGradients()),
                    request.initial(shape),
                    request.checkpoints(),
                    request.keeping(shape, listener))) {
                if (request.resumes()) {
                    training.resume();
                }
                return training.run();
            }
        }
    }
}
