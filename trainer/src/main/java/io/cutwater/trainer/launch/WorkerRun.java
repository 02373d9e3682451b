package io.cutwater.trainer.launch;

import io.cutwater.kafka.training.ModelChannel;
import io.cutwater.state.scratch.TemporaryFolder;
import io.cutwater.trainer.distributed.TopicWorker;
import io.cutwater.trainer.shard.DataShape;
import io.cutwater.trainer.shard.ShardSource;
import java.io.IOException;

/**
 * Runs a worker, which serves the shards that a coordinator assigns. A shard is built when it is first assigned at a
 * cut.
 */
public final class WorkerRun {
    private final TrainingRequest request;
    private final TrainingTopics topics;
    private final String name;

    /** @param name unique name; no other worker has or had it */
    public WorkerRun(TrainingRequest request, TrainingTopics topics, String name) {
        this.request = request;
        this.topics = topics;
        this.name = name;
    }

    /**
     * Works until the coordinator ends the training, and waits while there is no coordinator.
     *
     * @throws IOException if the data are inconsistent; the message is meant for users
     */
    public void run() throws IOException, InterruptedException {
        try (TemporaryFolder scratch = TemporaryFolder.forMappedFiles(request.scratch(), "train");
                ShardSource source = request.open(scratch)) {
            DataShape shape = request.shape(source);
            ModelChannel channel =
                    ModelChannel.ofWorker(topics.bootstrapServers(), topics.clientProperties(), topics.topics());
            new TopicWorker(
                            channel,
                            name,
                            request.words(source, shape),
                            new SourceTrainers(source, shape, request.training(), scratch.path()),
                            request.averaging().workers())
                    .run();
        }
    }
}
