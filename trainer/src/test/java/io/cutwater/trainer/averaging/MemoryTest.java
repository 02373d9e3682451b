package io.cutwater.trainer.averaging;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.LongSummaryStatistics;
import java.util.stream.LongStream;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@EnabledOnOs(value = OS.LINUX, disabledReason = "resident memory is read from /proc")
class MemoryTest {
    @TempDir
    Path temp;

    /**
     * The heap is touched completely at the start, so that only memory of PyTorch and direct buffers can grow. Code is
     * compiled once and early, because the compiler's memory grows for hundreds of short epochs otherwise.
     */
    @ParameterizedTest(name = "{1}, density {0}")
    @CsvSource({"0.9, graphsage", "0.02, gat"})
    void residentMemoryIsFlatFromTheTenthEpochToTheLast(double density, String model) throws Exception {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xms96m",
                        "-Xmx96m",
                        "-XX:+AlwaysPreTouch",
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1",
                        "-DDJL_CACHE_DIR=" + System.getProperty("DJL_CACHE_DIR"),
                        "-cp",
                        System.getProperty("java.class.path"),
                        MemoryProbe.class.getName(),
                        temp.toString(),
                        String.valueOf(density),
                        model)
                .redirectErrorStream(true)
                .start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(said).isZero();
        long[] resident = said.lines()
                .filter(line -> line.startsWith("VmRSS"))
                .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")))
                .toArray();
        assertThat(resident).hasSize(200);
        LongSummaryStatistics later = LongStream.of(resident).skip(10).summaryStatistics();
        System.out.printf(
                "%s: resident after epoch 10 %d KiB, 200 %d, from %d to %d%n",
                model, resident[10], resident[199], later.getMin(), later.getMax());
        assertThat((double) later.getMax() / later.getMin()).as(said).isLessThan(1.1);
        assertThat((double) resident[199] / resident[10]).as(said).isBetween(0.95, 1.05);
    }
}
