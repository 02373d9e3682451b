package io.cutwater.format.folder;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cutwater.format.file.OutputFiles;
import io.cutwater.format.text.VertexNames;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NamesFileTest {
    @TempDir
    Path temp;

    @Test
    void namesComeBackWhateverBytesTheyHave() throws IOException {
        VertexNames names = new VertexNames();
        for (String name : List.of("a", "\"", "b\"c\"", "\"\"", "é", "x".repeat(5_000), "0")) {
            add(names, name.getBytes(StandardCharsets.UTF_8));
        }
        add(names, new byte[] {(byte) 0xFF, 0, (byte) 0x80});
        for (int i = 0; i < 1_000; i++) {
            add(names, ("v" + i).getBytes(StandardCharsets.UTF_8));
        }
        NamesFile.write(new OutputFiles(temp, "run"), names);

        assertThat(all(NamesFile.read(temp, true))).isEqualTo(all(names));
        assertThat(new String(Files.readAllBytes(temp.resolve("ids.csv")), StandardCharsets.ISO_8859_1))
                .startsWith("id,text\n0,a\n1,\"\"\"\"\n2,\"b\"\"c\"\"\"\n3,\"\"\"\"\"\"\n4,");
    }

    @Test
    void namesWithGivenIdsAreInTheirOrder() throws IOException {
        VertexNames names = new VertexNames();
        long[] ids = {7, Long.MIN_VALUE, -1, Long.MAX_VALUE, 0};
        List<String> given = List.of("seven", "a,b", "a\nb", "\"\n\"", "zero");
        for (int i = 0; i < ids.length; i++) {
            byte[] name = given.get(i).getBytes(StandardCharsets.UTF_8);
            names.add(ids[i], name, 0, name.length);
            names.add(ids[i], name, 0, name.length);
        }
        NamesFile.write(new OutputFiles(temp, "run"), names);

        VertexNames read = NamesFile.read(temp, false);
        assertThat(all(read))
                .containsExactly("a,b", "a\nb", "zero", "seven", "\"\n\"")
                .isEqualTo(all(names));
        assertThat(read.id("seven".getBytes(StandardCharsets.UTF_8), 0, 5)).isEqualTo(7);
        assertThat(all(read.without(Set.of(7L, 0L)))).containsExactly("a,b", "a\nb", "\"\n\"");
        assertThat(read.namesWithOneId()).isEmpty();
        assertThat(read.names(new long[] {-1, 5, 7})).isDeepEqualTo(new byte[][] {bytes("a\nb"), null, bytes("seven")});
        long unknown = read.id(new byte[] {'x'}, 0, 1);
        assertThat(unknown).isNotIn(7L, Long.MIN_VALUE, -1L, Long.MAX_VALUE, 0L);
        read.add(unknown, new byte[] {'y'}, 0, 1);
        assertThat(read.namesWithOneId()).containsExactly("x", "y");
    }

    @Test
    void aRunOfNamedIdsHasTheFileInItsManifest() throws IOException {
        VertexNames names = new VertexNames();
        add(names, new byte[] {'a'});
        SampleRun run = new SampleRun(1, 2, 100, 20, false, false);
        try (OutputFolder folder = OutputFolder.open(temp.resolve("out"), false)) {
            run.stage(folder.staging(), 1);
            folder.setNames(names);
            folder.complete(run.description(), TableFormat.CSV, new byte[0]);
        }
        ShardFolder folder = ShardFolder.open(temp.resolve("out"));
        folder.verify();

        assertThat(folder.manifest().files()).containsKey("ids.csv");
        assertThat(all(folder.readNames().orElseThrow())).containsExactly("a");
        run.write(temp.resolve("numbers"), TableFormat.CSV);
        assertThat(ShardFolder.open(temp.resolve("numbers")).readNames()).isEmpty();
    }

    @Test
    void aDamagedFileIsRefused() throws IOException {
        for (String text : List.of("", "id;text\n", "id,text\n0,a\n1,a\n", "id,text\n0,\n")) {
            Files.writeString(temp.resolve("ids.csv"), text);
            assertThatThrownBy(() -> NamesFile.read(temp, true)).hasMessageContaining("ids.csv is damaged after");
        }
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static void add(VertexNames names, byte[] text) {
        names.id(text, 0, text.length);
    }

    private static List<String> all(VertexNames names) {
        List<String> all = new ArrayList<>();
        names.forEach((id, text, from, to) -> all.add(new String(text, from, to - from, StandardCharsets.ISO_8859_1)));
        return all;
    }
}
