package io.cutwater.trainer.mesh;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Stands before a worker's listener and loses each connection after some bytes: both ends are closed. If asked to, it
 * swallows the rest of the third connection instead, while both ends stay open.
 */
public final class CuttingProxy implements AutoCloseable {
    private final PeerAddress target;
    private final SplittableRandom random;
    private final int minBytes;
    private final int maxBytes;
    private final boolean swallows;
    private final ServerSocket listener;
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();
    private final AtomicInteger lost = new AtomicInteger();

    /**
     * Opens the proxy.
     *
     * @param minBytes minimum number of bytes that a connection carries; more than the largest frame
     */
    public CuttingProxy(PeerAddress target, long seed, int minBytes, int maxBytes, boolean swallows)
            throws IOException {
        this.target = target;
        this.minBytes = minBytes;
        this.maxBytes = maxBytes;
        this.swallows = swallows;
        random = new SplittableRandom(seed);
        listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        start(this::accept);
    }

    /** Returns the address at which others reach the worker through this proxy. */
    public PeerAddress address() {
        return new PeerAddress("127.0.0.1", listener.getLocalPort(), target.token());
    }

    /** Returns the number of connections that were lost. */
    public int lost() {
        return lost.get();
    }

    private interface Work {
        void run() throws IOException;
    }

    private static void start(Work work) {
        Thread thread = new Thread(
                () -> {
                    try {
                        work.run();
                    } catch (IOException e) {
                        // a connection ends
                    }
                },
                "proxy");
        thread.setDaemon(true);
        thread.start();
    }

    private void accept() throws IOException {
        for (int connection = 0; true; connection++) {
            Socket from = listener.accept();
            Socket to = new Socket();
            to.connect(new InetSocketAddress(target.host(), target.port()));
            open.add(from);
            open.add(to);
            AtomicInteger left = new AtomicInteger(minBytes + random.nextInt(maxBytes - minBytes));
            boolean swallowsRest = swallows && connection == 2;
            start(() -> forward(from, to, left, swallowsRest));
            start(() -> forward(to, from, left, swallowsRest));
        }
    }

    /** @param left bytes that the connection still carries, in both directions together */
    private void forward(Socket from, Socket to, AtomicInteger left, boolean swallowsRest) throws IOException {
        try {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            byte[] buffer = new byte[997];
            while (true) {
                int count = in.read(buffer);
                if (count < 0) {
                    return;
                }
                int before = left.getAndUpdate(now -> Math.max(0, now - count));
                out.write(buffer, 0, Math.min(count, before));
                if (before > 0 && before <= count) {
                    lost.incrementAndGet();
                }
                if (before <= count && !swallowsRest) {
                    return;
                }
            }
        } finally {
            close(from);
            close(to);
        }
    }

    private void close(Socket socket) throws IOException {
        open.remove(socket);
        socket.close();
    }

    @Override
    public void close() throws IOException {
        listener.close();
        for (Socket socket : open) {
            socket.close();
        }
    }
}
