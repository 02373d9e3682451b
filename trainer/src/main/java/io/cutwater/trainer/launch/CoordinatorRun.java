package io.cutwater.trainer.launch;

import io.cutwater.kafka.training.ModelChannel;
import io.cutwater.state.scratch.TemporaryFolder;
import io.cutwater.trainer.averaging.AveragedTraining;
import io.cutwater.trainer.distributed.TopicWorkforce;
import io.cutwater.trainer.mesh.Mesh;
import io.cutwater.trainer.mesh.MeshOptions;
import io.cutwater.trainer.progress.RoundListener;
import io.cutwater.trainer.progress.TrainingResult;
import io.cutwater.trainer.shard.DataShape;
import io.cutwater.trainer.shard.ShardSource;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Runs the coordinator of a training whose workers are other processes, on this machine or others. */
public final class CoordinatorRun {
    private final TrainingRequest request;
    private final TrainingTopics topics;
    private final RoundListener listener;
    private final String name;
    private final @Nullable MeshOptions mesh;

    /** Creates a coordinator whose models travel on the topics. */
    public CoordinatorRun(TrainingRequest request, TrainingTopics topics, RoundListener listener) {
        this(request, topics, listener, "coordinator", null);
    }

    /**
     * Creates a coordinator.
     *
     * @param request the training; its number of workers is the number to wait for at the start
     * @param name unique name of the process
     * @param mesh options of the connections on which models travel; null if they travel on the topics
     */
    public CoordinatorRun(
            TrainingRequest request,
            TrainingTopics topics,
            RoundListener listener,
            String name,
            @Nullable MeshOptions mesh) {
        this.name = name;
        this.mesh = mesh;
        this.request = request;
        this.topics = topics;
        this.listener = listener;
    }

    /**
     * Trains to the end and writes each new best model to the output folder of the request. The coordinator reads no
     * shards. A training that follows its graph ends when its thread is interrupted; its workers then wait for another
     * coordinator.
     *
     * @throws IOException if the data are inconsistent; the message is meant for users
     */
    public TrainingResult run() throws IOException, InterruptedException {
        try (TemporaryFolder scratch = TemporaryFolder.forMappedFiles(request.scratch(), "train");
                ShardSource source = request.open(scratch);
                Mesh models = mesh == null ? null : new Mesh(name, mesh, Integer.MAX_VALUE)) {
            DataShape shape = request.shape(source);
            String words = request.words(source, shape);
            TopicWorkforce workforce = new TopicWorkforce(
                    ModelChannel.ofCoordinator(
                            topics.bootstrapServers(),
                            topics.clientProperties(),
                            topics.topics(),
                            TopicWorkforce.SENDER),
                    request.words(source, shape, request.samplers() > 0),
                    topics.workerTimeout(),
                    !(request.mode() instanceof TrainingMode.Local),
                    request.samplers(),
                    listener::workersChanged,
                    models);
            try (AveragedTraining training = new AveragedTraining(
                    words,
                    request.averaging(),
                    source::latest,
                    workforce,
                    request.initial(shape),
                    request.checkpoints(),
                    request.keeping(shape, listener))) {
                if (request.resumes()) {
                    training.resume();
                }
                workforce.awaitWorkers(
                        request.averaging().workers(), request.averaging().roundWait());
                TrainingResult result = training.run();
                if (!request.averaging().refresh().follows()) {
                    workforce.end();
                }
                return result;
            }
        }
    }
}
