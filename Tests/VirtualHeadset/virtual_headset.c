// The PCM: how the device's timeline advances, and what libasound calls.
#include "virtual_headset.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/file.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

static int64_t now_ns(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * INT64_C(1000000000) + now.tv_nsec;
}

// Frames that the device makes in a second of our time.
static double frames_per_second(const struct headset *headset) {
  return headset->io.rate * headset->settings.speed;
}

// Frames since the epoch. A fault of the device's clock belongs here.
static uint64_t timeline_frames(const struct headset *headset) {
  const int64_t elapsed = now_ns() - headset->epoch_ns;
  return (uint64_t)((double)elapsed * frames_per_second(headset) / 1e9);
}

int64_t timeline_ns(const struct headset *headset, uint64_t frame) {
  const double since_epoch = (double)frame - (double)headset->settings.first_frame;
  return headset->epoch_ns + (int64_t)(since_epoch * 1e9 / frames_per_second(headset));
}

// Frames captured in the present run. A device without a pace has always a full buffer.
static snd_pcm_uframes_t captured(const struct headset *headset) {
  if (!headset->settings.is_paced) return headset->io.appl_ptr + headset->io.buffer_size;
  return timeline_frames(headset) - headset->run_first_frame;
}

// MARK: Callbacks, in the order of a recording

static int on_sw_params(snd_pcm_ioplug_t *io, snd_pcm_sw_params_t *params) {
  struct headset *headset = io->private_data;
  return snd_pcm_sw_params_get_avail_min(params, &headset->avail_min);
}

// The timer ticks once a period, on the device's timeline.
static int start_timer(struct headset *headset) {
  struct itimerspec timer = {.it_value.tv_nsec = 1};
  int flags = 0;
  if (headset->settings.is_paced) {
    const double period_ns = (double)headset->io.period_size * 1e9 / frames_per_second(headset);
    const int64_t interval = (int64_t)period_ns + 1;
    const int64_t first = now_ns() + interval;
    timer.it_value = (struct timespec){first / 1000000000, first % 1000000000};
    timer.it_interval = (struct timespec){interval / 1000000000, interval % 1000000000};
    flags = TFD_TIMER_ABSTIME;
  }
  return timerfd_settime(headset->io.poll_fd, flags, &timer, NULL) < 0 ? -errno : 0;
}

static int on_start(snd_pcm_ioplug_t *io) {
  struct headset *headset = io->private_data;
  if (!headset->has_epoch) {
    headset->has_epoch = true;
    headset->epoch_ns = now_ns();
  }
  headset->run_first_frame = headset->settings.is_paced ? timeline_frames(headset) : 0;
  headset->is_running = true;
  return start_timer(headset);
}

static int on_stop(snd_pcm_ioplug_t *io) {
  struct headset *headset = io->private_data;
  headset->is_running = false;
  const struct itimerspec never = {0};
  return timerfd_settime(io->poll_fd, 0, &never, NULL) < 0 ? -errno : 0;
}

static snd_pcm_sframes_t on_pointer(snd_pcm_ioplug_t *io) {
  struct headset *headset = io->private_data;
  if (!headset->is_running) return (snd_pcm_sframes_t)io->hw_ptr;
  const snd_pcm_uframes_t frames = captured(headset);
  if (frames - io->appl_ptr > io->buffer_size) return -EPIPE;
  return (snd_pcm_sframes_t)frames;
}

static int on_poll_revents(snd_pcm_ioplug_t *io, struct pollfd *fds, unsigned int count,
                           unsigned short *revents) {
  struct headset *headset = io->private_data;
  (void)count;
  *revents = fds[0].revents & (unsigned short)~POLLIN;
  if (!(fds[0].revents & POLLIN)) return 0;
  const snd_pcm_uframes_t avail = captured(headset) - io->appl_ptr;
  if (headset->is_running && avail > io->buffer_size) {
    snd_pcm_ioplug_set_state(io, SND_PCM_STATE_XRUN);
    *revents |= POLLIN | POLLERR;
  } else if (avail >= headset->avail_min) {
    *revents |= POLLIN;
  } else {
    // The tick is used up: the next one wakes the reader.
    uint64_t ticks;
    if (read(io->poll_fd, &ticks, sizeof ticks) < 0 && errno != EAGAIN) return -errno;
  }
  return 0;
}

// The place on the timeline follows from `appl_ptr`, not from a count of calls: with mmap access
// the same frames may be asked for twice.
static snd_pcm_sframes_t on_transfer(snd_pcm_ioplug_t *io, const snd_pcm_channel_area_t *areas,
                                     snd_pcm_uframes_t offset, snd_pcm_uframes_t size) {
  struct headset *headset = io->private_data;
  const uint64_t frame =
      headset->settings.first_frame + headset->run_first_frame + io->appl_ptr;
  samples_fill(headset, areas, offset, size, frame);
  return (snd_pcm_sframes_t)size;
}

static void dispose(struct headset *headset) {
  if (headset->io.poll_fd >= 0) close(headset->io.poll_fd);
  if (headset->lock_fd >= 0) close(headset->lock_fd);
  free(headset->settings.lock_path);
  free(headset);
}

static int on_close(snd_pcm_ioplug_t *io) {
  dispose(io->private_data);
  return 0;
}

static const snd_pcm_ioplug_callback_t callbacks = {
    .sw_params = on_sw_params,
    .start = on_start,
    .stop = on_stop,
    .pointer = on_pointer,
    .poll_revents = on_poll_revents,
    .transfer = on_transfer,
    .close = on_close,
};

// MARK: Opening

// Holds the lock file, so that a second open is refused, by whichever process.
static int take_lock(struct headset *headset) {
  if (!headset->settings.lock_path) return 0;
  headset->lock_fd = open(headset->settings.lock_path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  if (headset->lock_fd < 0) return -errno;
  if (flock(headset->lock_fd, LOCK_EX | LOCK_NB) == 0) return 0;
  return errno == EWOULDBLOCK ? -EBUSY : -errno;
}

static int set_choices(struct headset *headset) {
  const struct settings *settings = &headset->settings;
  static const unsigned int accesses[] = {SND_PCM_ACCESS_RW_INTERLEAVED,
                                          SND_PCM_ACCESS_MMAP_INTERLEAVED};
  snd_pcm_ioplug_t *io = &headset->io;
  int status = snd_pcm_ioplug_set_param_list(io, SND_PCM_IOPLUG_HW_ACCESS, 2, accesses);
  if (status >= 0)
    status = snd_pcm_ioplug_set_param_list(io, SND_PCM_IOPLUG_HW_FORMAT, settings->format_count,
                                           settings->formats);
  if (status >= 0)
    status = snd_pcm_ioplug_set_param_list(io, SND_PCM_IOPLUG_HW_CHANNELS,
                                           settings->channel_count, settings->channels);
  if (status >= 0)
    status = snd_pcm_ioplug_set_param_list(io, SND_PCM_IOPLUG_HW_RATE, settings->rate_count,
                                           settings->rates);
  if (status >= 0 && settings->max_buffer_frames > 0) {
    // libasound knows this limit in bytes only; it is exact for one format and channel count.
    const unsigned int frame_bytes =
        (unsigned int)snd_pcm_format_physical_width((snd_pcm_format_t)settings->formats[0]) / 8 *
        settings->channels[0];
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
