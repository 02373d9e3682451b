package io.cutwater.trainer.mapped;

import com.sun.jna.Native;
import com.sun.jna.NativeLong;
import com.sun.jna.Pointer;
import java.nio.MappedByteBuffer;

/** Asks the operating system to free the memory of mapped pages, which Java cannot. */
final class Pages {
    private static final int MADV_PAGEOUT = 21; // Linux 5.4
    private static final boolean IS_KNOWN = register();

    private Pages() {}

    private static boolean register() {
        try {
            Native.register(Pages.class, "c");
            return true;
        } catch (LinkageError e) { // another system than Linux
            return false;
        }
    }

    private static native int madvise(Pointer address, NativeLong length, int advice);

    /**
     * Writes changed pages to the file, and frees all that no other mapping has.
     *
     * @return whether the system can do that
     */
    static boolean free(MappedByteBuffer mapped) {
        if (IS_KNOWN) {
            mapped.force(); // the system does not free changed pages
        }
        return IS_KNOWN
                && madvise(Native.getDirectBufferPointer(mapped), new NativeLong(mapped.capacity()), MADV_PAGEOUT) == 0;
    }
}
