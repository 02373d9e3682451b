package io.cutwater.deploy.cli.option;

import java.net.InetAddress;
import java.net.InetSocketAddress;

/** Reads options that name an address to listen on. */
public final class ListenAddress {
    private ListenAddress() {}

    /**
     * Returns the address that a text {@code [HOST:]PORT} names; without a host, the loopback address.
     *
     * @param option the option, for messages
     * @throws IllegalArgumentException if it names none; the message is meant for users
     */
    public static InetSocketAddress of(String option, String text) {
        int colon = text.lastIndexOf(':');
        String port = text.substring(colon + 1);
        if (!port.matches("[0-9]{1,5}") || Integer.parseInt(port) > 65_535 || colon == 0) {
            throw new IllegalArgumentException(
                    "%s must be PORT or HOST:PORT, with a port between 0 and 65535, but was '%s'"
                            .formatted(option, text));
        }
        int number = Integer.parseInt(port);
        if (colon < 0) {
            return new InetSocketAddress(InetAddress.getLoopbackAddress(), number);
        }
        InetSocketAddress address = new InetSocketAddress(text.substring(0, colon), number);
        if (address.isUnresolved()) {
            throw new IllegalArgumentException("%s: unknown host '%s'".formatted(option, text.substring(0, colon)));
        }
        return address;
    }
}
