package io.cutwater.testkit;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** Finds free ports of the loopback interface. */
public final class FreePorts {
    private static final int LOWEST_PORT = 12_000;
    private static final int HIGHEST_PORT = 32_000;

    private FreePorts() {}

    /**
     * Finds ports below those that a system assigns to clients: a client that looks for a broker that is down may be
     * assigned the broker's own port, and then connects to itself.
     */
    public static int[] find(int count) throws IOException {
        SplittableRandom random = new SplittableRandom();
        int[] ports = new int[count];
        List<ServerSocket> sockets = new ArrayList<>();
        try {
            while (sockets.size() < count) {
                ServerSocket socket = new ServerSocket();
                sockets.add(socket);
                try {
                    int port = random.nextInt(LOWEST_PORT, HIGHEST_PORT);
                    socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
                    ports[sockets.size() - 1] = port;
                } catch (IOException e) {
                    sockets.remove(socket);
                }
            }
            return ports;
        } finally {
            for (ServerSocket socket : sockets) {
                socket.close();
            }
        }
    }
}
