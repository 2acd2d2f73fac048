/**
 * The on-device half of agent-device on Android: an instrumentation that reads the screen and acts on it.
 *
 * <ul>
 *   <li>Start and end: {@code SnapshotInstrumentation}, {@code Arguments}, {@code OneShot}, {@code Ending}.
 *   <li>The one seam in front of Android: {@code Platform}, implemented by {@code UiAutomationPlatform}.
 *   <li>Wire: {@code Wire} (names and headers), {@code Request}, {@code RequestLine}, {@code SessionServer}, {@code
 *       SessionConnection}, {@code SessionCommands}, {@code Journal}, {@code Turn} (deadlines, one command at a time).
 *   <li>What both transports can do: {@code Commands}.
 *   <li>Reading: {@code SnapshotCapture}, {@code AccessibilityCaptureStabilizer}, {@code WindowRead}, {@code
 *       HierarchyXml}, {@code NodeXml}, {@code XmlText}, {@code InteractionViewport}, {@code Foreground}, {@code Look}.
 *   <li>Acting: {@code TouchPlan}, {@code TouchGuard}, {@code TouchWalk}, {@code TouchPlayer}, {@code KeyPlayer}, {@code
 *       NodeAction}, {@code TextEntry}, {@code Clipboard}, {@code NodeRegistry} (node keys).
 *   <li>Keyboard of its own: {@code TestInputMethodService}, {@code InputMethodSwitch}, {@code TextReceiver}.
 * </ul>
 *
 * <p>Minimum API 23: no library method newer than that is called without a check of {@link Platform#api()}.
 */
package com.callstack.agentdevice.snapshothelper;
