// The virtual headset: an ALSA PCM that stands in for a two-ear device. See README.md.
#pragma once

// libasound finds a plug-in's entry by a symbol that carries the build's version. That symbol is
// only defined for code that says that it goes into a shared object.
#define PIC 1

#include <alsa/asoundlib.h>
#include <alsa/pcm_external.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

enum { MAX_CHOICES = 32 };

// A list of numbers that a PCM offers.
struct choices {
  unsigned int values[MAX_CHOICES], count;
};

// MARK: Settings

enum fault_kind {
  FAULT_OVERRUN,    // the device stops with EPIPE, and makes no sound for the length
  FAULT_SUSPENDED,  // the same with ESTRPIPE
  FAULT_GONE,       // ENODEV; what was open stays dead
  FAULT_STALL,      // no sound comes; all comes at the end
  FAULT_LOSS,       // frames vanish, and nobody says so
};

// One line of the fault script; times are seconds on the device's timeline.
struct fault {
  enum fault_kind kind;
  double start, end;       // `end` may be INFINITY
  struct choices rates;    // of a device that comes back; none: as before
  struct choices channels;
};

// What the configuration file asks for.
struct settings {
  struct choices rates, channels, formats;
  unsigned int max_buffer_frames;  // 0: no limit of its own
  bool is_paced;
  bool writes_time;
  double speed;      // the drift included
  uint64_t first_frame;
  char *lock_path;   // NULL: may be opened many times
  char *state_path;  // NULL: each open PCM has a timeline of its own
  struct fault *faults;  // by their start
  unsigned int fault_count;
};

// Reads the settings of a PCM; returns 0, or a negative errno after a message.
int settings_read(struct settings *settings, snd_config_t *conf);
void settings_free(struct settings *settings);

// Reads one integer above 0, or a compound of integers such as `[ 8000 16000 ]`.
int choices_read(struct choices *choices, snd_config_t *node);

// Reads the fault script.
int faults_read(struct settings *settings, snd_config_t *node);

// MARK: One open PCM

// What all that open the device share, if there is a state file; zeros before the first use.
struct shared_state {
  _Atomic int64_t epoch_ns;      // CLOCK_MONOTONIC at which the timeline began; 0: not yet
  _Atomic uint64_t plug_count;   // odd: somebody has pulled the plug
};

// Frames of the timeline that are never delivered.
struct loss {
  uint64_t first, end;
};

struct headset {
  snd_pcm_ioplug_t io;
  struct settings settings;
  int lock_fd;  // -1: none

  struct shared_state *shared;    // mapped, or `own`
  struct shared_state own;
  uint64_t plug_count_at_open;
  double opened_at;  // seconds on the timeline; 0 if it had not begun

  // The present run, from a start to a stop or an overrun.
  bool is_running;
  double run_started_at;     // seconds; faults before that are over
  uint64_t run_first_frame;  // index on the timeline of the run's frame 0
  struct loss *losses;       // of the run, by their place
  unsigned int loss_count;
  snd_pcm_uframes_t avail_min;
};

// Fills `size` frames of the areas; the first of them is `frame` on the device's ramp.
void samples_fill(const struct headset *headset, const snd_pcm_channel_area_t *areas,
                  snd_pcm_uframes_t offset, snd_pcm_uframes_t size, uint64_t frame);

// MARK: The timeline

// It begins when the device is first started, or, if it is gone at 0, when it is first looked for.
// From then on it is a function of CLOCK_MONOTONIC, whatever anyone does.

int timeline_open(struct headset *headset);
void timeline_close(struct headset *headset);
void timeline_begin(struct headset *headset);
bool timeline_has_begun(const struct headset *headset);

// Seconds and frames since the timeline began.
double timeline_seconds(const struct headset *headset);
uint64_t timeline_frames(const struct headset *headset);

// CLOCK_MONOTONIC in nanoseconds at which so many seconds have passed, or a frame is complete.
int64_t timeline_second_ns(const struct headset *headset, double seconds);
int64_t timeline_frame_ns(const struct headset *headset, int64_t frame);

// Begins a run: what is lost in it, and its first frame.
int timeline_start_run(struct headset *headset);
// The device goes on after it was suspended: what it missed is a loss inside of the run.
void timeline_resume_run(struct headset *headset);

// Frames that the present run has captured.
snd_pcm_uframes_t timeline_captured(const struct headset *headset);
// The frame on the timeline of a run's frame, and how many follow it without a break.
uint64_t timeline_frame(const struct headset *headset, uint64_t position, uint64_t *unbroken);

// MARK: Faults

// Whether the device is not there for who opens it now.
bool faults_absent(const struct headset *headset);
// What a PCM that is open has come to: 0, -ENODEV, -EPIPE or -ESTRPIPE.
int faults_status(const struct headset *headset);
// The end of the last fault for which a device that is started now makes no sound; or now.
double faults_quiet_until(const struct headset *headset);
// The stall that holds back what was captured, if there is one now.
const struct fault *faults_stall(const struct headset *headset);
// The start of the next fault that wakes the reader; INFINITY if there is none.
double faults_next_wake(const struct headset *headset);
// Rates and channels as the last return of the device left them.
void faults_change_settings(struct headset *headset);
