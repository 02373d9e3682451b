package io.cutwater.flink.job.topology;

import static io.cutwater.flink.types.OperatorId.ASK_VIEWS;
import static io.cutwater.flink.types.OperatorId.ASSIGN_BATCHES;
import static io.cutwater.flink.types.OperatorId.ASSIGN_EDGES;
import static io.cutwater.flink.types.OperatorId.HAND_OVER;
import static io.cutwater.flink.types.OperatorId.SUM_QUALITY;
import static io.cutwater.flink.types.OperatorId.VERTEX_TABLE;
import static io.cutwater.flink.types.graph.GraphTypes.EDGE_BATCH;

import io.cutwater.flink.checkpoint.BucketKey;
import io.cutwater.flink.connector.feedback.LoopTopic;
import io.cutwater.flink.connector.output.PartitionStreams;
import io.cutwater.flink.operator.assigner.AssignOptions;
import io.cutwater.flink.operator.assigner.AssignerOperator;
import io.cutwater.flink.operator.distributed.AskViewsOperator;
import io.cutwater.flink.operator.distributed.AskViewsOperatorFactory;
import io.cutwater.flink.operator.distributed.HandOverOperator;
import io.cutwater.flink.operator.distributed.RemoteVertices;
import io.cutwater.flink.operator.distributed.SpreadOptions;
import io.cutwater.flink.operator.distributed.SumQualityOperator;
import io.cutwater.flink.operator.distributed.UpdateSource;
import io.cutwater.flink.operator.distributed.VertexTableOperator;
import io.cutwater.flink.operator.distributed.VertexTableOperatorFactory;
import io.cutwater.flink.operator.local.LocalVertices;
import io.cutwater.flink.types.OperatorId;
import io.cutwater.flink.types.message.AssignerMessage;
import io.cutwater.flink.types.message.MessageTypes;
import io.cutwater.flink.types.quality.JobQuality;
import io.cutwater.flink.types.shard.ShardBatch;
import io.cutwater.state.feedback.NumberedBatch;
import io.cutwater.state.feedback.Views;
import io.cutwater.state.feedback.bucket.EdgesBySource;
import io.cutwater.state.graph.EdgeBatch;
import java.util.List;
import org.apache.flink.api.common.functions.Partitioner;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;
import org.apache.flink.util.Collector;

/**
 * The part of the job graph from edges and commands to shards, book, dead letters, quality and plans, in the fused and
 * in the distributed topology.
 */
final class AssignerPath {
    private static final int ONE_KEY = 0;
    /** Up to so many tables each message between them and the assigners is sent at once. */
    private static final int FEW_TABLES = 8;

    private static final long BUFFER_MILLIS = 5;

    /** Deals batches out in turn, after some that all go to the first task. */
    private static final class Dealer implements Partitioner<Integer> {
        private static final long serialVersionUID = 1;

        /** A turn has at most this part of the edges so far. */
        private static final int SHARE_IN_TURN = 8;

        private final long firstEdges;
        private final int mostInTurn;
        private long edges;
        private int next;
        private int left;

        /**
         * @param firstEdges of this dealer alone; each task that sends has one
         * @param mostInTurn edges of a task before the next one gets some; fewer while all are few, so that all tasks
         *     get some
         */
        Dealer(long firstEdges, int mostInTurn) {
            this.firstEdges = firstEdges;
            this.mostInTurn = mostInTurn;
        }

        @Override
        public int partition(Integer batchEdges, int tasks) {
            edges += batchEdges;
            if (edges <= firstEdges) {
                return 0;
            }
            if (left <= 0) {
                next = next + 1 < tasks ? next + 1 : 0;
                left = (int) Math.min(mostInTurn, edges / SHARE_IN_TURN);
            }
            left -= batchEdges;
            return next;
        }
    }

    private AssignerPath() {}

    /** Sends each edge to the assigner of its source, so that a removal comes after its edge. */
    private static DataStream<EdgeBatch> bySource(DataStream<EdgeBatch> edges, SpreadOptions spread) {
        int buckets = spread.buckets();
        int assigners = spread.assigners();
        Partitioner<Integer> toAssigner = (assigner, tasks) -> assigner;
        return edges.flatMap((EdgeBatch batch, Collector<EdgeBatch> out) ->
                        EdgesBySource.split(batch, buckets, assigners, out::collect))
                .returns(EDGE_BATCH)
                .name("edges by source")
                .setParallelism(edges.getParallelism())
                .partitionCustom(
                        toAssigner,
                        batch -> batch.isEmpty() ? 0 : EdgesBySource.assigner(batch.source(0), buckets, assigners));
    }

    /**
     * Adds what a job of one task needs to go on with the state of a distributed one, before its commands.
     *
     * @param loopTopic that the distributed job has, or would have
     */
    static DataStream<AssignerMessage> afterTables(
            DataStream<AssignerMessage> commands, String loopTopic, AssignOptions options) {
        DataStream<AssignerMessage> messages = commands.transform(
                        HAND_OVER.name(), AssignerMessage.TYPE, new HandOverOperator())
                .uid(HAND_OVER.uid())
                .setParallelism(1);
        for (OperatorId gone : OperatorId.notOfOneTask(loopTopic, options.removesVertices())) {
            messages = messages.transform(gone.name(), AssignerMessage.TYPE, new HandOverOperator.InPlace(gone.uid()))
                    .uid(gone.uid())
                    .setParallelism(1);
        }
        return messages;
    }

