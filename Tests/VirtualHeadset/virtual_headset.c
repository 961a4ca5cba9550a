// The PCM: what libasound calls.
#include "virtual_headset.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <sys/file.h>
#include <sys/timerfd.h>
#include <unistd.h>

// MARK: Callbacks, in the order of a recording

static int on_sw_params(snd_pcm_ioplug_t *io, snd_pcm_sw_params_t *params) {
  struct headset *headset = io->private_data;
  return snd_pcm_sw_params_get_avail_min(params, &headset->avail_min);
}

static int on_hw_params(snd_pcm_ioplug_t *io, snd_pcm_hw_params_t *params) {
  (void)params;
  const int status = faults_status(io->private_data);
  return status == -ENODEV ? status : 0;
}

static int on_prepare(snd_pcm_ioplug_t *io) {
  struct headset *headset = io->private_data;
  headset->is_running = false;
  const int status = faults_status(headset);
  return status == -ENODEV ? status : 0;
}

// CLOCK_MONOTONIC at which the reader is to be woken: when the next period is complete, or a stall
// over. In between nothing wakes it, but a fault that it can see.
static int64_t next_tick_ns(const struct headset *headset) {
  if (!headset->settings.is_paced) return 1;
  const double fault = faults_next_wake(headset);
  const int64_t wake = isinf(fault) ? INT64_MAX : timeline_second_ns(headset, fault);
  const struct fault *stall = faults_stall(headset);
  if (stall) {
    if (isinf(stall->end)) return wake;
    const int64_t end = timeline_second_ns(headset, stall->end);
    return end < wake ? end : wake;
  }
  const snd_pcm_uframes_t period = headset->io.period_size;
  uint64_t unbroken;
  const uint64_t last = timeline_frame(
      headset, (timeline_captured(headset) / period + 1) * period - 1, &unbroken);
  const int64_t complete = timeline_frame_ns(headset, (int64_t)last + 1);
  return complete < wake ? complete : wake;
}

// The timer ticks once a period from `first` on, and readable it stays until it is set again.
static int set_timer(struct headset *headset, int64_t first) {
  struct itimerspec timer = {0};
  if (first != INT64_MAX) {
    timer.it_value = (struct timespec){first / 1000000000, first % 1000000000};
    const int64_t period = timeline_frame_ns(headset, (int64_t)headset->io.period_size) -
                           timeline_frame_ns(headset, 0) + 1;
    timer.it_interval = (struct timespec){period / 1000000000, period % 1000000000};
  }
  return timerfd_settime(headset->io.poll_fd, TFD_TIMER_ABSTIME, &timer, NULL) < 0 ? -errno : 0;
}

static int on_start(snd_pcm_ioplug_t *io) {
  struct headset *headset = io->private_data;
  int status = faults_status(headset);
  if (status == -ENODEV) return status;
  status = timeline_start_run(headset);
  return status < 0 ? status : set_timer(headset, next_tick_ns(headset));
}

static int on_stop(snd_pcm_ioplug_t *io) {
  struct headset *headset = io->private_data;
  headset->is_running = false;
  return set_timer(headset, INT64_MAX);
}

// What the device has come to: 0, or a fault, of which libasound then knows.
static int look(struct headset *headset) {
  int status = faults_status(headset);
  if (status == 0 && timeline_captured(headset) - headset->io.appl_ptr > headset->io.buffer_size)
    status = -EPIPE;
  if (status == 0) return 0;
  snd_pcm_ioplug_set_state(&headset->io, status == -ENODEV     ? SND_PCM_STATE_DISCONNECTED
                                         : status == -ESTRPIPE ? SND_PCM_STATE_SUSPENDED
                                                               : SND_PCM_STATE_XRUN);
  set_timer(headset, 1);  // whoever waits for it is to know, too
  return status;
}

static snd_pcm_sframes_t on_pointer(snd_pcm_ioplug_t *io) {
  struct headset *headset = io->private_data;
  if (!headset->is_running) return (snd_pcm_sframes_t)io->hw_ptr;
  const int status = look(headset);
  if (status == -EPIPE) return status;
  // Any negative number would be taken for an overrun: the state says what it is.
  return (snd_pcm_sframes_t)(status < 0 ? io->hw_ptr : timeline_captured(headset));
}

static int on_poll_revents(snd_pcm_ioplug_t *io, struct pollfd *fds, unsigned int count,
                           unsigned short *revents) {
  struct headset *headset = io->private_data;
  (void)count;
  *revents = fds[0].revents & (unsigned short)~POLLIN;
  if (!(fds[0].revents & POLLIN)) return 0;
  if (headset->is_running && look(headset) < 0) {
    *revents |= POLLIN | POLLERR;
  } else if (timeline_captured(headset) - io->appl_ptr >= headset->avail_min) {
    *revents |= POLLIN;
  } else {
    // The tick is used up: the next one wakes the reader.
    return set_timer(headset, next_tick_ns(headset));
  }
  return 0;
}

// libasound does not hand on what this returns; see `resume.c`.
static int on_resume(snd_pcm_ioplug_t *io) {
  struct headset *headset = io->private_data;
  if (io->state != SND_PCM_STATE_SUSPENDED) return -EBADFD;
  if (faults_quiet_until(headset) > timeline_seconds(headset)) return -EAGAIN;
  timeline_resume_run(headset);
  snd_pcm_ioplug_set_state(io, SND_PCM_STATE_RUNNING);
  return set_timer(headset, next_tick_ns(headset));
}

