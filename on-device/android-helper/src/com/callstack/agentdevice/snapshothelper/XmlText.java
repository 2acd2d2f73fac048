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

  /** What a reader of the XML gets to see of a text, without the white space around it; empty for null. */
  static String seen(CharSequence value) {
    if (value == null) return "";
    StringBuilder s = new StringBuilder(value);
    for (int i = 0; i < s.length(); i++) {
      boolean pair = i + 1 < s.length() && Character.isSurrogatePair(s.charAt(i), s.charAt(i + 1));
      if (pair) i++;
      else if (!breaks(s.charAt(i)) && !holds(s.charAt(i))) s.setCharAt(i, REPLACEMENT);
    }
    int end = s.length();
    while (end > 0 && blank(s.charAt(end - 1))) end--;
    int start = 0;
    while (start < end && blank(s.charAt(start))) start++;
    return s.substring(start, end);
  }

  /** Unicode's white space: wider than trim(), which leaves a no-break space alone. */
  private static boolean blank(char c) {
    return breaks(c) || c == '\u0085' || Character.isSpaceChar(c);
  }

  /** The control characters that XML has. */
  private static boolean breaks(char c) {
    return c == '\t' || c == '\n' || c == '\r';
  }

  private static boolean holds(char c) {
    return c >= ' ' && c < '\uFFFE' && !Character.isSurrogate(c);
  }
}
