package io.cutwater.trainer.bridge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TorchBridgeTest {
    @TempDir
    Path folder;

    @Test
    void saysWhatIsMissing() throws IOException {
        assertThatThrownBy(() -> build("no-such-python"))
                .hasMessageStartingWith("--python no-such-python does not start (")
                .hasMessageEndingWith("; name the Python in which PyTorch is installed");
        assertThatThrownBy(() -> build(python("echo no module named torch; exit 1")))
                .hasMessageContaining(" cannot import torch (no module named torch); install PyTorch there");
        assertThatThrownBy(() -> build(python("printf '2.9.0\\ncpu\\n/nowhere\\n\\n'")))
                .hasMessage(
                        "PyTorch 2.9.0 in /nowhere has no C++ headers (include/torch/script.h); install it with pip");
        assertThatThrownBy(() -> TorchBridge.jniHeaders(folder))
                .hasMessage("Java in %s has no include/jni.h; start with JAVA_HOME of a JDK", folder);
        assertThat(folder.resolve("out")).doesNotExist();
    }

    private void build(String python) throws IOException, InterruptedException {
        TorchBridge.build(python, folder.resolve("out"), step -> {});
    }

    private String python(String script) throws IOException {
        Path file = folder.resolve("python");
        Files.writeString(file, "#!/bin/sh\n" + script + "\n");
        assertThat(file.toFile().setExecutable(true)).isTrue();
        return file.toString();
    }

    @Test
    void gradientsOfTheBundledLibraryAreRight() {
        BridgeCheck.check("cpu");
    }
}
