package io.cutwater.deploy.launch;

import picocli.CommandLine.IVersionProvider;

/** The version of Cutwater. */
public final class Version implements IVersionProvider {
    /** The version of the jar, or "development" where the classes come from elsewhere. */
    public static String current() {
        String version = Version.class.getPackage().getImplementationVersion();
        return version == null ? "development" : version;
    }

    @Override
    public String[] getVersion() {
        return new String[] {"cutwater " + current()};
    }
}
