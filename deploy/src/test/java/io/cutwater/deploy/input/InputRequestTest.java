package io.cutwater.deploy.input;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class InputRequestTest {
    @ParameterizedTest
    @CsvSource({
        "/data/amazon-computers/edges.txt.gz, amazon-computers/edges.txt.gz",
        "/data/amazon-computers/../cora/edges.txt, cora/edges.txt",
        "/edges.txt, /edges.txt",
        "/, /",
        "/data/cora/a.txt /data/cora/b.txt /data/c.txt, cora/a.txt and 2 more"
    })
    void titlesNameTheFolderOfAFile(String files, String name) {
        List<Path> paths = Stream.of(files.split(" ")).map(Path::of).toList();

        assertThat(new InputRequest.Files(paths, null).name()).isEqualTo(name);
    }
}
