package io.cutwater.deploy.doctor;

import io.cutwater.trainer.torch.Torch;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Checks of what a training needs: PyTorch, which is loaded, and GPUs with their driver. */
public final class TrainingChecks {
    private static final String TRAINING = "Training";
    private static final String GPU = "GPU";
    /** The oldest driver for CUDA 12 (CUDA Compatibility, minor version compatibility). */
    private static final int OLDEST_DRIVER = 525;

    private TrainingChecks() {}

    /**
     * What PyTorch says.
     *
     * @param gpus number of GPUs that it sees
     * @param supportsGpus whether this build of it supports GPUs
     */
    record Library(int gpus, boolean supportsGpus) {}

    /** Loads PyTorch, which the first time unpacks it, and asks for GPUs. */
    public static List<Finding> all() {
        List<Finding> findings = new ArrayList<>();
        Library library = load(findings, System.getProperty("os.name"), System.getProperty("os.arch"));
        findings.addAll(gpus(NvidiaDriver.ask("nvidia-smi", Path.of("/sys/bus/pci/devices")), library));
        return findings;
    }

    private static Library load(List<Finding> findings, String system, String processor) {
        if (!Torch.isIncluded(system, processor)) {
            findings.add(Finding.warning(
                    TRAINING,
                    "there is no PyTorch for %s, %s".formatted(system, processor),
                    "train on Linux on x86-64; everything else runs here"));
            return new Library(0, false);
        }
        try {
            boolean supportsGpus = Torch.supportsGpus();
            findings.add(Finding.ok(
                    TRAINING,
                    "PyTorch %s loads; it supports %s"
                            .formatted(Torch.version(), supportsGpus ? "CPU and GPUs" : "the CPU only")));
            return new Library(Torch.gpuCount(), supportsGpus);
        } catch (IllegalStateException e) {
            String message = String.valueOf(e.getMessage());
            int advice = message.lastIndexOf("; ");
            findings.add(Finding.failed(
                    TRAINING,
                    advice < 0 ? message : message.substring(0, advice),
                    advice < 0 ? "" : message.substring(advice + 2)));
            return new Library(0, false);
        }
    }

    /** Returns the findings about GPUs. */
    static List<Finding> gpus(NvidiaDriver driver, Library library) {
        List<Finding> findings = new ArrayList<>();
        for (NvidiaDriver.Gpu gpu : driver.gpus()) {
            String memory =
                    gpu.mebibytes() < 0 ? "" : String.format(Locale.ROOT, " with %.1f GiB", gpu.mebibytes() / 1024.0);
            findings.add(Finding.ok(GPU, "%s%s, driver %s".formatted(gpu.name(), memory, driver.version())));
        }
        if (library.gpus() > 0 && library.gpus() >= driver.gpus().size()) {
            findings.add(Finding.ok(GPU, "PyTorch sees %d; use train --device gpu".formatted(library.gpus())));
        } else if (!driver.gpus().isEmpty()) {
            findings.add(unused(driver, library));
        } else if (driver.devices() > 0) {
            findings.add(Finding.warning(
                    GPU,
                    "there are %d NVIDIA devices, but %s".formatted(driver.devices(), driver.problem()),
                    "install NVIDIA's driver, version %d or later; training uses the CPU until then"
                            .formatted(OLDEST_DRIVER)));
        } else {
            findings.add(Finding.ok(GPU, "there is no NVIDIA GPU; training uses the CPU"));
        }
        return findings;
    }

    private static Finding unused(NvidiaDriver driver, Library library) {
        if (!library.supportsGpus()) {
            return Finding.warning(
                    GPU,
                    "PyTorch cannot use it: this build supports the CPU only",
                    "set CUTWATER_CUDA=yes, or use an installed PyTorch with gpu-bridge (see deploy/docs/how-to/train-on-gpus.md)");
        }
        String text = "PyTorch sees %d of %d GPUs"
                .formatted(library.gpus(), driver.gpus().size());
        return driver.major() < OLDEST_DRIVER
                ? Finding.warning(
                        GPU,
                        text + " with driver " + driver.version(),
                        "install driver %d or later, which CUDA 12 needs".formatted(OLDEST_DRIVER))
                : Finding.warning(GPU, text, "check CUDA_VISIBLE_DEVICES, and that this user may open /dev/nvidia0");
    }
}
