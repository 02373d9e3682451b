package io.cutwater.trainer.launch;

import io.cutwater.kafka.training.ModelChannel;
import io.cutwater.state.scratch.TemporaryFolder;
import io.cutwater.trainer.distributed.TopicWorker;
import io.cutwater.trainer.mesh.Mesh;
import io.cutwater.trainer.mesh.MeshOptions;
import io.cutwater.trainer.reduce.AllReduce;
import io.cutwater.trainer.remote.SampledTrainers;
import io.cutwater.trainer.remote.SamplerTrainers;
import io.cutwater.trainer.shard.DataShape;
import io.cutwater.trainer.shard.ShardSource;
import io.cutwater.trainer.training.ShardTrainers;
import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Runs a worker, which trains the shards that a coordinator assigns, or a sampler, which makes their mini-batches. A
 * shard is built when it is first assigned at a cut; workers with samplers build none.
 */
public final class WorkerRun {
    private final TrainingRequest request;
    private final TrainingTopics topics;
    private final String name;
    private final @Nullable MeshOptions mesh;
    private final boolean isSampler;

    /**
     * Creates a worker.
     *
     * @param name unique name; no other worker has or had it
     * @param mesh options of direct connections to other workers; null for none
     */
    public WorkerRun(TrainingRequest request, TrainingTopics topics, String name, @Nullable MeshOptions mesh) {
        this(request, topics, name, mesh, false);
    }

    /**
     * Creates a worker or a sampler.
     *
     * @param name unique name; no other worker has or had it
     * @param mesh options of direct connections to other workers; null for none
     * @throws IllegalArgumentException if the mode of the training has no samplers; the message is meant for users
     */
    public WorkerRun(
            TrainingRequest request,
            TrainingTopics topics,
            String name,
            @Nullable MeshOptions mesh,
            boolean isSampler) {
        if (isSampler && !(request.mode() instanceof TrainingMode.Sync)) {
            throw new IllegalArgumentException(
                    "a sampler makes mini-batches for --mode sync; add --mode sync to all processes");
        }
        this.isSampler = isSampler;
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
        try (TemporaryFolder scratch = TemporaryFolder.in(request.scratch(), "train");
                ShardSource source = request.open(scratch)) {
            DataShape shape = request.shape(source);
            int samplingThreads = request.training().sampling().threads();
            try (Mesh connections = mesh == null ? null : new Mesh(name, mesh, maxBody(shape), samplingThreads)) {
                ModelChannel channel =
                        ModelChannel.ofWorker(topics.bootstrapServers(), topics.clientProperties(), topics.topics());
                new TopicWorker(
                                channel,
                                name,
                                request.words(source, shape, isSampler || request.samplers() > 0),
                                trainers(source, shape, scratch.path()),
                                isSampler ? 0 : request.averaging().workers(),
                                connections)
                        .run();
            }
        }
    }

    private ShardTrainers trainers(ShardSource source, DataShape shape, Path scratch) {
        if (request.mode() instanceof TrainingMode.Sync sync) {
            if (isSampler) {
                return new SamplerTrainers(source, shape, request.training(), sync.options(), scratch);
            }
            if (sync.options().samplers() > 0) {
                return new SampledTrainers(shape, request.training(), sync.options());
            }
        }
        return request.trainers(source, shape, scratch);
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
