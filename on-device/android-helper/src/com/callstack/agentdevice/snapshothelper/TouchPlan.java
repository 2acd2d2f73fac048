package com.callstack.agentdevice.snapshothelper;

import android.util.Base64;
import org.json.JSONArray;
import org.json.JSONException;
import org.json.JSONObject;

/** A gesture of protocol {@code android-touch-plan-v1}, checked whole before anything is touched. */
final class TouchPlan {
  static final String PROTOCOL = "android-touch-plan-v1";
  private static final int MAX_DURATION_MS = 120_000;
  private static final int MAX_COUNT = 10;
  private static final int MAX_PAUSE_MS = 10_000;

  final String kind;
  /** One path, or two whose samples have the same times. */
  final Path[] paths;
  /** How often the whole plan is played. */
  final int count;
  /** Pause between two plays, ms. */
  final int pauseMs;
  /** What must still be true of the target for the gesture to begin; null for anything. */
  final JSONObject expect;

  static final class Path {
    final long[] offsetMs;
    final float[] x;
    final float[] y;

    Path(int samples) {
      offsetMs = new long[samples];
      x = new float[samples];
      y = new float[samples];
    }
  }

  private TouchPlan(String kind, Path[] paths, JSONObject o) throws JSONException {
    this.kind = kind;
    this.paths = paths;
    JSONObject repeat = o.isNull("repeat") ? null : o.getJSONObject("repeat");
    count = repeat == null ? 1 : repeat.getInt("count");
    pauseMs = repeat == null ? 0 : repeat.optInt("pauseMs", 0);
    if (count < 1 || count > MAX_COUNT) throw new IllegalArgumentException("repeat.count must be between 1 and " + MAX_COUNT);
    if (pauseMs < 0 || pauseMs > MAX_PAUSE_MS) {
      throw new IllegalArgumentException("repeat.pauseMs must be between 0 and " + MAX_PAUSE_MS);
    }
    expect = o.isNull("expect") ? null : o.getJSONObject("expect");
    if (expect != null) expect.getString("node");
  }

  int samples() {
    return paths[0].offsetMs.length;
  }

  /**
   * @throws IllegalArgumentException not base64, or against a rule of the protocol
   * @throws JSONException a field is missing or of another type
   */
  static TouchPlan parse(String payloadBase64) throws JSONException {
    JSONObject o = payload(payloadBase64);
    String protocol = o.optString("protocol", PROTOCOL);
    if (!protocol.equals(PROTOCOL)) throw new IllegalArgumentException("Unsupported protocol: " + protocol);
    String kind = o.getString("kind");
    int pointers;
    if (kind.equals("swipe")) pointers = 1;
    else if (kind.equals("transform")) pointers = 2;
    else throw new IllegalArgumentException("Unsupported kind: " + kind);
    int durationMs = o.getInt("durationMs");
    if (durationMs < 0 || durationMs > MAX_DURATION_MS) {
      throw new IllegalArgumentException("durationMs must be between 0 and " + MAX_DURATION_MS);
    }
    JSONArray list = o.getJSONArray("pointers");
    if (list.length() != pointers) {
      throw new IllegalArgumentException("Planned " + kind + " gesture requires exactly " + pointers + " pointer paths");
    }
    Path[] paths = new Path[pointers];
    for (int i = 0; i < pointers; i++) paths[i] = path(list.getJSONObject(i), i, durationMs);
    if (pointers == 2) checkSameTimes(paths[0], paths[1]);
    return new TouchPlan(kind, paths, o);
  }

  /** A JSON object in base64; characters outside the alphabet are skipped. */
  static JSONObject payload(String base64) throws JSONException {
    if (base64 == null || base64.trim().isEmpty()) throw new IllegalArgumentException("Missing payloadBase64");
    return new JSONObject(new String(Base64.decode(base64, Base64.DEFAULT), Wire.UTF_8));
  }

  private static Path path(JSONObject pointer, int index, int durationMs) throws JSONException {
    if (pointer.getInt("pointerId") != index) {
      throw new IllegalArgumentException("Planned pointer ids must be ordered from 0");
    }
    JSONArray samples = pointer.getJSONArray("samples");
    int n = samples.length();
    if (n < 2) throw new IllegalArgumentException("Planned pointer path requires at least two samples");
    Path p = new Path(n);
    // A first sample before 0 is refused as if there were one just before 0.
    long previous = -1;
    for (int i = 0; i < n; i++) {
      JSONObject s = samples.getJSONObject(i);
      double offset = s.getDouble("offsetMs");
      if (Double.isNaN(offset) || Double.isInfinite(offset) || offset != Math.rint(offset)) {
        throw new IllegalArgumentException("Planned sample offsetMs must be a finite integer");
      }
      p.offsetMs[i] = (long) offset;
      p.x[i] = coordinate(s, "x");
      p.y[i] = coordinate(s, "y");
      boolean equalAllowed = durationMs == 0 && i > 0;
      if (p.offsetMs[i] < previous || (p.offsetMs[i] == previous && !equalAllowed)) {
        throw new IllegalArgumentException("Planned sample offsets must be strictly increasing");
      }
      previous = p.offsetMs[i];
    }
    if (p.offsetMs[0] != 0 || p.offsetMs[n - 1] != durationMs) {
      throw new IllegalArgumentException("Pointer path must start at 0 and end at durationMs");
    }
    return p;
  }

  private static float coordinate(JSONObject sample, String key) throws JSONException {
    float f = (float) sample.getDouble(key); // beyond float is infinite: nowhere on any screen
    if (Float.isNaN(f) || Float.isInfinite(f)) throw new IllegalArgumentException("Planned sample coordinates must be finite");
    return f;
  }

  private static void checkSameTimes(Path a, Path b) {
    if (a.offsetMs.length != b.offsetMs.length) {
      throw new IllegalArgumentException("Planned pointer paths must have matching samples");
    }
    for (int i = 0; i < a.offsetMs.length; i++) {
      if (a.offsetMs[i] != b.offsetMs[i]) throw new IllegalArgumentException("Planned pointer sample offsets must match");
    }
  }
}
