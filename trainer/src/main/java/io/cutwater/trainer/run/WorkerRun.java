package io.cutwater.trainer.run;

import io.cutwater.kafka.client.ModelChannel;
import io.cutwater.trainer.model.GnnNetwork;
import io.cutwater.trainer.remote.TopicWorker;
import io.cutwater.trainer.shard.ShardBuilder;
import io.cutwater.trainer.shard.ShardInput;
import io.cutwater.trainer.shard.ShardStore;
import io.cutwater.trainer.shard.VertexData;
import io.cutwater.trainer.training.LocalTrainer;
import io.cutwater.trainer.training.TrainingOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Trains for a coordinator, on those shards that it names; a shard is laid out when it is first named. */
public final class WorkerRun {
    private final TrainingRequest request;
    private final Meeting meeting;
    private final String name;

    /** @param name that no other worker has or had */
    public WorkerRun(TrainingRequest request, Meeting meeting, String name) {
        this.request = request;
        this.meeting = meeting;
        this.name = name;
    }

    /**
     * Works until the coordinator says that the training is over; while there is none, it waits for one.
     *
     * @throws IOException with a sentence, if the files do not fit each other
     */
    public void run() throws IOException, InterruptedException {
        try (ScratchFolder scratch = new ScratchFolder(request.scratch())) {
            VertexData data = request.graph().data(request.scaling());
            List<ShardInput> inputs = request.graph().inputs(data);
            GnnNetwork network = request.network(data);
            TrainingOptions options = request.training().sharedBy(inputs.size());
            ModelChannel channel =
                    ModelChannel.ofWorker(meeting.bootstrapServers(), meeting.clientProperties(), meeting.topics());
            new TopicWorker(channel, name, request.words(inputs.size()), shard -> {
                        Path folder = scratch.path().resolve("shard-" + shard);
                        ShardStore store = ShardBuilder.build(shard, inputs.get(shard), data, folder);
                        Path between = Files.createDirectories(scratch.path().resolve("between-" + shard));
                        return new LocalTrainer(store, network, options, between);
                    })
                    .run();
        }
    }
}
