package io.cutwater.trainer.torch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TorchTest {
    @TempDir
    Path temp;

    @Test
    void loadsOnAMachineThatNeverHadItWithoutAskingTheNet() throws Exception {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-DDJL_CACHE_DIR=" + temp,
                        "-cp",
                        System.getProperty("java.class.path"),
                        OfflineProbe.class.getName())
                .redirectErrorStream(true)
                .start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(said).isZero();
        assertThat(said).contains("sum 6.0");
    }

    @Test
    void aDeviceThatIsNotThereIsRefused() {
        assertThat(Torch.device("cpu").isGpu()).isFalse();
        assertThatThrownBy(() -> Torch.device("tpu")).hasMessage("--device must be cpu, gpu or gpu:N: 'tpu'");
        assertThatThrownBy(() -> Torch.device("gpu:99")).hasMessageStartingWith("--device gpu:99: ");
    }

    @Test
    void withoutAGpuASentenceSaysWhatToDo() {
        assumeThat(Torch.load().getGpuCount()).isZero();
        assertThatThrownBy(() -> Torch.device("gpu"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("--device gpu: ")
                .hasMessageContaining("; use cpu, or ");
        assertThatThrownBy(() -> Devices.ask("gpu")).hasMessageStartingWith("--device gpu: ");
        assertThat(Devices.ask(null)).isEqualTo(Devices.ask("cpu"));
        assertThat(Torch.threads("cpu")).isEqualTo(Runtime.getRuntime().availableProcessors());
    }

    @Test
    void shardsAreDealtOutToAllGpusUnlessOneIsNamed() {
        assertThat(IntStream.range(0, 7).map(shard -> Torch.gpu("gpu", shard, 3)))
                .containsExactly(0, 1, 2, 0, 1, 2, 0);
        assertThat(IntStream.range(0, 3).map(shard -> Torch.gpu("gpu:2", shard, 3)))
                .containsExactly(2, 2, 2);
        assertThat(Torch.gpu("gpu", 5, 0)).isZero();
    }
}
