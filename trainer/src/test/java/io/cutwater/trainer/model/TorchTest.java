package io.cutwater.trainer.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
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
        assertThatThrownBy(() -> Torch.device("gpu:99")).hasMessageStartingWith("--device gpu:99: PyTorch sees");
    }
}
