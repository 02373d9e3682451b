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
 * Where {@link TopicShards} come from.
 *
 * @param bootstrapServers {@code host:port,…}
 * @param properties further client properties, such as those of TLS
 * @param folder what was read of the topics is kept here, for the next cut and the next process: made if missing; one
 *     process at a time
 * @param vertices features, classes and split; null: what the records of the shards tell
 * @param shape what is given of it
 * @param patience how long it is waited for a job's first records
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
                    "--feature-scaling column would change with each vertex that comes: use row or none with a topic, or give the features as --features FILE");
        }
        if (patience.isNegative()) {
            throw new IllegalArgumentException("patience cannot be negative: " + patience);
        }
    }

    /** Without the values of the client properties: passwords are among them. */
    @Override
    public String toString() {
        return "%s at %s with %s, kept in %s".formatted(topics.shards(), bootstrapServers, properties.keySet(), folder);
    }
}
