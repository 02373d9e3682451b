package io.cutwater.state.algorithm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.cutwater.state.partition.GraphSize;
import io.cutwater.state.partition.NumericSetting;
import io.cutwater.state.partition.PartitionerOptions;
import io.cutwater.state.partition.PassMode;
import io.cutwater.state.partition.Setting;
import io.cutwater.state.rule.EdgePartitioner;
import io.cutwater.state.rule.VertexPartitioner;
import io.cutwater.state.table.PartitionLoads;
import io.cutwater.state.table.VertexTable;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Partitioners that a folder on the class path names, as a jar does. */
class PartitionerCatalogTest {
    private final ClassLoader before = Thread.currentThread().getContextClassLoader();

    @TempDir
    private Path folder;

    /** All on partition {@code at}. */
    public static final class Constant implements EdgePartitionerProvider {
        private static final NumericSetting AT = new NumericSetting("at", 0, 0, 4095);

        @Override
        public String name() {
            return "constant";
        }

        @Override
        public List<Setting> settings() {
            return List.of(AT);
        }

        @Override
        public boolean runsLive() {
            return false;
        }

        @Override
        public EdgePartitioner create(PartitionerOptions options) {
            int at = (int) AT.of(options);
            return (vertices, source, target, loads) -> at;
        }
    }

    public static final class AnotherConstant implements EdgePartitionerProvider {
        @Override
        public String name() {
            return "constant";
        }

        @Override
        public EdgePartitioner create(PartitionerOptions options) {
            throw new IllegalStateException("nobody asks for it");
        }
    }

    public static final class Hdrf implements EdgePartitionerProvider {
        @Override
        public String name() {
            return "hdrf";
        }

        @Override
        public EdgePartitioner create(PartitionerOptions options) {
            throw new IllegalStateException("nobody asks for it");
        }
    }

    public static final class Blank implements EdgePartitionerProvider {
        @Override
        public String name() {
            return "a, b";
        }

        @Override
        public EdgePartitioner create(PartitionerOptions options) {
            throw new IllegalStateException("nobody asks for it");
        }
    }

    public static final class Unmade implements EdgePartitionerProvider {
        public Unmade() {
            throw new IllegalStateException("no licence");
        }

        @Override
        public String name() {
            return "unmade";
        }

        @Override
        public EdgePartitioner create(PartitionerOptions options) {
            throw new IllegalStateException("nobody asks for it");
        }
    }

    /** Vertices on the last partition. */
    public static final class Last implements VertexPartitionerProvider {
        @Override
        public String name() {
            return "last";
        }

        @Override
        public VertexPartitioner create(PartitionerOptions options, GraphSize size) {
            return (vertex, neighbours, from, to, placement) -> options.partitionCount() - 1;
        }
    }

    @AfterEach
    void forgetTheFolder() {
        Thread.currentThread().setContextClassLoader(before);
    }

    private void provide(Class<?> type, String... classes) throws IOException {
        Path services = Files.createDirectories(folder.resolve("META-INF/services"));
        Files.write(services.resolve(type.getName()), List.of(classes));
        // Not closed: nothing is open, it is a folder of one text file.
        Thread.currentThread()
                .setContextClassLoader(
                        new URLClassLoader(new URL[] {folder.toUri().toURL()}, before));
    }

    private static PartitionerOptions options(String name, PassMode mode, Map<String, String> settings) {
        return new PartitionerOptions(name, 4, 1, mode, settings);
    }

