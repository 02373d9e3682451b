package io.cutwater.trainer.mesh;

import io.cutwater.trainer.mesh.Frame.Hello;
import io.cutwater.trainer.mesh.Frame.Refused;
import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.ConnectTimeoutException;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.timeout.ReadTimeoutException;
import io.netty.handler.timeout.ReadTimeoutHandler;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLPeerUnverifiedException;

/** One TCP connection of a {@link PeerLink}: opens it, checks the other side, and hands its frames over. */
final class PeerConnection extends SimpleChannelInboundHandler<Frame> {
    private final Mesh mesh;
    private final PeerLink link;
    private final long patienceMillis;
    private final Channel channel;

    /** @param patienceMillis time without a connection or a frame after which the connection is lost */
    PeerConnection(Mesh mesh, PeerLink link, long patienceMillis) {
        this.mesh = mesh;
        this.link = link;
        this.patienceMillis = patienceMillis;
        channel = new Bootstrap()
                .group(mesh.loop())
                .channel(NioSocketChannel.class)
                .option(ChannelOption.TCP_NODELAY, true)
                .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, (int) Math.min(Integer.MAX_VALUE, patienceMillis))
                .handler(new ChannelInitializer<SocketChannel>() {
                    @Override
                    protected void initChannel(SocketChannel made) {
                        init(made);
                    }
                })
                .register()
                .channel();
    }

    /** Connects in the background. */
    void open() {
        InetSocketAddress to =
                new InetSocketAddress(link.address().host(), link.address().port());
        channel.connect(to).addListener(done -> {
            if (!done.isSuccess()) {
                Throwable why = done.cause();
                // Nobody listens there any more: the process has ended.
                boolean isGone = why instanceof ConnectException && !(why instanceof ConnectTimeoutException);
                link.lost(this, "cannot be reached: " + why.getMessage(), isGone);
            }
        });
    }

    private void init(SocketChannel made) {
        if (mesh.tls() != null) {
            made.pipeline()
                    .addLast(new SslHandler(mesh.tls()
                            .client(link.address().host(), link.address().port())));
        }
        made.pipeline()
                .addLast(new ReadTimeoutHandler(patienceMillis, TimeUnit.MILLISECONDS))
                .addLast(new FrameCodec())
                .addLast(this);
    }

    /** Also reads contents from now on. */
    void acceptContent(int maxBody) {
        channel.pipeline().get(FrameCodec.class).acceptData(maxBody);
    }

    /** Loses the connection after a shorter or longer silence from now on. */
    void setPatience(long millis) {
        channel.pipeline()
                .replace(
                        ReadTimeoutHandler.class,
                        null,
                        new ReadTimeoutHandler(Math.max(1, millis), TimeUnit.MILLISECONDS));
    }

    void write(Frame frame) {
        channel.writeAndFlush(frame, channel.voidPromise());
    }

    void close() {
        channel.close();
    }

    @Override
    public void channelActive(ChannelHandlerContext context) {
        SslHandler tls = context.pipeline().get(SslHandler.class);
        if (tls == null) {
            hello();
            return;
        }
        tls.handshakeFuture().addListener(done -> {
            if (done.isSuccess()) {
                hello(tls);
            }
        }); // a failure arrives as an exception
    }

    private void hello(SslHandler tls) {
        try {
            if (CertificateNames.allow(link.worker(), tls.engine().getSession())) {
                hello();
            } else {
                link.lost(this, "has the certificate of another name", true);
            }
        } catch (SSLPeerUnverifiedException e) {
            link.lost(this, "has no certificate", true);
        }
    }

    private void hello() {
        write(new Hello(mesh.name(), link.worker(), link.address().token(), link.session()));
    }

    @Override
    protected void channelRead0(ChannelHandlerContext context, Frame frame) {
        if (frame instanceof Refused refused && refused.key().equals(PeerServer.CONNECTION)) {
            link.lost(this, "refuses the connection: " + refused.sentence(), true);
        } else if (!link.take(this, frame)) {
            link.lost(this, "sent a frame out of order; run all processes with the same version", true);
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        link.lost(this, "closed the connection", false);
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        String what = cause instanceof ReadTimeoutException ? PeerLink.SILENT : "failed: " + cause.getMessage();
        link.lost(this, what, false);
    }
}
