package io.cutwater.deploy.cli.option;

import io.cutwater.deploy.cli.help.Heading;
import picocli.CommandLine.Option;

/** Whether some vertices may lack features while others have them. */
@Heading("Vertex data")
public final class MissingFeaturesOption {
    @Option(
            names = "--allow-missing-features",
            description = "Accept vertices without a row of features; theirs are 0.")
    private boolean isAllowed;

    public boolean isAllowed() {
        return isAllowed;
    }
}
