package io.cutwater.trainer.live;

import io.cutwater.format.input.VertexFiles;
import io.cutwater.kafka.topic.Topics;
import io.cutwater.trainer.feature.FeatureScaling;
import io.cutwater.trainer.feature.ShapeOptions;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Options of {@link TopicShards}.
 *
 * @param bootstrapServers {@code host:port,…}
 * @param properties further properties of Kafka clients, such as TLS settings
 * @param folder folder that keeps the records read; created if missing, used by one process at a time
 * @param vertices files with vertex data; null to use the records of the shards
 * @param shape the part of the shape that the user chose
 * @param patience time limit for a job's first records
 */
public record TopicShardsOptions(
        String bootstrapServers,
        Map<String, ?> properties,
        Topics topics,
        Path folder,
        FeatureScaling scaling,
        @Nullable VertexFiles vertices,
        ShapeOptions shape,
        Duration patience) {
    public TopicShardsOptions {
        properties = Map.copyOf(properties);
        if (scaling == FeatureScaling.COLUMN && vertices == null) {
            throw new IllegalArgumentException(
                    "--feature-scaling column would change with every new vertex: use row or none with a topic, or give the features as --features FILE");
        }
        if (patience.isNegative()) {
            throw new IllegalArgumentException("patience cannot be negative: " + patience);
        }
    }

    /** Describes the options without the values of the client properties, which may be secret. */
    @Override
    public String toString() {
        return "%s at %s with %s, kept in %s".formatted(topics.shards(), bootstrapServers, properties.keySet(), folder);
    }
}
