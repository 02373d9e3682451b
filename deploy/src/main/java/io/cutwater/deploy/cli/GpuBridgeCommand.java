package io.cutwater.deploy.cli;

import io.cutwater.deploy.cli.help.Suggestion;
import io.cutwater.deploy.cli.option.CommonOptions;
import io.cutwater.trainer.bridge.TorchBridge;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Lets training use the PyTorch, and with it the GPUs, of a Python on this machine. */
@Command(
        name = "gpu-bridge",
        description = "Builds a library that lets train use the PyTorch of a Python, and its GPUs.",
        footer = {"", "Example: eval \"$(./cutwater gpu-bridge --python python3)\""})
@SuppressWarnings("NullAway.Init") // picocli sets what it parses
final class GpuBridgeCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Mixin
    CommonOptions common;

    @Option(
            names = "--python",
            paramLabel = "PROGRAM",
            defaultValue = "python3",
            description = "Python in which PyTorch is installed. Default: python3")
    String python;

    @Option(
            names = "--out",
            paramLabel = "DIR",
            defaultValue = "${sys:user.home}/.cutwater/gpu-bridge",
            description = "Folder of the library. Default: .cutwater/gpu-bridge in the home folder")
    Path out;

    @Override
    public Integer call() throws Exception {
        PrintWriter err = spec.commandLine().getErr();
        TorchBridge bridge = TorchBridge.build(python, out, err::println);
        err.println(bridge.check());
        Map<String, String> variables = bridge.variables();
        spec.commandLine()
                .getOut()
                .println(variables.entrySet().stream()
                        .map(each -> each.getKey() + "=" + Suggestion.quoted(each.getValue()))
                        .collect(Collectors.joining(" ", "export ", "")));
        return 0;
    }
}
