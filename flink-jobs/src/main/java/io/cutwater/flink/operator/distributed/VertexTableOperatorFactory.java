package io.cutwater.flink.operator.distributed;

import io.cutwater.flink.operator.assigner.AssignOptions;
import io.cutwater.state.feedback.Lookup;
import io.cutwater.state.feedback.Views;
import org.apache.flink.streaming.api.operators.AbstractStreamOperatorFactory;
import org.apache.flink.streaming.api.operators.OneInputStreamOperatorFactory;
import org.apache.flink.streaming.api.operators.StreamOperator;
import org.apache.flink.streaming.api.operators.StreamOperatorParameters;

/** Factory of {@link VertexTableOperator}; only a factory has access to the task's mailbox. */
public final class VertexTableOperatorFactory extends AbstractStreamOperatorFactory<Views>
        implements OneInputStreamOperatorFactory<Lookup, Views> {
    private static final long serialVersionUID = 1;

    private final AssignOptions options;
    private final SpreadOptions spread;
    private final UpdateSource source;

    public VertexTableOperatorFactory(AssignOptions options, SpreadOptions spread, UpdateSource source) {
        this.options = options;
        this.spread = spread;
        this.source = source;
    }

    @Override
    @SuppressWarnings("unchecked") // as the interface has it
    public <T extends StreamOperator<Views>> T createStreamOperator(StreamOperatorParameters<Views> parameters) {
        return (T) new VertexTableOperator(parameters, options, spread, source);
    }

    @Override
    @SuppressWarnings("rawtypes") // as the interface has it
    public Class<? extends StreamOperator> getStreamOperatorClass(ClassLoader classLoader) {
        return VertexTableOperator.class;
    }
}
