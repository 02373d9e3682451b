package io.cutwater.flink.operator.distributed;

import io.cutwater.flink.operator.assigner.AssignOptions;
import io.cutwater.state.feedback.NumberedBatch;
import io.cutwater.state.graph.EdgeBatch;
import org.apache.flink.streaming.api.operators.AbstractStreamOperatorFactory;
import org.apache.flink.streaming.api.operators.OneInputStreamOperatorFactory;
import org.apache.flink.streaming.api.operators.StreamOperator;
import org.apache.flink.streaming.api.operators.StreamOperatorParameters;

/** Factory of {@link AskViewsOperator}; only a factory has access to the task's mailbox. */
public final class AskViewsOperatorFactory extends AbstractStreamOperatorFactory<NumberedBatch>
        implements OneInputStreamOperatorFactory<EdgeBatch, NumberedBatch> {
    private static final long serialVersionUID = 1;

    private final AssignOptions options;
    private final SpreadOptions spread;
    private final UpdateSource source;

    public AskViewsOperatorFactory(AssignOptions options, SpreadOptions spread, UpdateSource source) {
        this.options = options;
        this.spread = spread;
        this.source = source;
    }

    @Override
    @SuppressWarnings("unchecked") // as the interface has it
    public <T extends StreamOperator<NumberedBatch>> T createStreamOperator(
            StreamOperatorParameters<NumberedBatch> parameters) {
        return (T) new AskViewsOperator(parameters, options, spread, source);
    }

    @Override
    @SuppressWarnings("rawtypes") // as the interface has it
    public Class<? extends StreamOperator> getStreamOperatorClass(ClassLoader classLoader) {
        return AskViewsOperator.class;
    }
}
