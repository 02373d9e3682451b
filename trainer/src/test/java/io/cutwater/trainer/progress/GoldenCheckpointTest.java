package io.cutwater.trainer.progress;

import static org.assertj.core.api.Assertions.assertThat;

import io.cutwater.format.VertexSplit;
import io.cutwater.trainer.output.ModelFile;
import io.cutwater.trainer.output.TrainedModel;
import io.cutwater.trainer.shard.ShardCut;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Objects;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Reads folders that {@code train --out} of earlier builds wrote, from the test resources {@code golden/VERSION}. */
class GoldenCheckpointTest {
    private static final int EPOCHS = 3;
    private static final int FEATURES = 3;
    private static final int CLASSES = 5;

    @TempDir
    private Path temp;

    @ParameterizedTest
    @ValueSource(strings = "v1")
    void aCheckpointOfAnEarlierBuildIsRead(String version) throws IOException {
        copy(version, CheckpointFile.NAME);
        Checkpoint checkpoint = new CheckpointFile(temp).read().orElseThrow();
        assertThat(checkpoint.epochs()).isEqualTo(EPOCHS);
        assertThat(checkpoint.round()).isEqualTo(EPOCHS);
        assertThat(checkpoint.cut()).isEqualTo(ShardCut.only(3));
        assertThat(checkpoint.bytesAveraged()).isEqualTo(30_456);
        assertThat(checkpoint.state().optimiser().step()).isPositive();
        BestModel best = Objects.requireNonNull(checkpoint.best());
        assertThat(best.counts().total(VertexSplit.TRAIN)).isEqualTo(100);
        assertThat(best.weights().length).isEqualTo(checkpoint.state().weights().length);
    }

    @ParameterizedTest
    @ValueSource(strings = "v1")
    void aModelOfAnEarlierBuildIsRead(String version) throws IOException {
        copy(version, ModelFile.NAME);
        TrainedModel model = ModelFile.read(temp);
        assertThat(model.options().model()).isEqualTo("graphsage");
        assertThat(model.options().hidden()).isEqualTo(8);
        assertThat(model.features()).isEqualTo(FEATURES);
        assertThat(model.classes()).isEqualTo(CLASSES);
        assertThat(lengths(model.weights())).isEqualTo(lengths(model.network().initialWeights(1)));
    }

    private static int[] lengths(float[][] weights) {
        return Arrays.stream(weights).mapToInt(array -> array.length).toArray();
    }

    private void copy(String version, String name) throws IOException {
        String resource = "/golden/%s/%s".formatted(version, name);
        try (InputStream in =
                Objects.requireNonNull(GoldenCheckpointTest.class.getResourceAsStream(resource), resource)) {
            Files.copy(in, temp.resolve(name));
        }
    }
}
