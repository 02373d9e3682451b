package io.cutwater.trainer.run;

import io.cutwater.kafka.client.ModelChannel;
import io.cutwater.trainer.remote.TopicWorker;
import io.cutwater.trainer.shard.ShardSource;
import io.cutwater.trainer.shard.VertexShape;
import java.io.IOException;

/** Trains for a coordinator, on those shards that it names; a shard is laid out when it is first named at a cut. */
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
     * @throws IOException with a sentence, if the data do not fit each other
     */
    public void run() throws IOException, InterruptedException {
        try (ScratchFolder scratch = new ScratchFolder(request.scratch());
                ShardSource source = request.open(scratch)) {
            VertexShape shape = request.shape(source);
            ModelChannel channel =
                    ModelChannel.ofWorker(meeting.bootstrapServers(), meeting.clientProperties(), meeting.topics());
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
