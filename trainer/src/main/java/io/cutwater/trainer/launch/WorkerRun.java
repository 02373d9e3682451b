package io.cutwater.trainer.launch;

import io.cutwater.kafka.training.ModelChannel;
import io.cutwater.state.scratch.TemporaryFolder;
import io.cutwater.trainer.distributed.TopicWorker;
import io.cutwater.trainer.mesh.Mesh;
import io.cutwater.trainer.mesh.MeshOptions;
import io.cutwater.trainer.reduce.AllReduce;
import io.cutwater.trainer.shard.DataShape;
import io.cutwater.trainer.shard.ShardSource;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * Runs a worker, which serves the shards that a coordinator assigns. A shard is built when it is first assigned at a
 * cut.
 */
public final class WorkerRun {
    private final TrainingRequest request;
    private final TrainingTopics topics;
    private final String name;
    private final @Nullable MeshOptions mesh;

    /**
     * Creates a worker.
     *
     * @param name unique name; no other worker has or had it
     * @param mesh options of direct connections to other workers; null for none
     */
    public WorkerRun(TrainingRequest request, TrainingTopics topics, String name, @Nullable MeshOptions mesh) {
        this.mesh = mesh;
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
            try (Mesh connections = mesh == null ? null : new Mesh(name, mesh, maxBody(shape))) {
                ModelChannel channel =
                        ModelChannel.ofWorker(topics.bootstrapServers(), topics.clientProperties(), topics.topics());
                new TopicWorker(
                                channel,
                                name,
                                request.words(source, shape),
                                request.trainers(source, shape, scratch.path()),
                                request.averaging().workers(),
                                connections)
                        .run();
            }
        }
    }

    /**
     * Returns the maximum number of bytes that a shard sends to another at a time: without a limit for rows, and a
     * gradient otherwise.
     */
    private int maxBody(DataShape shape) {
        if (!(request.mode() instanceof TrainingMode.Local)) {
            return Integer.MAX_VALUE;
        }
        long numbers = 0;
        for (float[] weight : request.initial(shape).weights()) {
            numbers += weight.length;
        }
        return AllReduce.maxBytes(numbers);
    }
}
