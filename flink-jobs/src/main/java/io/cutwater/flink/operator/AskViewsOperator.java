package io.cutwater.flink.operator;

import io.cutwater.flink.stream.StreamType;
import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.state.loop.Lookup;
import io.cutwater.state.loop.LookupMaker;
import io.cutwater.state.loop.NumberedBatch;
import io.cutwater.state.partition.EdgePartitioners;
import org.apache.flink.streaming.api.operators.AbstractStreamOperator;
import org.apache.flink.streaming.api.operators.OneInputStreamOperator;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.util.OutputTag;

/**
 * Gives batches their order, sends each to an assigner, and asks the vertex tables for the views of its vertices. Of
 * parallelism 1 and without state: numbers begin anew in every attempt, since no batch is half joined at a barrier.
 */
public final class AskViewsOperator extends AbstractStreamOperator<NumberedBatch>
        implements OneInputStreamOperator<EdgeBatch, NumberedBatch> {
    public static final OutputTag<Lookup> LOOKUPS = new OutputTag<>("lookups", StreamType.LOOKUP);

    private final AssignOptions options;
    private final SpreadOptions spread;

    private transient LookupMaker lookups;

    public AskViewsOperator(AssignOptions options, SpreadOptions spread) {
        this.options = options;
        this.spread = spread;
    }

    @Override
    public void open() throws Exception {
        super.open();
        int placingPass = EdgePartitioners.create(options.partitioner()).preparationPasses();
        lookups = new LookupMaker(spread.buckets(), spread.assigners(), placingPass);
    }

    @Override
    public void processElement(StreamRecord<EdgeBatch> element) {
        NumberedBatch batch =
                lookups.ask(element.getValue(), lookup -> output.collect(LOOKUPS, new StreamRecord<>(lookup)));
        output.collect(new StreamRecord<>(batch));
    }
}
