package io.cutwater.trainer.bridge;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * PyTorch as a Python package.
 *
 * @param version version without a suffix such as {@code +cpu}
 * @param flavor {@code cpu}, or {@code cu} and the version of CUDA
 * @param folder folder of the package
 * @param cudaRuntime file of CUDA's runtime library, empty if Python has loaded none
 */
record InstalledTorch(String version, String flavor, Path folder, String cudaRuntime) {
    private static final int LINES = 4;
    private static final String PROGRAM = """
            import os, torch
            print(torch.__version__.split('+')[0])
            print('cu' + torch.version.cuda.replace('.', '') if torch.version.cuda else 'cpu')
            print(os.path.dirname(torch.__file__))
            files = [line.split()[-1] for line in open('/proc/self/maps') if 'libcudart.so' in line]
            print(files[0] if files else '')
            """;

    /**
     * Asks a Python for its PyTorch.
     *
     * @throws IllegalStateException if something is missing; the message is meant for users
     */
    static InstalledTorch of(String python) throws InterruptedException {
        ToolRun run;
        try {
            run = ToolRun.of(List.of(python, "-c", PROGRAM));
        } catch (IOException e) {
            throw new IllegalStateException(
                    "--python %s does not start (%s); name the Python in which PyTorch is installed"
                            .formatted(python, e.getMessage()),
                    e);
        }
        List<String> lines = run.output().lines().toList();
        if (run.exitCode() != 0 || lines.size() < LINES - 1) {
            throw new IllegalStateException(
                    "--python %s cannot import torch (%s); install PyTorch there, or name the Python that has it"
                            .formatted(python, run.lastLine()));
        }
        InstalledTorch found = new InstalledTorch(
                lines.get(0), lines.get(1), Path.of(lines.get(2)), lines.size() < LINES ? "" : lines.get(3));
        if (!Files.exists(found.include().resolve("torch/script.h"))) {
            throw new IllegalStateException(
                    "PyTorch %s in %s has no C++ headers (include/torch/script.h); install it with pip"
                            .formatted(found.version, found.folder));
        }
        return found;
    }

    Path include() {
        return folder.resolve("include");
    }

    Path libraries() {
        return folder.resolve("lib");
    }
}
