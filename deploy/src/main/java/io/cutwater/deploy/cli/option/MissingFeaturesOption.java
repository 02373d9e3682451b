package io.cutwater.deploy.cli.option;

import io.cutwater.deploy.cli.help.Heading;
import picocli.CommandLine.Option;

/** The option that allows vertices without features beside others with features. */
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
