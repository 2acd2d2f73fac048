package android.view;

import android.util.DisplayMetrics;

public final class Display {
  public static final int DEFAULT_DISPLAY = 0;

  public void getRealMetrics(DisplayMetrics out) {
    DisplayMetrics m = DisplayMetrics.ofScene();
    out.widthPixels = m.widthPixels;
    out.heightPixels = m.heightPixels;
    out.densityDpi = m.densityDpi;
    out.density = m.density;
  }
}
