package io.cutwater.trainer.torch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import ai.djl.util.cuda.CudaUtils;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CudaRuntimeTest {
    @TempDir
    Path temp;

    private URLClassLoader jars(String... propertiesOfEach) throws IOException {
        URL[] jars = new URL[propertiesOfEach.length];
        for (int i = 0; i < jars.length; i++) {
            Path jar = temp.resolve("jar-" + i);
            Path file = Files.createDirectories(jar.resolve("native/lib")).resolve("pytorch.properties");
            Files.writeString(file, propertiesOfEach[i]);
            jars[i] = jar.toUri().toURL();
        }
        return new URLClassLoader(jars, null);
    }

    private static final String CPU = "version=2.5.1\nflavor=cpu\nclassifier=linux-x86_64\nlibraries=libtorch.so";
    private static final String CUDA =
            "version=2.5.1\nflavor=cu124\nclassifier=linux-x86_64\nlibraries=libc10.so,libcudart-8774.so.12,libtorch.so";

    @Test
    void comesOutOfTheJarForGpusUnderTheNameThatIsAskedFor() throws IOException {
        try (URLClassLoader loader = jars(CPU, CUDA)) {
            Path resource = temp.resolve("jar-1/pytorch/cu124/linux-x86_64/libcudart-8774.so.12");
            Files.createDirectories(resource.getParent());
            Files.writeString(resource, "the runtime");
            CudaRuntime runtime = CudaRuntime.find(loader);
            assertThat(runtime).isNotNull();
            Path folder = runtime.unpack(loader, temp.resolve("cache"));
            assertThat(folder.resolve("libcudart.so")).hasContent("the runtime");
            Files.delete(resource);
            assertThat(runtime.unpack(loader, temp.resolve("cache")))
                    .as("the second time it is there")
                    .isEqualTo(folder);
            try (var files = Files.list(folder)) {
                assertThat(files).hasSize(1);
            }
        }
    }

    @Test
    void aBuildForTheCpuHasNone() throws IOException {
        try (URLClassLoader loader = jars(CPU)) {
            assertThat(CudaRuntime.find(loader)).isNull();
        }
    }

    @Test
    void aJarThatLacksWhatItListsIsNamed() throws IOException {
        try (URLClassLoader loader = jars(CUDA)) {
            CudaRuntime runtime = CudaRuntime.find(loader);
            assertThatThrownBy(() -> runtime.unpack(loader, temp.resolve("cache")))
                    .hasMessageContaining("cu124 lacks pytorch/cu124/linux-x86_64/libcudart-8774.so.12");
        }
    }

    @Test
    void isTheOneThatDjlAsks() throws IOException {
        CudaRuntime runtime = CudaRuntime.find(Torch.class.getClassLoader());
        assumeThat(runtime).as("a build with -Dcuda").isNotNull();
        Torch.load();
        assertThat("cu" + CudaUtils.getCudaVersionString()).isEqualTo(runtime.flavor());
    }
}
