package io.cutwater.trainer.mesh;

import io.cutwater.trainer.mesh.Frame.Alive;
import io.cutwater.trainer.mesh.Frame.Content;
import io.cutwater.trainer.mesh.Frame.Fetch;
import io.cutwater.trainer.mesh.Frame.Refused;
import io.cutwater.trainer.mesh.Frame.Taken;
import io.cutwater.trainer.mesh.Frame.Tell;
import io.cutwater.trainer.mesh.Frame.Welcome;
import java.nio.ByteBuffer;
import java.security.SecureRandom;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A way to another worker, on which this one sends. The other side sends a heartbeat twice a second with the number of
 * frames that it has taken. Frames are kept until then. If the connection is lost, it is made again, and the frames
 * that the other side has not taken are sent again, so it gets each exactly once and in order, and a step goes on as if
 * nothing had happened. The link fails if the other side is gone, or if no frame comes through for the timeout. A
 * failed link is not used again; neither is one to the coordinator whose connection was lost.
 */
final class PeerLink {
    /** The reason if nothing was heard. */
    static final String SILENT = "was silent";

    private static final Logger LOG = LoggerFactory.getLogger(PeerLink.class);
    private static final long FIRST_PAUSE_MILLIS = 10;
    private static final long MAX_PAUSE_MILLIS = 500;
    private static final SecureRandom SESSIONS = new SecureRandom();

    private final Mesh mesh;
    private final String worker;
    private final PeerAddress address;
    private final long session = SESSIONS.nextLong();
    private final Queue<Frame> kept = new ArrayDeque<>(); // in the order of sending
    private final OpenRequests open = new OpenRequests();
    private final String whose;
    private final int maxBody;
    private final long timeoutMillis;
    private @Nullable PeerConnection connection; // null while it is made again
    private long taken; // number of frames before those that are kept
    private boolean isWelcome;
    private boolean wasWelcome;
    private boolean isClosed;
    private long heardMillis; // when a frame came last
    private long stuckMillis; // since when no frame has come through
    private boolean isStuck;
    private long pauseMillis = FIRST_PAUSE_MILLIS;

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
        timeoutMillis = mesh.options().timeout().toMillis();
        connect();
    }

    String worker() {
        return worker;
    }

    PeerAddress address() {
        return address;
    }

    /** Returns the number that the connections of this link have in common. */
    long session() {
        return session;
    }

    private boolean isToCoordinator() {
        return maxBody > 0;
    }

    synchronized boolean isOpenTo(@Nullable PeerAddress expected) {
        return address.equals(expected) && !isClosed;
    }

    /** Sends a frame after all earlier ones, when the connection is accepted. */
    synchronized void send(Frame frame) {
        if (isClosed) {
            return;
        }
        if (!isWelcome || !isToCoordinator()) {
            kept.add(frame);
        }
        if (isWelcome && connection != null) {
            connection.write(frame);
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

    /** Takes a frame of the other side in the mesh's thread; returns whether it makes sense. */
    boolean take(PeerConnection from, Frame frame) {
        synchronized (this) {
            if (from != connection) {
                return true; // of a connection that was given up
            }
            heardMillis = now();
        }
        if (frame instanceof Welcome welcome) {
            return welcome(from, welcome.taken());
        } else if (frame instanceof Refused refused) {
            mesh.refused(refused.key(), refused.sentence());
        } else if (frame instanceof Content content) {
            open.content(content.number(), content.body());
        } else if (frame instanceof Taken told) {
            open.taken(told.number());
        } else {
            return frame instanceof Alive alive && (isToCoordinator() || wereTaken(alive.taken()));
        }
        return true;
    }

    /** Forgets the frames that the other side has taken. */
    private synchronized boolean wereTaken(long number) {
        if (number < taken || number > taken + kept.size()) {
            return false;
        }
        if (number > taken || kept.isEmpty()) {
            isStuck = false;
            pauseMillis = FIRST_PAUSE_MILLIS;
        }
        while (taken < number) {
            kept.remove();
            taken++;
        }
        return true;
    }

    /** Sends what is kept; called in the mesh's thread, so that frames of other threads follow. */
    private boolean welcome(PeerConnection on, long number) {
        List<Frame> waiting;
        synchronized (this) {
            if (!isToCoordinator() && !wereTaken(number)) {
                return false;
            }
            isWelcome = true;
            wasWelcome = true;
            waiting = List.copyOf(kept);
            if (isToCoordinator()) {
                kept.clear();
            }
        }
        if (isToCoordinator()) {
            on.acceptContent(maxBody);
        } else {
            on.setPatience(timeoutMillis / 2); // so that there is time for another connection
        }
        // Without the lock: a failed write calls the mesh, whose lock is taken before this one.
        waiting.forEach(on::write);
        return true;
    }

    private static long now() {
        return TimeUnit.NANOSECONDS.toMillis(System.nanoTime());
    }

    void close() {
        giveUp("the connection was closed");
    }

    private String giveUp(String what) {
        PeerConnection last;
        synchronized (this) {
            isClosed = true;
            kept.clear();
            last = connection;
            connection = null;
        }
        if (last != null) {
            last.close();
        }
        String sentence = "%s at %s %s".formatted(whose, address, what);
        open.fail(sentence);
        return sentence;
    }

    /**
     * Makes the connection again, or gives up.
     *
     * @param isFinal whether another connection would not help
     */
    void lost(PeerConnection of, String what, boolean isFinal) {
        boolean mayRetry;
        long pause;
        synchronized (this) {
            if (isClosed || of != connection) {
                return;
            }
            if (!isStuck) {
                stuckMillis = what.equals(SILENT) ? heardMillis : now();
                isStuck = true;
            }
            mayRetry = !isFinal && wasWelcome && !isToCoordinator();
            pause = mayRetry && leftMillis() > 0 ? pauseMillis : -1;
            if (pause >= 0) {
                connection = null;
                isWelcome = false;
                pauseMillis = Math.min(MAX_PAUSE_MILLIS, 2 * pauseMillis);
            }
        }
        if (pause < 0) {
            String duration = " for %d s".formatted(TimeUnit.MILLISECONDS.toSeconds(timeoutMillis));
            mesh.linkFailed(this, giveUp(mayRetry || what.equals(SILENT) ? what + duration : what));
            return;
        }
        of.close();
        LOG.warn("mesh: {} at {} {}; the connection is made again", whose, address, what);
        mesh.loop().schedule(this::connect, pause, TimeUnit.MILLISECONDS);
    }

    private long leftMillis() {
        return stuckMillis + timeoutMillis - now();
    }

    private void connect() {
        PeerConnection next;
        synchronized (this) {
            if (isClosed) {
                return;
            }
            long patience = wasWelcome ? Math.min(timeoutMillis / 2, leftMillis()) : timeoutMillis;
            next = new PeerConnection(mesh, this, Math.max(1, patience));
            connection = next;
        }
        next.open();
    }
}
