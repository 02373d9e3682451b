package io.cutwater.trainer.mesh;

import static org.assertj.core.api.Assertions.assertThat;

import io.cutwater.trainer.channel.FrameGroup.Purpose;
import io.cutwater.trainer.mesh.Frame.Alive;
import io.cutwater.trainer.mesh.Frame.Data;
import io.cutwater.trainer.mesh.Frame.Refused;
import io.cutwater.trainer.mesh.Frame.Welcome;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.embedded.EmbeddedChannel;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

class PeerSessionTest {
    private static final GroupKey KEY = new GroupKey(1, 2, 3);

    private final PeerSession session = new PeerSession(7);

    private static EmbeddedChannel connection() {
        return new EmbeddedChannel(new ChannelInboundHandlerAdapter());
    }

    private static ChannelHandlerContext context(EmbeddedChannel connection) {
        return connection.pipeline().firstContext();
    }

    private static Data frame(int bytes) {
        return new Data(KEY, 0, 0, 1, Purpose.MESSAGE, 0, ByteBuffer.allocate(bytes));
    }

    @Test
    void anotherConnectionGoesOnWhereTheLastOneEnded() {
        EmbeddedChannel first = connection();
        session.continueOn(context(first));
        assertThat(first.<Frame>readOutbound()).isEqualTo(new Welcome(0));
        assertThat(session.isNext(context(first), frame(10))).isTrue();
        session.refuse(new Refused(KEY, "no"));
        assertThat(first.<Frame>readOutbound()).isEqualTo(new Refused(KEY, "no"));
        EmbeddedChannel second = connection();
        session.continueOn(context(second));
        assertThat(first.isOpen()).isFalse();
        assertThat(session.isNext(context(first), frame(10)))
                .as("it comes again on the second one")
                .isFalse();
        assertThat(second.<Frame>readOutbound()).isEqualTo(new Welcome(1));
        assertThat(second.<Frame>readOutbound()).as("it may have been lost").isEqualTo(new Refused(KEY, "no"));
        assertThat(session.isNext(context(second), frame(10))).isTrue();
        session.tell();
        assertThat(second.<Frame>readOutbound()).isEqualTo(new Alive(2));
    }

    @Test
    void tellsAtOnceThatAMegabyteWasTaken() {
        EmbeddedChannel connection = connection();
        session.continueOn(context(connection));
        connection.readOutbound();
        for (int taken = 1; taken <= 4; taken++) {
            session.isNext(context(connection), frame(600_000));
            assertThat(connection.<Frame>readOutbound()).isEqualTo(taken % 2 == 0 ? new Alive(taken) : null);
        }
    }
}
