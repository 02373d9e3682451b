package io.cutwater.trainer.mesh;

import io.cutwater.trainer.mesh.Frame.Content;
import io.cutwater.trainer.mesh.Frame.Data;
import io.cutwater.trainer.mesh.Frame.Fetch;
import io.cutwater.trainer.mesh.Frame.Hello;
import io.cutwater.trainer.mesh.Frame.Refused;
import io.cutwater.trainer.mesh.Frame.Taken;
import io.cutwater.trainer.mesh.Frame.Tell;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.socket.SocketChannel;
import io.netty.handler.codec.DecoderException;
import io.netty.handler.ssl.SslHandler;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLPeerUnverifiedException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The side of a connection that accepted it: checks who connects, then takes frames and sends heartbeats. */
final class PeerServer extends SimpleChannelInboundHandler<Frame> {
    /** Key of a refusal that is not of an attempt. */
    static final GroupKey CONNECTION = new GroupKey(0, 0, 0);

    private static final Logger LOG = LoggerFactory.getLogger(PeerServer.class);
    private static final long ALIVE_MILLIS = 500;
    private static final long HELLO_SECONDS = 30;

    private final Mesh mesh;
    private @Nullable String sender;
    private @Nullable PeerSession session;
    private @Nullable Future<?> beat;

    private PeerServer(Mesh mesh) {
        this.mesh = mesh;
    }

    static ChannelHandler initializer(Mesh mesh) {
        return new ChannelInitializer<SocketChannel>() {
            @Override
            protected void initChannel(SocketChannel made) {
                if (mesh.tls() != null) {
                    made.pipeline().addLast(new SslHandler(mesh.tls().server()));
                }
                made.pipeline().addLast(new FrameCodec()).addLast(new PeerServer(mesh));
            }
        };
    }

    @Override
    public void channelActive(ChannelHandlerContext context) {
        beat = context.executor()
                .schedule(
                        () -> {
                            if (sender == null) {
                                context.close();
                            }
                        },
                        HELLO_SECONDS,
                        TimeUnit.SECONDS);
    }

    @Override
    protected void channelRead0(ChannelHandlerContext context, Frame frame) {
        String known = sender;
        ModelServer host = mesh.host();
        if (known == null && frame instanceof Hello hello) {
            String wrong = wrong(context, hello);
            if (wrong == null) {
                welcome(context, hello);
            } else {
                context.writeAndFlush(new Refused(CONNECTION, wrong)).addListener(ChannelFutureListener.CLOSE);
            }
        } else if (known != null && session != null && frame instanceof Data data) {
            if (session.isNext(context, data)) {
                mesh.accept(data, known, session::refuse);
            }
        } else if (known != null && host != null && frame instanceof Fetch fetch) {
            context.writeAndFlush(new Content(fetch.number(), host.content(fetch.number())), context.voidPromise());
        } else if (known != null && host != null && frame instanceof Tell tell) {
            host.told(known, tell.body());
            context.writeAndFlush(new Taken(tell.number()), context.voidPromise());
        } else {
            context.writeAndFlush(new Refused(CONNECTION, "a frame out of order"))
                    .addListener(ChannelFutureListener.CLOSE);
        }
    }

    private @Nullable String wrong(ChannelHandlerContext context, Hello hello) {
        if (!hello.receiver().equals(mesh.name())
                || !MessageDigest.isEqual(
                        hello.token().getBytes(StandardCharsets.UTF_8),
                        mesh.address().token().getBytes(StandardCharsets.UTF_8))) {
            return "another worker listens at this address now";
        }
        SslHandler tls = context.pipeline().get(SslHandler.class);
        try {
            if (tls != null
                    && !CertificateNames.allow(hello.sender(), tls.engine().getSession())) {
                return "the certificate does not allow the name " + hello.sender();
            }
        } catch (SSLPeerUnverifiedException e) {
            return "there is no certificate";
        }
        return null;
    }

    private void welcome(ChannelHandlerContext context, Hello hello) {
        sender = hello.sender();
        context.pipeline().get(FrameCodec.class).acceptData(mesh.maxBody());
        PeerSession of = mesh.session(hello.sender(), hello.session());
        session = of;
        of.continueOn(context);
        stopBeat();
        beat = context.executor().scheduleAtFixedRate(of::tell, ALIVE_MILLIS, ALIVE_MILLIS, TimeUnit.MILLISECONDS);
    }

    private void stopBeat() {
        if (beat != null) {
            beat.cancel(false);
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        stopBeat();
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        LOG.warn(
                "mesh: the connection of {} from {} ends: {}",
                sender == null ? "an unknown process" : sender,
                context.channel().remoteAddress(),
                cause.getMessage());
        if (sender != null && cause instanceof DecoderException) { // the same frame would come again
            context.writeAndFlush(new Refused(CONNECTION, String.valueOf(cause.getMessage())))
                    .addListener(ChannelFutureListener.CLOSE);
        } else {
            context.close();
        }
    }
}
