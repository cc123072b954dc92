/*
 * amr-pauses: loaded into SoX (LD_PRELOAD), makes it write the pauses of AMR as sound.
 *
 * SoX asks the codec to write a pause as "silence of so long" (discontinuous transmission, in 3GPP TS 26.093), which is
 * meant for radio; many players, all that are made with ffmpeg among them, leave such pauses out. This takes the place of
 * the function that is asked, and asks the codec for every frame.
 */
#include <dlfcn.h>
#include <stddef.h>

typedef void *starter(int pauses_apart);

void *Encoder_Interface_init(int pauses_apart) {
  (void)pauses_apart;
  void *codec = dlopen("libopencore-amrnb.so.0", RTLD_LAZY);
  /* ISO C knows no way from a pointer to data to one to a function. */
  union { void *found; starter *start; } real = { codec ? dlsym(codec, "Encoder_Interface_init") : NULL };
  return real.found ? real.start(0) : NULL;
}
