// What a virtual headset delivers: samples that can be foretold from their channel and frame.
#include "virtual_headset.h"

#include <string.h>

// Each pair of channels is a ramp and its negative: 1, 2, … 32767, 1, … It is never 0, so that
// silence in a recording is not the headset's. Pairs after the first are ahead by a prime.
static int16_t ramp(unsigned int channel, uint64_t frame) {
  int16_t value = (int16_t)(1 + (frame + channel / 2 * 4099) % 32767);
  return channel % 2 ? (int16_t)-value : value;
}

// Two frames, in each channel alike, carry the time at which the first of them was complete:
// CLOCK_MONOTONIC in microseconds modulo 2^30. The even frame holds the low 15 bits, the odd one
// the bitwise complement of the high 15 bits, which is negative.
static int16_t time_mark(const struct headset *headset, uint64_t frame) {
  uint64_t even = frame & ~UINT64_C(1);
  int64_t time = timeline_frame_ns(headset, (int64_t)(even - headset->settings.first_frame));
  uint64_t microseconds = (uint64_t)(time / 1000);
  if (frame == even) return (int16_t)(microseconds & 0x7fff);
  return (int16_t)~(microseconds >> 15 & 0x7fff);
}

// Widens a sample so that to cut it down to 16 bits again is exact.
static void store(char *place, snd_pcm_format_t format, int16_t sample) {
  switch (format) {
    case SND_PCM_FORMAT_S24_3LE: {
      const uint16_t bits = (uint16_t)sample;
      const unsigned char bytes[3] = {0, bits & 0xff, bits >> 8};
      memcpy(place, bytes, sizeof bytes);
      break;
    }
    case SND_PCM_FORMAT_S32_LE: {
      const uint32_t bits = (uint32_t)(uint16_t)sample << 16;
      memcpy(place, &bits, sizeof bits);
      break;
    }
    case SND_PCM_FORMAT_FLOAT_LE: {
      const float value = (float)sample / 32768;
      memcpy(place, &value, sizeof value);
      break;
    }
    default: memcpy(place, &sample, sizeof sample);
  }
}

void samples_fill(const struct headset *headset, const snd_pcm_channel_area_t *areas,
                  snd_pcm_uframes_t offset, snd_pcm_uframes_t size, uint64_t frame) {
  for (unsigned int channel = 0; channel < headset->io.channels; channel++) {
    const snd_pcm_channel_area_t *area = &areas[channel];
    for (snd_pcm_uframes_t i = 0; i < size; i++) {
      char *place = (char *)area->addr + (area->first + area->step * (offset + i)) / 8;
      const int16_t sample = headset->settings.writes_time ? time_mark(headset, frame + i)
                                                           : ramp(channel, frame + i);
      store(place, headset->io.format, sample);
    }
  }
}
