package fake;

import android.app.UiAutomation;
import android.content.BroadcastReceiver;
import android.content.Context;
import android.content.Intent;
import android.inputmethodservice.InputMethodService;
import java.io.IOException;
import java.util.Iterator;
import org.json.JSONException;
import org.json.JSONObject;

/** What the device tells the process. */
final class Events {
  private static InputMethodService service;

  private Events() {}

  static void start() {
    Thread t =
        new Thread("lab-events") {
          @Override
          public void run() {
            try {
              Live.listen();
            } catch (IOException | JSONException e) {
              android.util.Log.w("lab", "no more events: " + e);
            }
          }
        };
    t.setDaemon(true);
    t.start();
  }

  /** Handles one; what is to be said to it, or null. */
  static JSONObject happened(JSONObject event) throws JSONException {
    switch (event.getString("event")) {
      case "imeBound":
        bind(event.getString("class"));
        return null;
      case "imeUnbound":
        unbind();
        return null;
      case "changed":
        UiAutomation.changed();
        return null;
      case "broadcast":
        Intent intent = new Intent(event.getString("action"));
        JSONObject extras = event.getJSONObject("extras");
        for (Iterator<String> keys = extras.keys(); keys.hasNext(); ) {
          String key = keys.next();
          intent.putExtra(key, extras.getString(key));
        }
        BroadcastReceiver took = Context.deliver(intent);
        JSONObject done = new JSONObject().put("broadcast", event.getLong("number")).put("code", took == null ? 0 : took.resultCode);
        if (took != null && took.resultData != null) done.put("data", took.resultData);
        return done;
      default:
        return null;
    }
  }

  private static void bind(String name) {
    if (service != null && service.getClass().getName().equals(name)) return;
    unbind();
    try {
      InputMethodService s = (InputMethodService) Class.forName(name).newInstance();
      s.onCreate();
      s.connect();
      service = s;
    } catch (ReflectiveOperationException e) {
      android.util.Log.e("lab", "no service " + name, e);
    }
  }

  private static void unbind() {
    if (service != null) {
      service.onFinishInput();
      service.onDestroy();
    }
    service = null;
  }
}
