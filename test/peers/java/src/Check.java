import java.util.Collection;
import java.util.Objects;
import java.util.function.Function;
import javax.ws.rs.WebApplicationException;
import javax.ws.rs.core.Response;
import org.keycloak.admin.client.CreatedResponseUtil;

/** Runs the cases of the program, and says what is wrong with an answer. */
final class Check {
  static int passed;
  static int failed;

  private Check() {}

  interface Body {
    void run() throws Exception;
  }

  static void run(String name, Body body) {
    try {
      body.run();
      passed++;
    } catch (Throwable failure) {
      failed++;
      System.out.println("FAILED " + name + ": " + describe(failure));
      for (StackTraceElement frame : failure.getStackTrace()) {
        boolean own = frame.getFileName() != null && frame.getClassLoaderName() != null && frame.getModuleName() == null
            && !frame.getClassName().contains(".") && !frame.getClassName().startsWith("Check");
        if (own) System.out.println("  at " + frame);
      }
    }
  }

  private static String describe(Throwable failure) {
    String text = failure.toString();
    if (failure instanceof WebApplicationException refusal && refusal.getResponse().hasEntity()) {
      text += " " + refusal.getResponse().readEntity(String.class);
    }
    return failure.getCause() == null ? text : text + ", because of " + describe(failure.getCause());
  }

  static void equal(Object expected, Object actual) {
    if (!Objects.equals(expected, actual)) throw new AssertionError("expected " + expected + ", got " + actual);
  }

  static void isTrue(boolean condition, String otherwise) {
    if (!condition) throw new AssertionError(otherwise);
  }

  /** Checks that the list has an item of this name. */
  static <T> void contains(Collection<T> items, Function<T, ?> key, Object wanted) {
    isTrue(items.stream().map(key).anyMatch(wanted::equals), wanted + " is missing in " + items.stream().map(key).toList());
  }

  static <T> void lacks(Collection<T> items, Function<T, ?> key, Object unwanted) {
    isTrue(items.stream().map(key).noneMatch(unwanted::equals), unwanted + " is in " + items.stream().map(key).toList());
  }

  /** Checks the answer of a creation, and returns the ID of what was created. */
  static String created(Response response) {
    try (response) {
      return CreatedResponseUtil.getCreatedId(response);
    }
  }

  static void status(int expected, Response response) {
    try (response) {
      if (response.getStatus() != expected) {
        throw new AssertionError("expected " + expected + ", got " + response.getStatus() + " " + response.readEntity(String.class));
      }
    }
  }

  /** Checks that a call is refused with this status. */
  static void refused(int expected, Body call) throws Exception {
    try {
      call.run();
    } catch (WebApplicationException refusal) {
      equal(expected, refusal.getResponse().getStatus());
      return;
    }
    throw new AssertionError("expected a refusal with " + expected);
  }
}
