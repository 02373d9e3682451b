package io.cutwater.trainer.bridge;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * A folder with a native library for DJL, compiled against the PyTorch that is installed on this machine, and with
 * links to the libraries of that PyTorch. It lets a build for the CPU use GPUs without CUDA's jars.
 */
public final class TorchBridge {
    private static final String LIBRARY = "libdjl_torch.so";
    /** The libraries that DJL loads; those of CUDA exist if PyTorch has been built with it. */
    private static final List<String> LINKED =
            List.of("libc10.so", "libc10_cuda.so", "libtorch_cpu.so", "libtorch_cuda.so", "libtorch.so");

    private final InstalledTorch torch;
    private final Path folder;

    private TorchBridge(InstalledTorch torch, Path folder) {
        this.torch = torch;
        this.folder = folder;
    }

    /**
     * Builds the library. Takes a minute or two.
     *
     * @param python program of the Python that has PyTorch
     * @param folder folder to write; files of an earlier bridge are replaced
     * @param progress receives a sentence before each step
     * @throws IllegalStateException if something is missing or fails; the message is meant for users
     */
    public static TorchBridge build(String python, Path folder, Consumer<String> progress)
            throws IOException, InterruptedException {
        InstalledTorch torch = InstalledTorch.of(python);
        String compiler = compiler();
        Path jni = jniHeaders(Path.of(System.getProperty("java.home")));
        Path target = folder.toAbsolutePath();
        Files.createDirectories(target);
        Path source = target.resolve("bridge.cpp");
        try (InputStream in = TorchBridge.class.getResourceAsStream("bridge.cpp")) {
            if (in == null) {
                throw new IllegalStateException("there is no bridge.cpp in the class path; build Cutwater again");
            }
            Files.copy(in, source, StandardCopyOption.REPLACE_EXISTING);
        }
        progress.accept(
                "compiling for PyTorch %s (%s) in %s".formatted(torch.version(), torch.flavor(), torch.folder()));
        Path compiled = target.resolve(LIBRARY + ".new");
        ToolRun run = ToolRun.of(command(compiler, torch, jni, source, compiled));
        if (run.exitCode() != 0) {
            Path log = target.resolve("compiler.log");
            Files.writeString(log, run.output());
            throw new IllegalStateException("%s failed: %s; all of it is in %s"
                    .formatted(
                            compiler,
                            run.output()
                                    .lines()
                                    .filter(line -> line.contains("error"))
                                    .findFirst()
                                    .orElse(run.lastLine()),
                            log));
        }
        Files.move(compiled, target.resolve(LIBRARY), StandardCopyOption.REPLACE_EXISTING);
        TorchBridge bridge = new TorchBridge(torch, target);
        bridge.link();
        return bridge;
    }

    private static String compiler() throws InterruptedException {
        String named = System.getenv("CXX");
        String compiler = named == null || named.isBlank() ? "g++" : named;
        try {
            if (ToolRun.of(List.of(compiler, "--version")).exitCode() == 0) {
                return compiler;
            }
        } catch (IOException e) {
            throw new IllegalStateException(
                    "there is no C++ compiler %s; install g++ 11 or later, or name one with CXX".formatted(compiler),
                    e);
        }
        throw new IllegalStateException("%s --version fails; name another C++ compiler with CXX".formatted(compiler));
    }

    /** Returns the folder of {@code jni.h}. */
    static Path jniHeaders(Path javaHome) {
        Path headers = javaHome.resolve("include");
        if (!Files.exists(headers.resolve("jni.h"))) {
            throw new IllegalStateException(
                    "Java in %s has no include/jni.h; start with JAVA_HOME of a JDK".formatted(javaHome));
        }
        return headers;
    }

    private static List<String> command(String compiler, InstalledTorch torch, Path jni, Path source, Path into) {
        List<String> command = new ArrayList<>(List.of(compiler, "-std=c++20", "-O2", "-fPIC", "-shared", "-w"));
        command.addAll(List.of("-I" + jni, "-I" + jni.resolve("linux")));
        command.addAll(List.of("-isystem", torch.include().toString()));
        command.addAll(List.of(
                "-isystem", torch.include().resolve("torch/csrc/api/include").toString()));
        command.addAll(List.of(source.toString(), "-o", into.toString(), "-L" + torch.libraries()));
        command.addAll(List.of("-ltorch", "-ltorch_cpu", "-lc10", "-Wl,-rpath," + torch.libraries()));
        return command;
    }

    private void link() throws IOException {
        for (String name : LINKED) {
            link(folder.resolve(name), torch.libraries().resolve(name));
        }
        if (!torch.cudaRuntime().isEmpty()) {
            link(folder.resolve("libcudart.so"), Path.of(torch.cudaRuntime()));
        }
    }

    private static void link(Path link, Path target) throws IOException {
        Files.deleteIfExists(link);
        if (Files.exists(target)) {
            Files.createSymbolicLink(link, target);
        }
    }

    /** Returns the environment variables with which DJL uses the bridge. */
    public Map<String, String> variables() {
        return new TreeMap<>(Map.of(
                "PYTORCH_FLAVOR", torch.flavor(),
                "PYTORCH_LIBRARY_PATH", folder.toString(),
                "PYTORCH_VERSION", torch.version()));
    }

    /**
     * Trains with the bridge in a process of its own, and returns a sentence about the devices.
     *
     * @throws IllegalStateException if a gradient is wrong or the process fails; the message is meant for users
     */
    public String check() throws IOException, InterruptedException {
        Path java = Path.of(System.getProperty("java.home"), "bin", "java");
        ToolRun run = ToolRun.of(
                List.of(java.toString(), "-cp", System.getProperty("java.class.path"), BridgeCheck.class.getName()),
                variables());
        if (run.exitCode() != 0) {
            Path log = folder.resolve("check.log");
            Files.writeString(log, run.output());
            throw new IllegalStateException(
                    "the bridge does not work: %s; all of it is in %s".formatted(failure(run), log));
        }
        return run.lastLine();
    }

    private static String failure(ToolRun run) {
        return run.output()
                .lines()
                .filter(line -> line.startsWith("Exception in thread"))
                .findFirst()
                .orElse(run.lastLine());
    }
}
