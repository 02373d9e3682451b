package io.cutwater.flink.connector.source;

import io.cutwater.flink.connector.input.EdgeInput;
import io.cutwater.flink.connector.input.OrderedInput;
import io.cutwater.flink.connector.pass.TopicPassesSource;
import io.cutwater.flink.connector.restore.RestoreRule;
import io.cutwater.flink.connector.topic.TopicSource;
import io.cutwater.flink.connector.topic.TopicSourceOptions;
import io.cutwater.state.graph.EdgeBatch;
import org.apache.flink.api.connector.source.Source;

/** Creates sources of topic {@code edges}: unbounded, or a range of offsets. */
public final class EdgeTopicSource {
    private EdgeTopicSource() {}

    /** @param passes how often the topic is read, at least 1 */
    static Source<EdgeBatch, ?, ?> create(EdgeInput.Topic input, int passes) {
        return passes == 1 ? onePass(input) : new TopicPassesSource(input, passes);
    }

    /** Creates an unbounded source; a restored job continues from the offsets of its checkpoint. */
    public static TopicSource<EdgeBatch> live(EdgeInput.LiveTopic input) {
        return TopicSource.live(
                new TopicSourceOptions(
                        input.bootstrapServers(), input.topic(), input.from(), input.properties(), input.rule()),
                new EdgeEventDeserializer(
                        input.format(),
                        input.takesRemovals() ? null : EdgeEventDeserializer.KEEPS_NO_EDGES,
                        input.removesVertices()));
    }

    private static TopicSource<EdgeBatch> onePass(EdgeInput.Topic input) {
        return TopicSource.bounded(
                new TopicSourceOptions(
                        input.bootstrapServers(), input.topic(), input.from(), input.properties(), RestoreRule.STRICT),
                input.until(),
                new EdgeEventDeserializer(input.format(), OrderedInput.NO_REMOVALS, false));
    }
}
