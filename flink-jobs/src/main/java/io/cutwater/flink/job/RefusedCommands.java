package io.cutwater.flink.job;

import io.cutwater.flink.types.CommandEvent;
import io.cutwater.flink.types.PartitionStreams;
import io.cutwater.flink.types.StreamType;
import io.cutwater.state.graph.RejectedRecord;
import io.cutwater.state.repartition.live.RepartitionStatus;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;
import org.apache.flink.streaming.api.functions.ProcessFunction;
import org.apache.flink.util.Collector;
import org.apache.flink.util.OutputTag;

/**
 * Commands to a job that is spread out, which keeps no edges and so moves none: each is answered at once. The job reads
 * them also because a fused one that is resumed spread out has a place in their topic in its savepoint.
 */
final class RefusedCommands {
    private static final OutputTag<RejectedRecord> DEAD_LETTERS =
            new OutputTag<>("dead-commands", StreamType.REJECTED_RECORD);

    private RefusedCommands() {}

    static PartitionStreams define(PartitionStreams streams, DataStream<CommandEvent> commands, int partitions) {
        SingleOutputStreamOperator<RepartitionStatus> refused = commands.process(
                        new Refusal(partitions), StreamType.REPARTITION_STATUS)
                .name("refuse commands")
                .uid("refuse-commands")
                .setParallelism(1);
        return streams.withPlans(refused, refused.getSideOutput(DEAD_LETTERS));
    }

    private static final class Refusal extends ProcessFunction<CommandEvent, RepartitionStatus> {
        private static final long serialVersionUID = 1;
        private static final String REASON =
                "several tasks decide, and they keep no edges that could move; submit the job with --keep-edges, and"
                        + " without --parallelism and --assigners";

        private final int partitions;

        Refusal(int partitions) {
            this.partitions = partitions;
        }

        @Override
        public void processElement(CommandEvent event, Context context, Collector<RepartitionStatus> out) {
            if (event.command() != null) {
                out.collect(RepartitionStatus.refused(event.command().id(), 0, partitions, REASON));
            } else if (event.rejected() != null) {
                context.output(DEAD_LETTERS, event.rejected());
            }
        }
    }
}
