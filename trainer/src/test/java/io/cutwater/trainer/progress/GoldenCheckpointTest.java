package io.cutwater.trainer.progress;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cutwater.format.VertexSplit;
import io.cutwater.trainer.output.ModelFile;
import io.cutwater.trainer.output.TrainedModel;
import io.cutwater.trainer.round.EmbeddingRows;
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
    @ValueSource(strings = {"v1", "v2"})
    void aModelOfAnEarlierBuildIsRead(String version) throws IOException {
        copy(version, ModelFile.NAME);
        TrainedModel model = ModelFile.read(temp);
        assertThat(model.options().model()).isEqualTo("graphsage");
        assertThat(model.options().hidden()).isEqualTo(8);
        assertThat(model.features()).isEqualTo(FEATURES);
        assertThat(model.classes()).isEqualTo(CLASSES);
        assertThat(model.isOfWholeGraph()).isEqualTo(version.equals("v2"));
        assertThat(lengths(model.weights())).isEqualTo(lengths(model.network().initialWeights(1)));
        if (version.equals("v2")) {
            byte[] before = Files.readAllBytes(temp.resolve(ModelFile.NAME));
            ModelFile.write(model, temp);
            assertThat(temp.resolve(ModelFile.NAME)).hasBinaryContent(before);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = "v1")
    void embeddingsOfAnEarlierBuildAreRead(String version) throws IOException {
        String name = "embeddings-%d.bin".formatted(EPOCHS);
        copy(version, name);
        byte[] before = Files.readAllBytes(temp.resolve(name));
        EmbeddingFiles files = new EmbeddingFiles(temp);
        EmbeddingRows rows = files.read(EPOCHS, 2);
        assertThat(rows.seed()).isEqualTo(7);
        assertThat(rows.vertices()).containsExactly(-5, 0, 9_000_000_000L);
        assertThat(rows.steps()).containsExactly(1, 12, 3);
        assertThat(rows.values()).containsExactly(0.5f, -0.25f, 1.5f, 2.5f, -8, 0.0625f);
        assertThat(rows.means()).containsExactly(0.125f, 2, 0, -1, 7, 6);
        assertThat(rows.variances()).containsExactly(3, 4, 0.5f, 0.75f, 5, 1);
        files.write(rows, EPOCHS);
        assertThat(temp.resolve(name)).hasBinaryContent(before);

        files.write(rows, EPOCHS + 1);
        files.write(rows, EPOCHS + 2);
        assertThat(temp.resolve(name)).doesNotExist();
        assertThat(files.read(EPOCHS + 1, 2).steps()).isEqualTo(rows.steps());
        assertThatThrownBy(() -> files.read(EPOCHS, 2)).hasMessageContaining(name + " is missing");
        assertThatThrownBy(() -> files.read(EPOCHS + 1, 3)).hasMessageContaining("give --embeddings 2");
        Files.write(temp.resolve(name), Arrays.copyOf(before, before.length - 1));
        assertThatThrownBy(() -> files.read(EPOCHS, 2)).hasMessageContaining("is truncated");
        before[18] = 1; // 65,539 rows of 2 numbers
        Files.write(temp.resolve(name), before);
        assertThatThrownBy(() -> files.read(EPOCHS, 2)).hasMessageContaining("is truncated");
        before[12] = 1;
        before[13] = 1;
        Files.write(temp.resolve(name), before);
        assertThatThrownBy(() -> files.read(EPOCHS, 2)).hasMessageContaining("there cannot be");
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
