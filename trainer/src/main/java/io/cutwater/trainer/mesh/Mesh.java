package io.cutwater.trainer.mesh;

import io.cutwater.kafka.client.TlsEngines;
import io.cutwater.trainer.channel.FrameGroup;
import io.cutwater.trainer.channel.FrameGroup.Purpose;
import io.cutwater.trainer.mesh.Frame.Data;
import io.cutwater.trainer.mesh.Frame.Refused;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A process's end of the direct connections of a training: a listener, and a connection to each other worker of the
 * current attempt. Questions of other workers are answered by two threads. Thread-safe.
 */
public final class Mesh implements AutoCloseable {
    /**
     * Frames that arrive before this worker knows of the attempt; a peer sends two per pair of shards, and as many
     * questions as it has threads.
     */
    private static final int MAX_EARLY = 1 << 16;

    private static final int TOKEN_BYTES = 16;
    private static final long CLOSE_SECONDS = 5;
    private static final int ANSWERING_THREADS = 2;

    private final String name;
    private final MeshOptions options;
    private final int maxBody;
    private final @Nullable TlsEngines tls;
    private final String token;
    private final EventLoopGroup loop;
    private final ExecutorService answering;
    /** Makes mini-batches, which asks other samplers: with the threads of {@link #answering} all could wait. */
    private final ExecutorService serving;

    private final Channel listener;
    private final Map<String, PeerLink> links = new HashMap<>();
    private final Map<String, PeerSession> sessions = new HashMap<>(); // the last one of each worker
    private final List<Early> early = new ArrayList<>();
    private volatile @Nullable ModelServer host;
    private @Nullable Membership members;
    private @Nullable FrameGroup group;

    private record Early(Data data, String sender) {}

    /**
     * Opens the listener.
     *
     * @param name unique name of this worker
     * @param maxBody maximum number of bytes that one shard sends to another at a time
     * @throws IOException if the address cannot be used or the keys cannot be read; the message is meant for users
     */
    public Mesh(String name, MeshOptions options, int maxBody) throws IOException {
        this(name, options, maxBody, 1);
    }

    /**
     * Opens the listener of a worker or sampler.
     *
     * @param name unique name of this process
     * @param maxBody maximum number of bytes that one shard sends to another at a time
     * @param servingThreads maximum number of threads that make mini-batches for workers, at least 1
     * @throws IOException if the address cannot be used or the keys cannot be read; the message is meant for users
     */
    public Mesh(String name, MeshOptions options, int maxBody, int servingThreads) throws IOException {
        this.name = name;
        this.options = options;
        this.maxBody = maxBody;
        tls = options.usesTls() ? TlsEngines.of(options.clientProperties()) : null;
        byte[] random = new byte[TOKEN_BYTES];
        new SecureRandom().nextBytes(random);
        token = HexFormat.of().formatHex(random);
        loop = new MultiThreadIoEventLoopGroup(
                1, new DefaultThreadFactory("mesh-" + name, true), NioIoHandler.newFactory());
        ChannelFuture bound = new ServerBootstrap()
                .group(loop)
                .channel(NioServerSocketChannel.class)
                .childHandler(PeerServer.initializer(this))
                .bind(options.address())
                .awaitUninterruptibly();
        if (!bound.isSuccess()) {
            loop.shutdownGracefully();
            throw new IOException(
                    "cannot listen on --mesh-address %s: %s; give another port, or 0 for any free one"
                            .formatted(text(options.address()), bound.cause().getMessage()),
                    bound.cause());
        }
        listener = bound.channel();
        answering = Executors.newFixedThreadPool(ANSWERING_THREADS, new DefaultThreadFactory("answers-" + name, true));
        serving = Executors.newFixedThreadPool(servingThreads, new DefaultThreadFactory("sampler-" + name, true));
    }

    private static String text(InetSocketAddress address) {
        return "%s:%d".formatted(address.getHostString(), address.getPort());
    }

    /** Returns the address at which other workers reach this one. */
    public PeerAddress address() {
        InetSocketAddress bound = (InetSocketAddress) listener.localAddress();
        return new PeerAddress(options.address().getHostString(), bound.getPort(), token);
    }

    /** Gives models to workers and takes their messages, as the coordinator. */
    public void serve(ModelServer models) {
        host = models;
    }

    @Nullable ModelServer host() {
        return host;
    }

    /** Returns the unique name of this process. */
    public String name() {
        return name;
    }

    MeshOptions options() {
        return options;
    }

    @Nullable TlsEngines tls() {
        return tls;
    }

    EventLoopGroup loop() {
        return loop;
    }

    int maxBody() {
        return maxBody;
    }