    /**
     * Adds the fused topology: one assigner that holds the vertices itself.
     *
     * @param ownBudget share of the edges that a re-partitioning of its own may move; 0 for none of its own
     */
    static PartitionStreams overOwnState(
            DataStream<EdgeBatch> edges,
            DataStream<AssignerMessage> commands,
            AssignOptions options,
            double ownBudget) {
        // All state belongs to the one assigner, which sets the key of each access itself.
        SingleOutputStreamOperator<ShardBatch> shards = edges.keyBy(batch -> ONE_KEY, Types.INT)
                .connect(commands.keyBy(command -> ONE_KEY, Types.INT))
                .transform(ASSIGN_EDGES.name(), ShardBatch.TYPE, LocalVertices.assigner(options, ownBudget))
                .uid(ASSIGN_EDGES.uid())
                .setParallelism(1);
        return new PartitionStreams(
                shards,
                List.of(shards.getSideOutput(AssignerOperator.BOOK_CHANGES)),
                shards.getSideOutput(AssignerOperator.FINAL_BOOK),
                shards.getSideOutput(AssignerOperator.DEAD_LETTERS),
                shards.getSideOutput(AssignerOperator.QUALITY),
                shards.getSideOutput(AssignerOperator.PLANS));
    }

    /**
     * Returns the time after which half-full network buffers are sent: batches wait for answers, which wait for
     * lookups. There is a lookup for each table, so of few tables messages are few and large, and a thread that looks
     * for buffers to send costs more than to send them.
     */
    private static long bufferMillis(SpreadOptions spread) {
        return spread.tables() <= FEW_TABLES ? 0 : BUFFER_MILLIS;
    }

    /**
     * Adds the distributed topology: lookups, P vertex tables, A assigners, and updates from these back to the tables
     * through a topic.
     *
     * @param ownBudget share of the edges that a re-partitioning of its own may move; 0 for none of its own
     * @param source reads the updates that {@code loop} has sent
     */
    static PartitionStreams overTables(
            DataStream<EdgeBatch> edges,
            DataStream<AssignerMessage> commands,
            AssignOptions options,
            SpreadOptions spread,
            double ownBudget,
            LoopTopic loop,
            UpdateSource source) {
        int askers = spread.askers(options);
        long soloEdges = spread.soloEdges(options);
        DataStream<EdgeBatch> shared = spread.assigners() > 1 && options.keepsEdges()
                ? bySource(edges, spread)
                : askers == 1
                        ? edges.getParallelism() == 1 ? edges : edges.rebalance() // not one asker for each reader
                        : edges.partitionCustom(
                                new Dealer(soloEdges / edges.getParallelism(), spread.edgesInTurn(options)),
                                EdgeBatch::size);
        SingleOutputStreamOperator<NumberedBatch> batches = shared.transform(
                        ASK_VIEWS.name(),
                        MessageTypes.NUMBERED_BATCH,
                        new AskViewsOperatorFactory(options, spread, source))
                .uid(ASK_VIEWS.uid())
                .setParallelism(askers)
                .setBufferTimeout(bufferMillis(spread));
        SingleOutputStreamOperator<Views> views = batches.getSideOutput(AskViewsOperator.LOOKUPS)
                .keyBy(new BucketKey(spread.buckets()), Types.INT)
                .transform(
                        VERTEX_TABLE.name(),
                        MessageTypes.VIEWS,
                        new VertexTableOperatorFactory(options, spread, source))
                .uid(VERTEX_TABLE.uid())
                .setParallelism(spread.tables())
                .setMaxParallelism(spread.buckets())
                .setBufferTimeout(bufferMillis(spread));
        Partitioner<Integer> byNumber = (assigner, assigners) -> assigner;
        SingleOutputStreamOperator<AssignerMessage> answers = views.map((Views answer) -> AssignerMessage.of(answer))
                .returns(AssignerMessage.TYPE)
                .name("answers")
                .setParallelism(spread.tables())
                .setMaxParallelism(spread.buckets())
                .setBufferTimeout(bufferMillis(spread));
        DataStream<NumberedBatch> dealt = askers == spread.assigners()
                ? batches.forward()
                : batches.partitionCustom(byNumber, NumberedBatch::assigner);
        SingleOutputStreamOperator<ShardBatch> shards = dealt.connect(
                        answers.union(commands).partitionCustom(byNumber, AssignerMessage::assigner))
                .transform(ASSIGN_BATCHES.name(), ShardBatch.TYPE, RemoteVertices.assigner(options, spread, ownBudget))
                .uid(ASSIGN_BATCHES.uid())
                .setParallelism(spread.assigners());
        loop.attach(shards.getSideOutput(AssignerOperator.UPDATES), spread.buckets(), spread.assigners());
        if (options.keepsEdges()) {
            loop.attachPeers(views.getSideOutput(VertexTableOperator.PEERS), spread.buckets(), spread.tables());
        }
        return new PartitionStreams(
                shards,
                List.of(
                        views.getSideOutput(VertexTableOperator.BOOK_CHANGES),
                        shards.getSideOutput(AssignerOperator.BOOK_CHANGES)),
                views.getSideOutput(VertexTableOperator.FINAL_BOOK),
                shards.getSideOutput(AssignerOperator.DEAD_LETTERS),
                shards.getSideOutput(AssignerOperator.PART_QUALITY)
                        .union(views.getSideOutput(VertexTableOperator.PART_QUALITY))
                        .transform(SUM_QUALITY.name(), JobQuality.TYPE, new SumQualityOperator(options, spread))
                        .uid(SUM_QUALITY.uid())
                        .setParallelism(1),
                shards.getSideOutput(AssignerOperator.PLANS));
    }
}
