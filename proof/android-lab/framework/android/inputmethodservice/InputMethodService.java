package android.inputmethodservice;

import android.content.Context;
import android.view.View;
import android.view.inputmethod.EditorInfo;
import android.view.inputmethod.InputConnection;
import fake.Live;
import fake.Scene;

public class InputMethodService extends Context {
  private InputConnection connection;

  public void connect() {
    Scene.Node n = Scene.get().inputFocus();
    if (Live.on()) connection = fake.LiveConnection.current();
    else connection = n == null || !n.is("editable") ? null : new fake.FieldConnection(n);
    if (connection != null) onStartInput(new EditorInfo(), false);
    org.json.JSONObject b = Scene.get().faults.optJSONObject("broadcast"); // what a host sends once the field is connected
    if (connection == null || b == null || Live.on()) return;
    android.content.Intent i = new android.content.Intent(b.optString("action"));
    if (b.has("protocol")) i.putExtra("protocol", b.optString("protocol"));
    if (b.has("text")) i.putExtra("text", b.optString("text"));
    broadcast(i);
  }

  public void onCreate() {}

  public void onDestroy() {}

  public void onStartInput(EditorInfo attribute, boolean restarting) {}

  public void onFinishInput() {}

  public boolean onEvaluateInputViewShown() {
    return true;
  }

  public boolean onEvaluateFullscreenMode() {
    return false;
  }

  public View onCreateInputView() {
    return null;
  }

  public InputConnection getCurrentInputConnection() {
    if (Live.on() && fake.LiveConnection.current() == null) return null; // the focus has gone elsewhere
    if (connection == null && Live.on()) connect();
    return connection;
  }
}
