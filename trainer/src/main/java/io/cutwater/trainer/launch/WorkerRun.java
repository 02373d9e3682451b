package io.cutwater.trainer.launch;

import io.cutwater.kafka.training.ModelChannel;
import io.cutwater.trainer.distributed.TopicWorker;
import io.cutwater.trainer.mapped.MappedFolder;
import io.cutwater.trainer.shard.DataShape;
import io.cutwater.trainer.shard.ShardSource;
import java.io.IOException;

/** Trains for a coordinator, on those shards that it names; a shard is laid out when it is first named at a cut. */
public final class WorkerRun {
    private final TrainingRequest request;
    private final TrainingTopics topics;
    private final String name;

    /** @param name that no other worker has or had */
    public WorkerRun(TrainingRequest request, TrainingTopics topics, String name) {
        this.request = request;
        this.topics = topics;
        this.name = name;
    }

    /**
     * Works until the coordinator says that the training is over; while there is none, it waits for one.
     *
     * @throws IOException with a sentence, if the data do not fit each other
     */
    public void run() throws IOException, InterruptedException {
        try (MappedFolder scratch = new MappedFolder(request.scratch());
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
