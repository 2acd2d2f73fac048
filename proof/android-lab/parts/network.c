/* Part of the LD_PRELOAD library: a device's own loopback, as a phone has one. What adbd, its shells and its apps bind or connect on
 * 127.0.0.1 or ::1 is meant on an address of 127.0.0.0/8 that only this device has, so `adb forward tcp:N tcp:N` works on one machine.
 * The address comes from LAB_DEVICE, the port that the device's commands speak to: the machine gives each device another. That port stays
 * the machine's. adbd itself (ADBD_PORT), which would listen on every address of the machine, listens on that one. */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <dlfcn.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

static unsigned port_in(const char *name) {
  const char *text = getenv(name);
  if (!text) return 0;
  const char *colon = strrchr(text, ':');
  return (unsigned)strtoul(colon ? colon + 1 : text, NULL, 10);
}

/* The address as it is meant; `room` holds the one that is written anew. `server`: it is bound. */
static const struct sockaddr *meant(const struct sockaddr *address, socklen_t length, struct sockaddr_storage *room, int server) {
  unsigned device = port_in("LAB_DEVICE"), adbd = port_in("ADBD_PORT");
  if (!device || !address || length > sizeof *room) return address;
  struct in_addr own = {htonl(127u << 24 | 1u << 16 | device)};
  memcpy(room, address, length);
  unsigned port;
  if (address->sa_family == AF_INET && length >= sizeof(struct sockaddr_in)) {
    struct sockaddr_in *in = (struct sockaddr_in *)room;
    port = ntohs(in->sin_port);
    int any = server && adbd && port == adbd && in->sin_addr.s_addr == htonl(INADDR_ANY);
    if (!any && in->sin_addr.s_addr != htonl(INADDR_LOOPBACK)) return address;
    in->sin_addr = own;
  } else if (address->sa_family == AF_INET6 && length >= sizeof(struct sockaddr_in6)) {
    static const unsigned char in_six[12] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff};
    struct sockaddr_in6 *in = (struct sockaddr_in6 *)room;
    unsigned four = htonl(INADDR_LOOPBACK);
    port = ntohs(in->sin6_port);
    int any = server && adbd && port == adbd && !memcmp(&in->sin6_addr, &in6addr_any, 16);
    int mapped = !memcmp(&in->sin6_addr, in_six, 12) && !memcmp(in->sin6_addr.s6_addr + 12, &four, 4);
    if (!any && !mapped && memcmp(&in->sin6_addr, &in6addr_loopback, 16)) return address;
    memcpy(in->sin6_addr.s6_addr, in_six, 12);
    memcpy(in->sin6_addr.s6_addr + 12, &own, 4);
  } else {
    return address;
  }
  return port == device ? address : (struct sockaddr *)room;
}

int bind(int socket, const struct sockaddr *address, socklen_t length) {
  static __typeof__(bind) *real;
  if (!real) real = (__typeof__(bind) *)dlsym(RTLD_NEXT, "bind");
  struct sockaddr_storage room;
  return real(socket, meant(address, length, &room, 1), length);
}

int connect(int socket, const struct sockaddr *address, socklen_t length) {
  static __typeof__(connect) *real;
  if (!real) real = (__typeof__(connect) *)dlsym(RTLD_NEXT, "connect");
  struct sockaddr_storage room;
  return real(socket, meant(address, length, &room, 0), length);
}
