package io.cutwater.trainer.mesh;

import io.cutwater.trainer.channel.FrameGroup.Purpose;
import io.cutwater.trainer.mesh.Frame.Alive;
import io.cutwater.trainer.mesh.Frame.Content;
import io.cutwater.trainer.mesh.Frame.Data;
import io.cutwater.trainer.mesh.Frame.Fetch;
import io.cutwater.trainer.mesh.Frame.Hello;
import io.cutwater.trainer.mesh.Frame.Refused;
import io.cutwater.trainer.mesh.Frame.Taken;
import io.cutwater.trainer.mesh.Frame.Tell;
import io.cutwater.trainer.mesh.Frame.Welcome;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.ByteToMessageCodec;
import io.netty.handler.codec.CorruptedFrameException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * Writes and reads frames. A length is checked before anything of that size is allocated or awaited; at first only
 * short frames are read.
 */
final class FrameCodec extends ByteToMessageCodec<Frame> {
    /** Bytes of a {@link Data} frame without body, the kind included. */
    private static final int DATA_BYTES = 1 + 8 + 4 + 4 + 8 + 4 + 4 + 1 + 4;

    private static final int MAGIC = 0x4d575443; // "CTWM"
    private static final short VERSION = 5;
    private static final int HELLO = 1;
    private static final int WELCOME = 2;
    private static final int ALIVE = 3;
    private static final int DATA = 4;
    private static final int REFUSED = 5;
    private static final int FETCH = 6;
    private static final int CONTENT = 7;
    private static final int TELL = 8;
    private static final int TAKEN = 9;
    private static final int MAX_TEXT_BYTES = 4_000;
    /** Longest frame without values: {@link Hello}. */
    private static final int MAX_SMALL_BYTES = 1 + 4 + 2 + 3 * (2 + MAX_TEXT_BYTES) + 8;

    private int maxBytes = MAX_SMALL_BYTES;

    /**
     * Also reads frames with data, from a sender that is known. Memory grows with the bytes that arrive.
     *
     * @param maxBody maximum number of bytes of a body
     */
    void acceptData(int maxBody) {
        maxBytes = (int) Math.max(MAX_SMALL_BYTES, Math.min(Integer.MAX_VALUE, (long) DATA_BYTES + maxBody));
    }

    @Override
    protected void encode(ChannelHandlerContext context, Frame frame, ByteBuf out) {
        int begin = out.writerIndex();
        out.writeIntLE(0);
        if (frame instanceof Hello hello) {
            out.writeByte(HELLO).writeIntLE(MAGIC).writeShortLE(VERSION);
            write(hello.sender(), out);
            write(hello.receiver(), out);
            write(hello.token(), out);
            out.writeLongLE(hello.session());
        } else if (frame instanceof Welcome welcome) {
            out.writeByte(WELCOME).writeLongLE(welcome.taken());
        } else if (frame instanceof Alive alive) {
            out.writeByte(ALIVE).writeLongLE(alive.taken());
        } else if (frame instanceof Data data) {
            out.writeByte(DATA);
            write(data, out);
        } else if (frame instanceof Refused refused) {
            out.writeByte(REFUSED);
            write(refused.key(), out);
            write(refused.sentence(), out);
        } else if (frame instanceof Fetch fetch) {
            out.writeByte(FETCH).writeLongLE(fetch.number());
        } else if (frame instanceof Content content) {
            out.writeByte(CONTENT).writeLongLE(content.number());
            out.writeBytes(content.body().duplicate());
        } else if (frame instanceof Tell tell) {
            out.writeByte(TELL).writeLongLE(tell.number());
            out.writeBytes(tell.body().duplicate());
        } else if (frame instanceof Taken taken) {
            out.writeByte(TAKEN).writeLongLE(taken.number());
        }
        out.setIntLE(begin, out.writerIndex() - begin - Integer.BYTES);
    }

    private static void write(GroupKey key, ByteBuf out) {
        out.writeLongLE(key.run()).writeIntLE(key.round()).writeIntLE(key.attempt());
    }

    private static void write(String text, ByteBuf out) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        int length = Math.min(bytes.length, MAX_TEXT_BYTES);
        out.writeShortLE(length).writeBytes(bytes, 0, length);
    }

    private static void write(Data data, ByteBuf out) {
        write(data.key(), out);
        out.writeLongLE(data.cut()).writeIntLE(data.from()).writeIntLE(data.to());
        out.writeByte(data.purpose().ordinal()).writeIntLE(data.number());
        out.writeBytes(data.body().duplicate());
    }

    @Override
    protected void decode(ChannelHandlerContext context, ByteBuf in, List<Object> out) {
        if (in.readableBytes() < Integer.BYTES) {
            return;
        }
        int length = in.getIntLE(in.readerIndex());
        if (length < 1 || length > maxBytes) {
            throw new CorruptedFrameException(
                    "a frame of %d bytes; 1 to %d are possible, so this is not a worker of this training"
                            .formatted(Integer.toUnsignedLong(length), maxBytes));
        }
        if (in.readableBytes() >= Integer.BYTES + length) {
            in.skipBytes(Integer.BYTES);
            out.add(frame(in.readSlice(length)));
        }
    }

    private static Frame frame(ByteBuf in) {
        try {
            int kind = in.readUnsignedByte();
            Frame frame = switch (kind) {
                case HELLO -> hello(in);
                case WELCOME -> new Welcome(in.readLongLE());
                case ALIVE -> new Alive(in.readLongLE());
                case DATA -> data(in);
                case REFUSED -> new Refused(key(in), text(in));
                case FETCH -> new Fetch(in.readLongLE());
                case CONTENT -> new Content(in.readLongLE(), body(in));
                case TELL -> new Tell(in.readLongLE(), body(in));
                case TAKEN -> new Taken(in.readLongLE());
                default -> throw new CorruptedFrameException("a frame of unknown kind " + kind);
            };
            if (in.isReadable()) {
                throw new CorruptedFrameException("a frame with %d bytes too many".formatted(in.readableBytes()));
            }
            return frame;
        } catch (IndexOutOfBoundsException e) {
            throw new CorruptedFrameException("a truncated frame", e);
        }
    }

    private static Hello hello(ByteBuf in) {
        int magic = in.readIntLE();
        int version = in.readUnsignedShortLE();
        if (magic != MAGIC || version != VERSION) {
            throw new CorruptedFrameException(
                    "a first frame of version %d, and this program reads %d; run all processes with the same version"
                            .formatted(version, VERSION));
        }
        return new Hello(text(in), text(in), text(in), in.readLongLE());
    }

    private static GroupKey key(ByteBuf in) {
        return new GroupKey(in.readLongLE(), in.readIntLE(), in.readIntLE());
    }

    private static String text(ByteBuf in) {
        return in.readCharSequence(in.readUnsignedShortLE(), StandardCharsets.UTF_8)
                .toString();
    }

    private static Data data(ByteBuf in) {
        GroupKey key = key(in);
        long cut = in.readLongLE();
        int from = in.readIntLE();
        int to = in.readIntLE();
        int purpose = in.readUnsignedByte();
        int number = in.readIntLE();
        if (purpose >= Purpose.values().length) {
            throw new CorruptedFrameException("a frame of unknown purpose " + purpose);
        }
        return new Data(key, cut, from, to, Purpose.values()[purpose], number, body(in));
    }

    private static ByteBuffer body(ByteBuf in) {
        ByteBuffer body = ByteBuffer.allocate(in.readableBytes());
        in.readBytes(body);
        return body.flip();
    }
}
