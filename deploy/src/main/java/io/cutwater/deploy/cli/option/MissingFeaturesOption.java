package io.cutwater.deploy.cli.option;

import io.cutwater.deploy.cli.help.Heading;
import picocli.CommandLine.Option;

/** Whether vertices may have no features. */
@Heading("Vertex data")
public final class MissingFeaturesOption {
    @Option(
            names = "--allow-missing-features",
            description = "Takes features of which some vertices have no row, and has 0 for theirs. Without, they are"
                    + " refused: the features may be those of another graph.")
    private boolean isAllowed;

    public boolean isAllowed() {
        return isAllowed;
    }
}
