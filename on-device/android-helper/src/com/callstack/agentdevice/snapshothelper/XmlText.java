package com.callstack.agentdevice.snapshothelper;

/** Attribute values that any XML 1.0 reader takes. */
final class XmlText {
  /** Stands for what XML cannot hold: control characters, U+FFFE, U+FFFF and lone surrogates. */
  private static final char REPLACEMENT = '\uFFFD';

  private XmlText() {}

  static void append(StringBuilder out, CharSequence value) {
    int n = value.length();
    for (int i = 0; i < n; i++) {
      char c = value.charAt(i);
      switch (c) {
        case '&':
          out.append("&amp;");
          break;
        case '<':
          out.append("&lt;");
          break;
        case '>':
          out.append("&gt;");
          break;
        case '"':
          out.append("&quot;");
          break;
        case '\'':
          out.append("&apos;");
          break;
        case '\n':
          out.append("&#10;");
          break;
        case '\r':
          out.append("&#13;");
          break;
        case '\t':
          out.append("&#9;");
          break;
        default:
          if (Character.isHighSurrogate(c) && i + 1 < n && Character.isLowSurrogate(value.charAt(i + 1))) {
            out.append(c).append(value.charAt(++i));
          } else {
            out.append(holds(c) ? c : REPLACEMENT);
          }
      }
    }
  }

  private static boolean holds(char c) {
    return c >= ' ' && c < '\uFFFE' && !Character.isSurrogate(c);
  }
}
