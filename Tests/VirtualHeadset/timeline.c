// How the device's timeline advances, and where a run stands on it.
#include "virtual_headset.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

// MARK: Time

int timeline_open(struct headset *headset) {
  headset->shared = &headset->own;
  if (!headset->settings.state_path) return 0;
  const int fd = open(headset->settings.state_path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  if (fd < 0) return -errno;
  void *place = MAP_FAILED;
  if (ftruncate(fd, sizeof *headset->shared) == 0)
    place = mmap(NULL, sizeof *headset->shared, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  const int status = place == MAP_FAILED ? -errno : 0;
  close(fd);
  if (status < 0) return status;
  headset->shared = place;
  headset->plug_count_at_open = headset->shared->plug_count;
  return 0;
}

void timeline_close(struct headset *headset) {
  free(headset->losses);
  if (headset->shared && headset->shared != &headset->own)
    munmap(headset->shared, sizeof *headset->shared);
}

static int64_t now_ns(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * INT64_C(1000000000) + now.tv_nsec;
}

void timeline_begin(struct headset *headset) {
  int64_t none = 0;
  atomic_compare_exchange_strong(&headset->shared->epoch_ns, &none, now_ns());
}

bool timeline_has_begun(const struct headset *headset) { return headset->shared->epoch_ns != 0; }

double timeline_seconds(const struct headset *headset) {
  return (double)(now_ns() - headset->shared->epoch_ns) * headset->settings.speed / 1e9;
}

int64_t timeline_second_ns(const struct headset *headset, double seconds) {
  return headset->shared->epoch_ns + (int64_t)(seconds * 1e9 / headset->settings.speed);
}

// MARK: Frames

static uint64_t frames_at(const struct headset *headset, double seconds) {
  return (uint64_t)(seconds * headset->io.rate);
}

uint64_t timeline_frames(const struct headset *headset) {
  return frames_at(headset, timeline_seconds(headset));
}

int64_t timeline_frame_ns(const struct headset *headset, int64_t frame) {
  // One more, so that the frame is complete at that time, and not a rounding error before.
  return timeline_second_ns(headset, (double)frame / headset->io.rate) + 1;
}

// MARK: Runs

int timeline_start_run(struct headset *headset) {
  timeline_begin(headset);
  const struct settings *settings = &headset->settings;
  headset->run_started_at = timeline_seconds(headset);
  headset->run_first_frame =
      settings->is_paced ? frames_at(headset, faults_quiet_until(headset)) : 0;
  headset->is_running = true;

  // Each suspension may become a loss, too.
  free(headset->losses);
  headset->loss_count = 0;
  headset->losses = calloc(settings->fault_count + 1, sizeof *headset->losses);
  if (!headset->losses) return -ENOMEM;
  for (unsigned int i = 0; i < settings->fault_count; i++) {
    const struct fault *fault = &settings->faults[i];
    if (fault->kind != FAULT_LOSS) continue;
    const uint64_t end = (uint64_t)llround(fault->end * headset->io.rate);
    if (end > headset->run_first_frame)
      headset->losses[headset->loss_count++] =
          (struct loss){(uint64_t)llround(fault->start * headset->io.rate), end};
  }
  return 0;
}

void timeline_resume_run(struct headset *headset) {
  // It captured until the first suspension since it was started.
  double suspended_at = headset->run_started_at;
  for (unsigned int i = 0; i < headset->settings.fault_count; i++) {
    const struct fault *fault = &headset->settings.faults[i];
    if (fault->kind != FAULT_SUSPENDED || fault->start <= headset->run_started_at) continue;
    suspended_at = fault->start;
    break;
  }
  headset->run_started_at = timeline_seconds(headset);
  const struct loss loss = {frames_at(headset, suspended_at), timeline_frames(headset)};
  unsigned int place = headset->loss_count++;
  for (; place > 0 && headset->losses[place - 1].first > loss.first; place--)
    headset->losses[place] = headset->losses[place - 1];
  headset->losses[place] = loss;
}

// Where what is captured ends for the reader.
static uint64_t visible_frames(const struct headset *headset) {
  const struct fault *stall = faults_stall(headset);
  return stall ? frames_at(headset, stall->start) : timeline_frames(headset);
}

snd_pcm_uframes_t timeline_captured(const struct headset *headset) {
  // A device without a pace has always a full buffer.
  if (!headset->settings.is_paced) return headset->io.appl_ptr + headset->io.buffer_size;
  const uint64_t visible = visible_frames(headset);
  uint64_t frame = headset->run_first_frame, captured = 0;
  for (unsigned int i = 0; i < headset->loss_count; i++) {
    const struct loss loss = headset->losses[i];
    if (loss.end <= frame) continue;
    if (loss.first >= visible) break;
    if (loss.first > frame) captured += loss.first - frame;
    frame = loss.end;
  }
  return visible > frame ? captured + visible - frame : captured;
}

uint64_t timeline_frame(const struct headset *headset, uint64_t position, uint64_t *unbroken) {
  uint64_t frame = headset->run_first_frame;
  for (unsigned int i = 0; i < headset->loss_count; i++) {
    const struct loss loss = headset->losses[i];
    if (loss.end <= frame) continue;
    if (loss.first > frame) {
      const uint64_t before = loss.first - frame;
      if (position < before) {
        *unbroken = before - position;
        return frame + position;
      }
      position -= before;
    }
    frame = loss.end;
  }
  *unbroken = UINT64_MAX;
  return frame + position;
}
