package io.cutwater.deploy.doctor;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What NVIDIA's driver says about the GPUs of this machine.
 *
 * @param version version of the driver; empty if it does not answer
 * @param gpus the GPUs that the driver knows
 * @param devices NVIDIA's display and compute devices on the PCI bus
 * @param problem why the driver does not answer; empty if it does
 */
record NvidiaDriver(String version, List<Gpu> gpus, int devices, String problem) {
    /** Prints comma-separated values, one GPU per line, memory in MiB. */
    private static final List<String> QUERY =
            List.of("--query-gpu=name,memory.total,driver_version", "--format=csv,noheader,nounits");

    private static final int FIELDS = 3;
    /** A driver whose GPU hangs may never answer. */
    private static final int PATIENCE_SECONDS = 20;

    private static final String VENDOR = "0x10de";
    private static final String DISPLAY = "0x03";

    /** @param mebibytes its memory; −1 if the driver does not know it, as with memory that the processor shares */
    record Gpu(String name, long mebibytes) {}

    /**
     * Asks the driver.
     *
     * @param tool the program {@code nvidia-smi}
     * @param pci folder with a folder for each device of the PCI bus
     */
    static NvidiaDriver ask(String tool, Path pci) {
        int devices = devices(pci);
        List<String> command = new ArrayList<>(List.of(tool));
        command.addAll(QUERY);
        Path answer = null;
        try {
            answer = Files.createTempFile("nvidia-smi", ".txt");
            Process process = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(answer.toFile())
                    .start();
            if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
                process.destroyForcibly();
                return silent(devices, "%s does not answer within %d s".formatted(tool, PATIENCE_SECONDS));
            }
            String output = Files.readString(answer, StandardCharsets.UTF_8).strip();
            return process.exitValue() == 0
                    ? read(output, devices)
                    : silent(devices, "%s fails: %s".formatted(tool, output.replaceAll("\\s+", " ")));
        } catch (IOException e) {
            return silent(devices, "%s does not start: %s".formatted(tool, e.getMessage()));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return silent(devices, "interrupted while waiting for " + tool);
        } finally {
            delete(answer);
        }
    }

    private static void delete(@Nullable Path file) {
        try {
            if (file != null) {
                Files.deleteIfExists(file);
            }
        } catch (IOException e) {
            // A file of some bytes in the folder for temporary files stays.
        }
    }

    private static NvidiaDriver silent(int devices, String problem) {
        return new NvidiaDriver("", List.of(), devices, problem);
    }

    private static NvidiaDriver read(String output, int devices) {
        List<Gpu> gpus = new ArrayList<>();
        String version = "";
        for (String line : output.lines().toList()) {
            String[] fields = line.split(",", -1);
            if (fields.length < FIELDS) {
                return silent(devices, "nvidia-smi says: " + line);
            }
            String memory = fields[fields.length - 2].strip();
            version = fields[fields.length - 1].strip();
            gpus.add(new Gpu(fields[0].strip(), memory.matches("[0-9]{1,12}") ? Long.parseLong(memory) : -1));
        }
        return gpus.isEmpty()
                ? silent(devices, "nvidia-smi finds no GPU")
                : new NvidiaDriver(version, List.copyOf(gpus), devices, "");
    }

    private static int devices(Path pci) {
        if (!Files.isDirectory(pci)) {
            return 0;
        }
        try (Stream<Path> folders = Files.list(pci)) {
            return (int) folders.filter(folder -> read(folder.resolve("vendor")).equals(VENDOR)
                            && read(folder.resolve("class")).startsWith(DISPLAY))
                    .count();
        } catch (IOException e) {
            return 0;
        }
    }

    private static String read(Path file) {
        try {
            return Files.readString(file).strip();
        } catch (IOException e) {
            return "";
        }
    }

    /** Returns the first number of the version; 0 if the driver does not answer. */
    int major() {
        String first = version.replaceFirst("\\..*", "");
        return first.matches("[0-9]{1,6}") ? Integer.parseInt(first) : 0;
    }
}
