import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.function.IntBinaryOperator;

/**
 * Times the published second-slot generator in Java as `twindrift bench` does in Go: the
 * same seconds, the same ids, a new process state in every round, the wall clock of all
 * threads together, and every id kept and looked at. What is timed is the example
 * SecondSlot, whose ids the tests hold against the reference vectors.
 *
 * <p>It writes a line for each round in the format of Go's benchmarks, with the ids that
 * were given before as a second figure. `make bench-java` runs both side by side.
 *
 * <pre>java -cp CLASSES SecondSlotBench [--threads 1,2] [--contention own,shared,one]
 *     [--ids 1000000] [--rounds 5] [--warm-up 5]</pre>
 *
 * The warm-up is longer than Go's default of one round: the first ones are interpreted.
 */
public final class SecondSlotBench {
    // As in contention.go.
    static final int PER_SECOND = 4000;
    static final int CACHE_LINE = 8;
    static final int APART = 512;
    static final int APART_PER_DAY = SecondSlot.SECONDS_PER_DAY / APART;

    static final int NODE = 1;
    static final long UTC_OFFSET_MS = 8 * 3600 * 1000;
    static final long MIDNIGHT_MS = 1_789_430_400_000L - UTC_OFFSET_MS; // as in bench.go

    public static void main(String[] args) throws InterruptedException {
        Map<String, String> options = options(args);
        int ids = Integer.parseInt(options.get("--ids"));
        int rounds = Integer.parseInt(options.get("--rounds"));
        int warmUp = Integer.parseInt(options.get("--warm-up"));
        for (String contention : options.get("--contention").split(",")) {
            for (String number : options.get("--threads").split(",")) {
                int threads = Integer.parseInt(number);
                int each = ids / threads;
                IntBinaryOperator second = seconds(contention, threads, each);
                for (int round = 0; round < warmUp + rounds; round++) {
                    long[][] of = new long[threads][each]; // event times, and then their ids
                    for (int t = 0; t < threads; t++) {
                        for (int i = 0; i < each; i++) {
                            of[t][i] = MIDNIGHT_MS + 1000L * second.applyAsInt(t, i);
                        }
                    }
                    long ns = race(of);
                    long twice = duplicates(of);
                    if (round >= warmUp) {
                        System.out.printf(
                                "BenchmarkDraw/generator=second-slot/variant=java/seconds=%s/threads=%d-%d\t%d\t%.2f ns/op\t%d duplicates%n",
                                contention, threads, Runtime.getRuntime().availableProcessors(),
                                threads * each, (double) ns / (threads * each), twice);
                    }
                }
            }
        }
    }

    /** The options given, and the defaults of the others. */
    static Map<String, String> options(String[] args) {
        Map<String, String> options = new HashMap<>(Map.of(
                "--threads", "1,2", "--contention", "own,shared,one", "--ids", "1000000", "--rounds", "5", "--warm-up", "5"));
        for (int i = 0; i < args.length; i += 2) {
            if (i + 1 == args.length || options.put(args[i], args[i + 1]) == null) {
                throw new IllegalArgumentException("what is " + args[i] + "? There are " + options.keySet() + ", each with a value");
            }
        }
        return options;
    }

    /** The second of the day for draw i of a thread. */
    static IntBinaryOperator seconds(String contention, int threads, int each) {
        switch (contention) {
            case "own": // each thread its own, one after the other
                int own = Math.max(CACHE_LINE, (each + PER_SECOND - 1) / PER_SECOND);
                check(threads * own <= SecondSlot.SECONDS_PER_DAY);
                return (thread, i) -> thread * own + i / PER_SECOND;
            case "shared": // all the same ones, in turn
                int n = (threads * each + PER_SECOND - 1) / PER_SECOND;
                check(n <= APART_PER_DAY * APART);
                return (thread, i) -> i % n % APART_PER_DAY * APART + i % n / APART_PER_DAY;
            case "one": // all the same second, which overflows
                return (thread, i) -> 0;
            default:
                throw new IllegalArgumentException("no contention is called " + contention + "; there are own, shared and one");
        }
    }

    static void check(boolean fits) {
        if (!fits) {
            throw new IllegalArgumentException("so many ids do not fit into a day: draw fewer");
        }
    }

    /** Has all threads draw at once from one new process, and says how many ns that took. */
    static long race(long[][] of) throws InterruptedException {
        var process = new SecondSlot(UTC_OFFSET_MS);
        var ready = new CountDownLatch(of.length);
        var start = new CountDownLatch(1);
        var all = new CountDownLatch(of.length);
        for (long[] mine : of) {
            new Thread(() -> {
                ready.countDown();
                try {
                    start.await();
                } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                }
                draw(process, mine);
                all.countDown();
            }).start();
        }
        ready.await();
        long began = System.nanoTime();
        start.countDown();
        all.await();
        return System.nanoTime() - began;
    }

    static void draw(SecondSlot process, long[] mine) {
        for (int i = 0; i < mine.length; i++) {
            mine[i] = process.hasSlot(mine[i]) ? process.draw(NODE, mine[i]) : 0;
        }
    }

    /** Ids that were given before, each time. */
    static long duplicates(long[][] of) {
        long[] ids = Arrays.stream(of).flatMapToLong(Arrays::stream).sorted().toArray();
        long twice = 0;
        for (int i = 1; i < ids.length; i++) {
            if (ids[i] == ids[i - 1]) {
                twice++;
            }
        }
        return twice;
    }
}