// The place on the timeline follows from `appl_ptr`, not from a count of calls: with mmap access
// the same frames may be asked for twice.
static snd_pcm_sframes_t on_transfer(snd_pcm_ioplug_t *io, const snd_pcm_channel_area_t *areas,
                                     snd_pcm_uframes_t offset, snd_pcm_uframes_t size) {
  struct headset *headset = io->private_data;
  for (snd_pcm_uframes_t done = 0; done < size;) {
    uint64_t unbroken;
    const uint64_t frame = timeline_frame(headset, io->appl_ptr + done, &unbroken);
    const snd_pcm_uframes_t piece = unbroken < size - done ? unbroken : size - done;
    samples_fill(headset, areas, offset + done, piece, headset->settings.first_frame + frame);
    done += piece;
  }
  return (snd_pcm_sframes_t)size;
}

static void dispose(struct headset *headset) {
  if (headset->io.poll_fd >= 0) close(headset->io.poll_fd);
  if (headset->lock_fd >= 0) close(headset->lock_fd);
  timeline_close(headset);
  settings_free(&headset->settings);
  free(headset);
}

static int on_close(snd_pcm_ioplug_t *io) {
  dispose(io->private_data);
  return 0;
}

static const snd_pcm_ioplug_callback_t callbacks = {
    .hw_params = on_hw_params,
    .sw_params = on_sw_params,
    .prepare = on_prepare,
    .start = on_start,
    .stop = on_stop,
    .pointer = on_pointer,
    .poll_revents = on_poll_revents,
    .resume = on_resume,
    .transfer = on_transfer,
    .close = on_close,
};

// MARK: Opening

// Looks for the device: whether it is there, and what it is by now.
static int find(struct headset *headset) {
  int status = timeline_open(headset);
  if (status < 0) return status;
  const struct settings *settings = &headset->settings;
  if (settings->fault_count > 0 && settings->faults[0].kind == FAULT_GONE &&
      settings->faults[0].start == 0)
    timeline_begin(headset);
  if (faults_absent(headset)) return -ENODEV;
  if (timeline_has_begun(headset)) headset->opened_at = timeline_seconds(headset);
  faults_change_settings(headset);
  return 0;
}

// Holds the lock file, so that a second open is refused, by whichever process.
static int take_lock(struct headset *headset) {
  if (!headset->settings.lock_path) return 0;
  headset->lock_fd = open(headset->settings.lock_path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  if (headset->lock_fd < 0) return -errno;
  if (flock(headset->lock_fd, LOCK_EX | LOCK_NB) == 0) return 0;
  return errno == EWOULDBLOCK ? -EBUSY : -errno;
}

static int set_list(snd_pcm_ioplug_t *io, int parameter, const struct choices *choices) {
  return snd_pcm_ioplug_set_param_list(io, parameter, choices->count, choices->values);
}

static int set_choices(struct headset *headset) {
  const struct settings *settings = &headset->settings;
  static const struct choices accesses = {
      {SND_PCM_ACCESS_RW_INTERLEAVED, SND_PCM_ACCESS_MMAP_INTERLEAVED}, 2};
  snd_pcm_ioplug_t *io = &headset->io;
  int status = set_list(io, SND_PCM_IOPLUG_HW_ACCESS, &accesses);
  if (status >= 0) status = set_list(io, SND_PCM_IOPLUG_HW_FORMAT, &settings->formats);
  if (status >= 0) status = set_list(io, SND_PCM_IOPLUG_HW_CHANNELS, &settings->channels);
  if (status >= 0) status = set_list(io, SND_PCM_IOPLUG_HW_RATE, &settings->rates);
  if (status >= 0 && settings->max_buffer_frames > 0) {
    // libasound knows this limit in bytes only; it is exact for one format and channel count.
    const snd_pcm_format_t format = (snd_pcm_format_t)settings->formats.values[0];
    const unsigned int frame_bytes =
        (unsigned int)snd_pcm_format_physical_width(format) / 8 * settings->channels.values[0];
    status = snd_pcm_ioplug_set_param_minmax(io, SND_PCM_IOPLUG_HW_BUFFER_BYTES, frame_bytes,
                                             settings->max_buffer_frames * frame_bytes);
  }
  return status;
}

SND_PCM_PLUGIN_DEFINE_FUNC(virtual_headset) {
  (void)root;
  if (stream != SND_PCM_STREAM_CAPTURE) return -EINVAL;
  struct headset *headset = calloc(1, sizeof *headset);
  if (!headset) return -ENOMEM;
  headset->lock_fd = -1;
  headset->avail_min = 1;
  headset->io = (snd_pcm_ioplug_t){
      .version = SND_PCM_IOPLUG_VERSION,
      .name = "Virtual headset",
      // Positions count on from the start of a run, and do not wrap at the buffer's end.
      .flags = SND_PCM_IOPLUG_FLAG_BOUNDARY_WA | SND_PCM_IOPLUG_FLAG_MONOTONIC,
      .poll_fd = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC),
      .poll_events = POLLIN,
      .callback = &callbacks,
      .private_data = headset,
  };
  int status = headset->io.poll_fd < 0 ? -errno : settings_read(&headset->settings, conf);
  if (status >= 0) status = find(headset);
  if (status >= 0) status = take_lock(headset);
  if (status >= 0) status = snd_pcm_ioplug_create(&headset->io, name, stream, mode);
  if (status < 0) {
    dispose(headset);
    return status;
  }
  status = set_choices(headset);
  if (status < 0) {
    snd_pcm_ioplug_delete(&headset->io);  // closes, which disposes
    return status;
  }
  *pcmp = headset->io.pcm;
  return 0;
}

SND_PCM_PLUGIN_SYMBOL(virtual_headset)
