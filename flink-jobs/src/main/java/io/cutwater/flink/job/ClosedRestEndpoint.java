package io.cutwater.flink.job;

import java.util.Map;
import java.util.Optional;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.ConfigOptions;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.runtime.io.network.netty.InboundChannelHandlerFactory;
import org.apache.flink.shaded.netty4.io.netty.channel.ChannelHandler;
import org.apache.flink.shaded.netty4.io.netty.channel.ChannelHandlerContext;
import org.apache.flink.shaded.netty4.io.netty.channel.ChannelInboundHandlerAdapter;

/**
 * Closes every connection to the REST endpoint of an embedded cluster before a byte of it is read. A MiniCluster always
 * opens the endpoint, which runs any job that is sent to it. This process submits jobs without it, and other processes
 * must not. Flink finds this class as a service.
 */
public final class ClosedRestEndpoint implements InboundChannelHandlerFactory {
    static final ConfigOption<Boolean> CLOSED =
            ConfigOptions.key("cutwater.rest.closed").booleanType().defaultValue(false);

    @Override
    public int priority() {
        return 0;
    }

    @Override
    public Optional<ChannelHandler> createHandler(Configuration configuration, Map<String, String> responseHeaders) {
        return configuration.get(CLOSED) ? Optional.of(new Closing()) : Optional.empty();
    }

    private static final class Closing extends ChannelInboundHandlerAdapter {
        /** Closes the connection while it is set up, before any other handler has read from it. */
        @Override
        public void handlerAdded(ChannelHandlerContext context) {
            context.channel().close();
        }
    }
}
