package io.cutwater.trainer.run;

import io.cutwater.kafka.client.ModelChannel;
import io.cutwater.trainer.averaging.AveragedTraining;
import io.cutwater.trainer.averaging.RoundListener;
import io.cutwater.trainer.averaging.TrainingResult;
import io.cutwater.trainer.model.GnnNetwork;
import io.cutwater.trainer.remote.TopicWorkforce;
import io.cutwater.trainer.shard.VertexData;
import java.io.IOException;

/** Trains a model with workers that are processes of their own, on this machine or others. */
public final class CoordinatorRun {
    private final TrainingRequest request;
    private final Meeting meeting;
    private final RoundListener listener;

    /** @param request whose workers are how many it waits for before it begins */
    public CoordinatorRun(TrainingRequest request, Meeting meeting, RoundListener listener) {
        this.request = request;
        this.meeting = meeting;
        this.listener = listener;
    }

    /**
     * Trains to the end, and writes the model where the request says so. Of the shards it reads nothing.
     *
     * @throws IOException with a sentence, if the files do not fit each other
     */
    public TrainingResult run() throws IOException, InterruptedException {
        VertexData data = request.graph().data(request.scaling());
        int shards = request.graph().inputs(data).size();
        GnnNetwork network = request.network(data);
        TopicWorkforce workforce = new TopicWorkforce(
                ModelChannel.ofCoordinator(
                        meeting.bootstrapServers(),
                        meeting.clientProperties(),
                        meeting.topics(),
                        TopicWorkforce.SENDER),
                request.words(shards),
                shards,
                meeting.silence(),
                listener::workersChanged);
        try (AveragedTraining training = new AveragedTraining(
                request.words(shards),
                request.averaging(),
                workforce,
                network.initialWeights(request.training().randomSeed()),
                request.checkpoints(),
                listener)) {
            if (request.resumes()) {
                training.resume();
            }
            workforce.awaitWorkers(
                    request.averaging().workers(), request.averaging().roundWait());
            TrainingResult result = training.run();
            request.writeModel(data, result);
            workforce.end();
            return result;
        }
    }
}
