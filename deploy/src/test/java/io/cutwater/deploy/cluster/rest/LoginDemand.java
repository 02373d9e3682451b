package io.cutwater.deploy.cluster.rest;

import java.util.Map;
import java.util.Optional;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.ConfigOptions;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.runtime.io.network.netty.InboundChannelHandlerFactory;
import org.apache.flink.shaded.netty4.io.netty.channel.ChannelFutureListener;
import org.apache.flink.shaded.netty4.io.netty.channel.ChannelHandler;
import org.apache.flink.shaded.netty4.io.netty.channel.ChannelHandlerContext;
import org.apache.flink.shaded.netty4.io.netty.channel.SimpleChannelInboundHandler;
import org.apache.flink.shaded.netty4.io.netty.handler.codec.http.DefaultFullHttpResponse;
import org.apache.flink.shaded.netty4.io.netty.handler.codec.http.HttpHeaderNames;
import org.apache.flink.shaded.netty4.io.netty.handler.codec.http.HttpRequest;
import org.apache.flink.shaded.netty4.io.netty.handler.codec.http.HttpResponseStatus;
import org.apache.flink.shaded.netty4.io.netty.util.ReferenceCountUtil;

/** Has an endpoint ask for a login, as a proxy before it would. */
public final class LoginDemand implements InboundChannelHandlerFactory {
    static final ConfigOption<String> HEADER =
            ConfigOptions.key("cutwater.test.login").stringType().noDefaultValue();

    @Override
    public int priority() {
        return 0;
    }

    @Override
    public Optional<ChannelHandler> createHandler(Configuration configuration, Map<String, String> responseHeaders) {
        return configuration.getOptional(HEADER).map(Handler::new);
    }

    private static final class Handler extends SimpleChannelInboundHandler<HttpRequest> {
        private final String wanted;

        Handler(String wanted) {
            super(false);
            this.wanted = wanted;
        }

        @Override
        protected void channelRead0(ChannelHandlerContext context, HttpRequest request) {
            if (wanted.equals(request.headers().get(HttpHeaderNames.AUTHORIZATION))) {
                context.fireChannelRead(request);
            } else {
                ReferenceCountUtil.release(request);
                context.writeAndFlush(
                                new DefaultFullHttpResponse(request.protocolVersion(), HttpResponseStatus.UNAUTHORIZED))
                        .addListener(ChannelFutureListener.CLOSE);
            }
        }
    }
}
