package io.cutwater.flink.client;

import java.io.IOException;
import java.util.Optional;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLParameters;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.ConfigOptions;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.RestOptions;
import org.apache.flink.runtime.io.network.netty.OutboundChannelHandlerFactory;
import org.apache.flink.shaded.netty4.io.netty.channel.ChannelHandler;
import org.apache.flink.shaded.netty4.io.netty.channel.ChannelHandlerContext;
import org.apache.flink.shaded.netty4.io.netty.channel.ChannelOutboundHandlerAdapter;
import org.apache.flink.shaded.netty4.io.netty.channel.ChannelPromise;
import org.apache.flink.shaded.netty4.io.netty.handler.codec.http.HttpHeaderNames;
import org.apache.flink.shaded.netty4.io.netty.handler.codec.http.HttpRequest;
import org.apache.flink.shaded.netty4.io.netty.handler.ssl.SslHandler;
import org.apache.flink.util.ConfigurationException;
import org.jspecify.annotations.Nullable;

/**
 * Adds {@link FlinkCredentials} to Flink's own REST client: TLS with a check of the host name, which that client does
 * not make, and a header {@code Authorization}, for which it has no setting. Flink finds this class as a service.
 */
public final class FlinkClientHandlers implements OutboundChannelHandlerFactory {
    /** Option that is true if connections use TLS. */
    static final ConfigOption<Boolean> SECURE =
            ConfigOptions.key("cutwater.rest.secure").booleanType().defaultValue(false);

    /** Value of the header; without it no header is sent. Flink hides the values of names like this one in its logs. */
    static final ConfigOption<String> AUTHORIZATION = ConfigOptions.key("cutwater.rest.authorization.password")
            .stringType()
            .noDefaultValue();

    @Override
    public int priority() {
        return 0;
    }

    @Override
    public Optional<ChannelHandler> createHandler(Configuration configuration) throws ConfigurationException {
        String authorization = configuration.get(AUTHORIZATION);
        boolean isSecure = configuration.get(SECURE);
        return authorization == null && !isSecure
                ? Optional.empty()
                : Optional.of(new Handler(isSecure ? engine(configuration) : null, authorization));
    }

    private static SSLEngine engine(Configuration configuration) throws ConfigurationException {
        try {
            SSLEngine engine = FlinkCredentials.of(configuration)
                    .sslContext()
                    .createSSLEngine(configuration.get(RestOptions.ADDRESS), configuration.get(RestOptions.PORT));
            engine.setUseClientMode(true);
            SSLParameters parameters = engine.getSSLParameters();
            parameters.setEndpointIdentificationAlgorithm("HTTPS");
            engine.setSSLParameters(parameters);
            return engine;
        } catch (IOException e) {
            throw new ConfigurationException(e.getMessage(), e);
        }
    }

    private static final class Handler extends ChannelOutboundHandlerAdapter {
        private final @Nullable SSLEngine engine;
        private final @Nullable String authorization;

        Handler(@Nullable SSLEngine engine, @Nullable String authorization) {
            this.engine = engine;
            this.authorization = authorization;
        }

        @Override
        public void handlerAdded(ChannelHandlerContext context) {
            if (engine != null) {
                context.pipeline().addFirst(new SslHandler(engine));
            }
        }

        @Override
        public void write(ChannelHandlerContext context, Object message, ChannelPromise promise) {
            if (authorization != null && message instanceof HttpRequest request) {
                request.headers().set(HttpHeaderNames.AUTHORIZATION, authorization);
            }
            context.write(message, promise);
        }
    }
}
