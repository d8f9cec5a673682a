import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * The published second-slot generator, as an external generator for twindrift: an example
 * to start from. It needs Java 17 and nothing else:
 *
 * <pre>java SecondSlot.java</pre>
 *
 * It speaks the binary framing. What is yours goes into {@link #draw}; {@link #main} only
 * reads requests and writes answers.
 *
 * <p>The steps in comments are those of the design page GENERATORS, section 1. The faults of
 * the published algorithm are kept. Any number of threads may draw.
 */
public final class SecondSlot {
    static final long EPOCH = 621_355_968_000_000_000L; // 1970-01-01 in .NET ticks
    static final int SECONDS_PER_DAY = 86_400;
    static final int PER_SECOND = 5000;
    static final int STEP = 200;
    static final int MAX_HOPS = 16;

    /** The status of an event for which there is no slot: it gets no id. */
    static final int TOO_EARLY = 1;

    private final long utcOffsetMs;

    /** One for each second of the local day: day number (24 bits), jump target (20), next number (20). */
    private final AtomicLongArray slots = new AtomicLongArray(SECONDS_PER_DAY);

    public SecondSlot(long utcOffsetMs) {
        this.utcOffsetMs = utcOffsetMs;
    }

    /** Whether an event, in ms since the Unix epoch, has a slot: none lies before day 0 of local time. */
    public boolean hasSlot(long eventMs) {
        return eventMs + utcOffsetMs >= 0;
    }

    /** The id of an event that has a slot. */
    public long draw(int node, long eventMs) {
        long second = (eventMs + utcOffsetMs) / 1000; // step 1
        long day = second / SECONDS_PER_DAY;
        int own = (int) (second % SECONDS_PER_DAY);
        int at = own;
        int hops = 0;
        long sequence;
        while (true) {
            long word = slots.get(at); // step 2
            long slotDay = word >>> 40;
            int jump = (int) (word >>> 20) & 0xFFFFF;
            sequence = word & 0xFFFFF;
            if (slotDay > day) { // step 3: not drawn
                return id(second, node, 0);
            }
            boolean changed = true;
            if (slotDay < day) { // step 4
                jump = 0;
                sequence = 0;
                changed = slots.compareAndSet(at, word, pack(day, 0, 1));
            } else if (jump == 0 && sequence < PER_SECOND) { // step 5
                changed = slots.compareAndSet(at, word, word + 1);
            } else if (jump == 0) { // step 6
                jump = at + 1;
                changed = slots.compareAndSet(at, word, pack(day, jump, sequence));
            } // else step 7
            if (!changed) { // step 8
                continue;
            }
            if (jump == 0) {
                break;
            }
            at = jump; // step 9: the slot at `at` has not been drawn from
            if (at >= SECONDS_PER_DAY || hops++ >= MAX_HOPS) {
                break;
            }
        }
        if (hops > 2 && at - own > 1) { // step 10
            long word = slots.get(own);
            if (((int) (word >>> 20) & 0xFFFFF) < at) {
                slots.compareAndSet(own, word, pack(day, at, PER_SECOND));
            }
        }
        return id(second + at - own, node, sequence); // step 11
    }

    private static long id(long second, int node, long sequence) {
        return second * 10_000_000L + node * 1_000_000L + sequence * STEP + EPOCH;
    }

    private static long pack(long day, long jump, long next) {
        return day << 40 | jump << 20 | next;
    }

    /** Answers requests until the input ends. Logs would go to System.err. */
    public static void main(String[] args) throws IOException {
        var generator = new SecondSlot(8 * 3600 * 1000);
        var in = new BufferedInputStream(System.in, 1 << 18);
        var out = new FileOutputStream(FileDescriptor.out); // each answer is one write
        while (true) {
            byte[] head = in.readNBytes(4);
            if (head.length == 0) {
                return;
            }
            int count = little(head, 4).getInt();
            ByteBuffer request = little(in.readNBytes(24 * count), 24 * count);
            ByteBuffer answer = ByteBuffer.allocate(4 + 12 * count).order(ByteOrder.LITTLE_ENDIAN);
            answer.putInt(count);
            for (int i = 0; i < count; i++) {
                long eventMs = request.getLong();
                long nowMs = request.getLong(); // of no use to this generator, and neither is the partition
                int node = request.getInt();
                int partition = request.getInt();
                boolean can = generator.hasSlot(eventMs);
                answer.putLong(can ? generator.draw(node, eventMs) : 0);
                answer.putInt(can ? 0 : TOO_EARLY);
            }
            out.write(answer.array());
        }
    }

    /** Bytes to read little-endian numbers from. */
    private static ByteBuffer little(byte[] bytes, int wanted) throws EOFException {
        if (bytes.length < wanted) {
            throw new EOFException("the input ended within a request");
        }
        return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    }
}
