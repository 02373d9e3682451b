package io.cutwater.deploy.faults.process;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A TCP proxy between one process and the broker, which can be cut or stalled. */
public final class Link implements Closeable {
    private static final int BUFFER = 64 << 10;

    private final int port;
    private final int targetPort;
    private final Set<Socket> sockets = new HashSet<>();

    private @Nullable ServerSocket server;
    private boolean isStalled;
    private boolean isClosed;

    /**
     * @param port at which it listens, on the loopback address
     * @param targetPort of the broker, on the loopback address
     */
    Link(int port, int targetPort) throws IOException {
        this.port = port;
        this.targetPort = targetPort;
        heal();
    }

    /** Ends a cut or stall. */
    public synchronized void heal() throws IOException {
        isStalled = false;
        notifyAll();
        if (server == null && !isClosed) {
            ServerSocket opened = new ServerSocket();
            opened.setReuseAddress(true);
            opened.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
            server = opened;
            start(() -> accept(opened));
        }
    }

    /** Closes every connection, and refuses new ones. */
    public synchronized void cut() throws IOException {
        if (server != null) {
            server.close();
            server = null;
        }
        for (Socket socket : sockets) {
            socket.close();
        }
        sockets.clear();
    }

    /** Forwards nothing; connections stay open, and new ones are accepted. */
    public synchronized void stall() {
        isStalled = true;
    }

    @Override
    public void close() throws IOException {
        synchronized (this) {
            isClosed = true;
        }
        cut();
        heal();
    }

    private void accept(ServerSocket from) {
        while (!from.isClosed()) {
            try {
                Socket client = from.accept();
                Socket broker = new Socket();
                if (add(client, broker)) {
                    connect(client, broker);
                }
            } catch (IOException e) {
                // The link was cut, or this connection failed: the client tries again.
            }
        }
    }

    private void connect(Socket client, Socket broker) throws IOException {
        try {
            broker.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), targetPort));
        } catch (IOException e) {
            remove(client, broker);
            return;
        }
        start(() -> pump(client, broker));
        start(() -> pump(broker, client));
    }

    private synchronized boolean add(Socket client, Socket broker) throws IOException {
        if (server == null) {
            client.close();
            return false;
        }
        sockets.add(client);
        sockets.add(broker);
        return true;
    }

    private synchronized void remove(Socket from, Socket to) {
        for (Socket socket : new Socket[] {from, to}) {
            sockets.remove(socket);
            try {
                socket.close();
            } catch (IOException e) {
                // closed already
            }
        }
    }

    private void pump(Socket from, Socket to) {
        byte[] buffer = new byte[BUFFER];
        try {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
                awaitHealed();
                out.write(buffer, 0, read);
                out.flush();
            }
        } catch (IOException e) {
            // One end has closed it, or the link was cut.
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            remove(from, to);
        }
    }

    private synchronized void awaitHealed() throws InterruptedException {
        while (isStalled) {
            wait();
        }
    }

    private static void start(Runnable work) {
        Thread thread = new Thread(work, "link");
        thread.setDaemon(true);
        thread.start();
    }
}
