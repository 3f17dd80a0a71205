import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** Notes which methods of the client's interfaces were called, so that the others can be named. */
final class Recorder {
  private static final String RESOURCES = "org.keycloak.admin.client.resource";
  private static final Set<String> called = new TreeSet<>();

  private Recorder() {}

  /** Wraps a resource of the client, and every resource that it returns. */
  static <T> T wrap(Class<T> type, T target) {
    return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, (proxy, method, arguments) -> {
      synchronized (called) {
        called.add(nameOf(method));
      }
      try {
        return wrapped(method.getReturnType(), method.invoke(target, arguments));
      } catch (InvocationTargetException failure) {
        throw failure.getCause();
      }
    }));
  }

  private static <T> Object wrapped(Class<T> type, Object result) {
    return isResource(type) ? wrap(type, type.cast(result)) : result;
  }

  private static boolean isResource(Class<?> type) {
    return type.isInterface() && type.getPackageName().equals(RESOURCES);
  }

  /** Prints how many methods that can be reached from `root` were called, and the names of the others. */
  static void report(Class<?>... roots) {
    Set<String> all = new TreeSet<>();
    Set<Class<?>> seen = new java.util.HashSet<>(Arrays.asList(roots));
    Deque<Class<?>> open = new ArrayDeque<>(seen);
    while (!open.isEmpty()) {
      for (Method method : open.pop().getMethods()) {
        all.add(nameOf(method));
        if (isResource(method.getReturnType()) && seen.add(method.getReturnType())) open.push(method.getReturnType());
      }
    }
    long total = all.size();
    all.removeAll(called);
    System.out.printf("coverage: %d of %d methods of the client, on %d kinds of resources%n", total - all.size(), total, seen.size());
    all.forEach(name -> System.out.println("  not called: " + name));
  }

  private static String nameOf(Method method) {
    return Arrays.stream(method.getParameterTypes())
        .map(Class::getSimpleName)
        .collect(Collectors.joining(", ", method.getDeclaringClass().getSimpleName() + "." + method.getName() + "(", ")"));
  }
}
