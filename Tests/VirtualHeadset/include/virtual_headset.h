// The virtual headset: an ALSA PCM that stands in for a two-ear device. See README.md.
#pragma once

// libasound finds a plug-in's entry by a symbol that carries the build's version. That symbol is
// only defined for code that says that it goes into a shared object.
#define PIC 1

#include <alsa/asoundlib.h>
#include <alsa/pcm_external.h>
#include <stdbool.h>
#include <stdint.h>

enum { MAX_CHOICES = 32 };

// What the configuration file asks for.
struct settings {
  unsigned int rates[MAX_CHOICES], rate_count;
  unsigned int channels[MAX_CHOICES], channel_count;
  unsigned int formats[MAX_CHOICES], format_count;
  unsigned int max_buffer_frames;  // 0: no limit of its own
  bool is_paced;
  bool writes_time;
  double speed;
  uint64_t first_frame;
  char *lock_path;  // NULL: may be opened many times
};

// Reads the settings of a PCM; returns 0, or a negative errno after a message.
int settings_read(struct settings *settings, snd_config_t *conf);

// One open PCM.
struct headset {
  snd_pcm_ioplug_t io;
  struct settings settings;
  int lock_fd;  // -1: none

  // The device's timeline begins when it is first started, and goes on while nobody reads.
  bool has_epoch;
  int64_t epoch_ns;  // CLOCK_MONOTONIC of frame 0

  // The present run, from a start to a stop or an overrun.
  bool is_running;
  uint64_t run_first_frame;  // index on the timeline of the run's frame 0
  snd_pcm_uframes_t avail_min;
};

// Fills `size` frames of the areas; the first of them is `frame` on the device's timeline.
void samples_fill(const struct headset *headset, const snd_pcm_channel_area_t *areas,
                  snd_pcm_uframes_t offset, snd_pcm_uframes_t size, uint64_t frame);

// CLOCK_MONOTONIC at which a frame of the device's timeline is complete, in nanoseconds.
int64_t timeline_ns(const struct headset *headset, uint64_t frame);