    /**
     * Takes part in an attempt, and leaves the one before.
     *
     * @return the group of all shards; the channels of this worker's shards may be used
     */
    public synchronized FrameGroup join(Membership next) {
        leave();
        members = next;
        FrameGroup joined =
                new FrameGroup(next.workers().size(), next.teams(), next.linkId(), new MeshTransport(this, next));
        group = joined;
        links.entrySet().removeIf(link -> {
            boolean isGone = !link.getValue().isOpenTo(next.addresses().get(link.getKey()));
            if (isGone) {
                link.getValue().close();
            }
            return isGone;
        });
        next.addresses().forEach((worker, address) -> {
            if (!worker.equals(name) && next.has(worker)) {
                links.computeIfAbsent(worker, unknown -> new PeerLink(this, worker, address));
            }
        });
        List<Early> waiting = List.copyOf(early);
        early.clear();
        for (Early part : waiting) {
            accept(part.data(), part.sender(), refused -> joined.fail(refused.sentence()));
        }
        return joined;
    }

    /** Leaves the current attempt: its shards fail. */
    public synchronized void leave() {
        if (group != null) {
            group.fail("the round was given up");
        }
        group = null;
        members = null;
    }

    synchronized void send(String worker, Data data) {
        PeerLink link = links.get(worker);
        if (members != null && members.key().equals(data.key()) && link != null) {
            link.send(data);
        }
    }

    /** Returns what was taken from a link of another worker. */
    synchronized PeerSession session(String sender, long number) {
        PeerSession last = sessions.get(sender);
        if (last == null || last.number() != number) {
            last = new PeerSession(number);
            sessions.put(sender, last);
        }
        return last;
    }

    /**
     * Takes a frame from another worker.
     *
     * @param refuse receives why the frame cannot be used
     */
    void accept(Data data, String sender, Consumer<Refused> refuse) {
        String wrong = take(data, sender, refuse);
        if (wrong != null) {
            refuse.accept(new Refused(data.key(), wrong));
        }
    }

    private synchronized @Nullable String take(Data data, String sender, Consumer<Refused> refuse) {
        Membership at = members;
        FrameGroup current = group;
        int order = at == null ? 1 : data.key().compareTo(at.key());
        if (order > 0 && early.size() == MAX_EARLY) {
            return "worker %s has not begun the round".formatted(name);
        }
        if (order > 0) { // the request is still on its way to this worker
            early.removeIf(part -> part.data().key().compareTo(data.key()) < 0);
            early.add(new Early(data, sender));
        }
        if (order != 0 || at == null || current == null) {
            return null; // a late frame of an attempt that was given up is dropped
        }
        if (data.cut() != at.cut().fingerprint()) {
            return "worker %s is at another cut; try again".formatted(name);
        }
        if (!isAt(at, data.from(), sender) || !isAt(at, data.to(), name)) {
            return "worker %s does not expect a frame of shard %d for shard %d from %s"
                    .formatted(name, data.from(), data.to(), sender);
        }
        try {
            switch (data.purpose()) {
                case MESSAGE -> current.deliver(data.from(), data.to(), data.body());
                case QUESTION ->
                    (current.isForSampler(data.from(), data.to()) ? serving : answering)
                            .execute(() -> answer(current, data, sender, refuse));
                case ANSWER -> current.deliverAnswer(data.from(), data.number(), data.body());
            }
            return null;
        } catch (IllegalStateException e) {
            return String.valueOf(e.getMessage());
        }
    }

    private void answer(FrameGroup of, Data question, String asker, Consumer<Refused> refuse) {
        try {
            ByteBuffer body = of.answer(question.from(), question.to(), question.body());
            send(
                    asker,
                    new Data(
                            question.key(),
                            question.cut(),
                            question.to(),
                            question.from(),
                            Purpose.ANSWER,
                            question.number(),
                            body));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // this worker ends
        } catch (RuntimeException | OutOfMemoryError e) { // the asker must not wait
            refuse.accept(new Refused(
                    question.key(),
                    "worker %s cannot answer for shard %d: %s"
                            .formatted(name, of.shard(question.to()), e.getMessage())));
        }
    }

    private static boolean isAt(Membership at, int end, String worker) {
        return end >= 0 && end < at.ends() && at.at(end).equals(worker);
    }

    /** Makes the current attempt fail if the worker takes part in it through this link. */
    synchronized void linkFailed(PeerLink link, String sentence) {
        if (links.remove(link.worker(), link) && group != null) {
            group.fail(sentence);
        }
    }

    /** Makes an attempt fail that another worker refused. */
    synchronized void refused(GroupKey key, String sentence) {
        if (group != null && members != null && members.key().equals(key)) {
            group.fail(sentence);
        }
    }

    /** Closes all connections. The shards of the current attempt fail. */
    @Override
    public void close() {
        leave();
        answering.shutdownNow();
        serving.shutdownNow();
        listener.close().awaitUninterruptibly(); // the end of the loop leaves it open once in a thousand times
        loop.shutdownGracefully(0, CLOSE_SECONDS, TimeUnit.SECONDS).awaitUninterruptibly();
    }
}
