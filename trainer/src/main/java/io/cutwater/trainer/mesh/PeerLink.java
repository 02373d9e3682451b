package io.cutwater.trainer.mesh;

import io.cutwater.trainer.mesh.Frame.Alive;
import io.cutwater.trainer.mesh.Frame.Content;
import io.cutwater.trainer.mesh.Frame.Fetch;
import io.cutwater.trainer.mesh.Frame.Hello;
import io.cutwater.trainer.mesh.Frame.Refused;
import io.cutwater.trainer.mesh.Frame.Taken;
import io.cutwater.trainer.mesh.Frame.Tell;
import io.cutwater.trainer.mesh.Frame.Welcome;
import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.timeout.ReadTimeoutException;
import io.netty.handler.timeout.ReadTimeoutHandler;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLPeerUnverifiedException;
import org.jspecify.annotations.Nullable;

/**
 * A connection on which this worker sends to another one. The other side sends a heartbeat twice a second; without one
 * for the timeout the link fails. A failed link is not used again.
 */
final class PeerLink {
    private final Mesh mesh;
    private final String worker;
    private final PeerAddress address;
    private final Channel channel;
    private final List<Frame> unsent = new ArrayList<>();
    private final OpenRequests open = new OpenRequests();
    private final String whose;
    private final int maxBody;
    private boolean isWelcome;
    private boolean isClosed;

    /** Connects to another worker in the background. */
    PeerLink(Mesh mesh, String worker, PeerAddress address) {
        this(mesh, worker, address, "worker " + worker, 0);
    }

    /** Connects to the coordinator in the background. */
    static PeerLink toCoordinator(Mesh mesh, String name, PeerAddress address) {
        return new PeerLink(mesh, name, address, "the coordinator", Integer.MAX_VALUE);
    }

    /** @param maxBody maximum number of bytes of a content that the other side sends */
    private PeerLink(Mesh mesh, String worker, PeerAddress address, String whose, int maxBody) {
        this.mesh = mesh;
        this.whose = whose;
        this.maxBody = maxBody;
        this.worker = worker;
        this.address = address;
        long timeout = mesh.options().timeout().toMillis();
        synchronized (this) { // a failure waits until the channel is known
            ChannelFuture connected = new Bootstrap()
                    .group(mesh.loop())
                    .channel(NioSocketChannel.class)
                    .option(ChannelOption.TCP_NODELAY, true)
                    .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, (int) Math.min(Integer.MAX_VALUE, timeout))
                    .handler(new ChannelInitializer<SocketChannel>() {
                        @Override
                        protected void initChannel(SocketChannel made) {
                            if (mesh.tls() != null) {
                                made.pipeline()
                                        .addLast(new SslHandler(mesh.tls().client(address.host(), address.port())));
                            }
                            made.pipeline()
                                    .addLast(new ReadTimeoutHandler(timeout, TimeUnit.MILLISECONDS))
                                    .addLast(new FrameCodec())
                                    .addLast(new Handler());
                        }
                    })
                    .connect(address.host(), address.port());
            channel = connected.channel();
            connected.addListener(done -> {
                if (!done.isSuccess()) {
                    fail("cannot be reached: " + done.cause().getMessage());
                }
            });
        }
    }

    String worker() {
        return worker;
    }

    synchronized boolean isOpenTo(@Nullable PeerAddress expected) {
        return address.equals(expected) && !isClosed;
    }

    /** Sends a frame after all earlier ones, when the connection is accepted. */
    synchronized void send(Frame frame) {
        if (isWelcome) {
            channel.writeAndFlush(frame, channel.voidPromise());
        } else {
            unsent.add(frame);
        }
    }

    /** Asks the coordinator for a content. */
    CompletableFuture<ByteBuffer> fetch(long number) {
        CompletableFuture<ByteBuffer> answer = open.fetch(number);
        send(new Fetch(number));
        return answer;
    }

    /** Sends the coordinator a message, see {@link CoordinatorLink#tell}. */
    void tell(ByteBuffer message, Runnable ifLost) {
        long number = open.tell(ifLost);
        if (number == 0) {
            ifLost.run();
        } else {
            send(new Tell(number, message));
        }
    }

    /** Sends what has waited; called in the channel's thread, so that frames of other threads follow. */
    private void welcome() {
        List<Frame> waiting;
        synchronized (this) {
            isWelcome = true;
            if (maxBody > 0) {
                channel.pipeline().get(FrameCodec.class).acceptData(maxBody);
            }
            waiting = List.copyOf(unsent);
            unsent.clear();
        }
        // Without the lock: a failed write calls the mesh, whose lock is taken before this one.
        waiting.forEach(frame -> channel.writeAndFlush(frame, channel.voidPromise()));
    }

    void close() {
        synchronized (this) {
            isClosed = true;
            unsent.clear();
        }
        channel.close();
        open.fail("%s at %s: the connection was closed".formatted(whose, address));
    }

    private void fail(String what) {
        synchronized (this) {
            if (isClosed) {
                return;
            }
            isClosed = true;
            unsent.clear();
        }
        channel.close();
        String sentence = "%s at %s %s".formatted(whose, address, what);
        open.fail(sentence);
        mesh.linkFailed(this, sentence);
    }

    private final class Handler extends SimpleChannelInboundHandler<Frame> {
        @Override
        public void channelActive(ChannelHandlerContext context) {
            SslHandler tls = context.pipeline().get(SslHandler.class);
            if (tls == null) {
                hello(context);
                return;
            }
            tls.handshakeFuture().addListener(done -> {
                if (done.isSuccess()) {
                    hello(context, tls);
                }
            }); // a failure arrives as an exception
        }

        private void hello(ChannelHandlerContext context, SslHandler tls) {
            try {
                if (CertificateNames.allow(worker, tls.engine().getSession())) {
                    hello(context);
                } else {
                    fail("has the certificate of another name");
                }
            } catch (SSLPeerUnverifiedException e) {
                fail("has no certificate");
            }
        }

        private void hello(ChannelHandlerContext context) {
            context.writeAndFlush(new Hello(mesh.name(), worker, address.token()), context.voidPromise());
        }

        @Override
        protected void channelRead0(ChannelHandlerContext context, Frame frame) {
            if (frame instanceof Welcome) {
                welcome();
            } else if (frame instanceof Refused refused && refused.key().equals(PeerServer.CONNECTION)) {
                fail("refuses the connection: " + refused.sentence());
            } else if (frame instanceof Refused refused) {
                mesh.refused(refused.key(), refused.sentence());
            } else if (frame instanceof Content content) {
                open.content(content.number(), content.body());
            } else if (frame instanceof Taken taken) {
                open.taken(taken.number());
            } else if (!(frame instanceof Alive)) {
                fail("sent a frame out of order; run all processes with the same version");
            }
        }

        @Override
        public void channelInactive(ChannelHandlerContext context) {
            fail("closed the connection");
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
            fail(
                    cause instanceof ReadTimeoutException
                            ? "was silent for %d s"
                                    .formatted(mesh.options().timeout().toSeconds())
                            : "failed: " + cause.getMessage());
        }
    }
}
