package android.content;

public abstract class BroadcastReceiver {
  public boolean ordered = true;
  public int resultCode;
  public String resultData;

  public abstract void onReceive(Context context, Intent intent);

  public final boolean isOrderedBroadcast() {
    return ordered;
  }

  public final void setResultCode(int c) {
    resultCode = c;
  }

  public final void setResultData(String d) {
    resultData = d;
  }
}
