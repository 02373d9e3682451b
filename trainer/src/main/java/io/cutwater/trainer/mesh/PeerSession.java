package io.cutwater.trainer.mesh;

import io.cutwater.trainer.mesh.Frame.Alive;
import io.cutwater.trainer.mesh.Frame.Data;
import io.cutwater.trainer.mesh.Frame.Refused;
import io.cutwater.trainer.mesh.Frame.Welcome;
import io.netty.channel.ChannelHandlerContext;
import org.jspecify.annotations.Nullable;

/** What this process has taken from a {@link PeerLink}, on all of its connections. Thread-safe. */
final class PeerSession {
    /** Bytes after which the other side learns at once that they were taken, as it keeps them until then. */
    private static final int UNTOLD_BYTES = 1 << 20;

    private final long number;
    private @Nullable ChannelHandlerContext connection;
    private @Nullable Refused refused;
    private long taken;
    private long untold;

    /** @param number see {@link PeerLink#session} */
    PeerSession(long number) {
        this.number = number;
    }

    long number() {
        return number;
    }

    /** Uses another connection from now on, and accepts it. */
    synchronized void continueOn(ChannelHandlerContext next) {
        if (connection != null) {
            connection.close();
        }
        connection = next;
        untold = 0;
        write(new Welcome(taken));
        if (refused != null) { // it may have been lost
            write(refused);
        }
    }

    /** Returns whether a frame of a connection is the next one; otherwise it comes again on another connection. */
    synchronized boolean isNext(ChannelHandlerContext of, Data data) {
        if (of != connection) {
            return false;
        }
        taken++;
        untold += data.body().remaining();
        if (untold >= UNTOLD_BYTES) {
            tell();
        }
        return true;
    }

    /** Sends a heartbeat. */
    synchronized void tell() {
        untold = 0;
        write(new Alive(taken));
    }

    /** Tells the other side that a frame cannot be used. */
    synchronized void refuse(Refused why) {
        refused = why;
        write(why);
    }

    private void write(Frame frame) {
        if (connection != null) {
            connection.writeAndFlush(frame, connection.voidPromise());
        }
    }
}