    @Test
    void anEdgePartitionerOfAJarIsKnownByNameWithItsSettingsAndPasses() throws IOException {
        assertThat(EdgePartitioners.names()).doesNotContain("constant");
        provide(EdgePartitionerProvider.class, Constant.class.getName());

        assertThat(EdgePartitioners.names()).contains("constant", "hdrf").isSorted();
        assertThat(EdgePartitioners.hasSetting("constant", "at")).isTrue();
        assertThat(EdgePartitioners.canRun("constant", PassMode.BULK)).isTrue();
        assertThat(EdgePartitioners.canRun("constant", PassMode.LIVE)).isFalse();
        EdgePartitioner made = EdgePartitioners.create(options("constant", PassMode.BULK, Map.of("at", "3")));
        PartitionLoads loads = new PartitionLoads(4);
        assertThat(made.place(new VertexTable(made.layout(4)), 0, 0, loads)).isEqualTo(3);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> EdgePartitioners.create(options("constant", PassMode.BULK, Map.of("to", "3"))))
                .withMessage("constant has no setting named 'to'; there are at (0.0 to 4095.0, default 0.0)");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> EdgePartitioners.create(options("constant", PassMode.LIVE, Map.of())))
                .withMessageContaining("--passes bulk");
    }

    @Test
    void aVertexPartitionerOfAJarIsKnownByName() throws IOException {
        provide(VertexPartitionerProvider.class, Last.class.getName());

        assertThat(VertexPartitioners.names()).contains("last", "ldg").isSorted();
        assertThat(VertexPartitioners.canRun("last", PassMode.BULK)).isTrue();
        assertThat(VertexPartitioners.canRun("last", PassMode.LIVE)).isFalse();
        assertThat(VertexPartitioners.create(options("last", PassMode.BULK, Map.of()), new GraphSize(1, 0)))
                .isNotNull();
        assertThatIllegalArgumentException()
                .isThrownBy(
                        () -> VertexPartitioners.create(options("last", PassMode.BULK, Map.of()), GraphSize.UNKNOWN))
                .withMessageContaining("give it a bounded input");
    }

    @Test
    void aNameOfCutwatersOwnCannotBeTaken() throws IOException {
        provide(EdgePartitionerProvider.class, Hdrf.class.getName());

        assertThatIllegalStateException()
                .isThrownBy(EdgePartitioners::names)
                .withMessageStartingWith("two of the edge partitioners are named 'hdrf': Cutwater's own, and "
                        + Hdrf.class.getName() + " in file:")
                .withMessageEndingWith("; give one of them another name");
    }

    @Test
    void twoJarsCannotHaveTheSameName() throws IOException {
        provide(EdgePartitionerProvider.class, Constant.class.getName(), AnotherConstant.class.getName());

        assertThatIllegalStateException()
                .isThrownBy(EdgePartitioners::names)
                .withMessageContaining("two of the edge partitioners are named 'constant'")
                .withMessageContaining(Constant.class.getName() + " in ")
                .withMessageContaining(AnotherConstant.class.getName() + " in ");
    }

    @Test
    void aNameThatNobodyCouldTypeIsRefused() throws IOException {
        provide(EdgePartitionerProvider.class, Blank.class.getName());

        assertThatIllegalStateException()
                .isThrownBy(EdgePartitioners::names)
                .withMessageContaining("is named 'a, b'; a name is made of letters, digits, '-', '.' and '_'");
    }

    @Test
    void aClassThatCannotBeLoadedIsToldOf() throws IOException {
        provide(EdgePartitionerProvider.class, "com.example.NotThere");
        assertThatIllegalStateException()
                .isThrownBy(EdgePartitioners::names)
                .withMessageContaining("mend it or leave it out")
                .withMessageContaining("com.example.NotThere");

        provide(EdgePartitionerProvider.class, Unmade.class.getName());
        assertThatIllegalStateException()
                .isThrownBy(EdgePartitioners::names)
                .withMessageContaining("mend it or leave it out")
                .withMessageContaining(Unmade.class.getName());
    }

    @Test
    void aLoaderWithACutwaterOfItsOwnIsNotAsked() throws IOException {
        provide(EdgePartitionerProvider.class, Constant.class.getName());
        ClassLoader nothing = new ClassLoader(null) {};
        Thread.currentThread().setContextClassLoader(nothing);

        assertThat(EdgePartitioners.names()).contains("hdrf").doesNotContain("constant");
    }
}
