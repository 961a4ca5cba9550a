// What libasound keeps from programs: that a plug-in's device can't be resumed yet.
#define _GNU_SOURCE
#include <dlfcn.h>

#include "virtual_headset.h"

// Has an effect where this library is in LD_PRELOAD. A sound card's driver answers -EAGAIN by
// itself; of a plug-in, libasound drops the answer and says 0.
int snd_pcm_resume(snd_pcm_t *pcm) {
  static int (*resume)(snd_pcm_t *);
  if (!resume) *(void **)&resume = dlsym(RTLD_NEXT, "snd_pcm_resume");
  const int status = resume(pcm);
  return status == 0 && snd_pcm_state(pcm) == SND_PCM_STATE_SUSPENDED ? -EAGAIN : status;
}
