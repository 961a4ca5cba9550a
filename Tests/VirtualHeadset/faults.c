// The fault script: how it is written, and what it says at a time.
#include "virtual_headset.h"

#include <errno.h>
#include <math.h>
#include <string.h>

// MARK: Reading

static int read_kind(snd_config_t *node, struct fault *fault) {
  static const struct {
    const char *word;
    enum fault_kind kind;
  } kinds[] = {
      {"overrun", FAULT_OVERRUN}, {"suspended", FAULT_SUSPENDED}, {"gone", FAULT_GONE},
      {"stall", FAULT_STALL},     {"hang", FAULT_STALL},          {"loss", FAULT_LOSS},
  };
  const char *word;
  if (snd_config_get_string(node, &word) < 0) return -EINVAL;
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
    if (strcmp(word, kinds[i].word) != 0) continue;
    fault->kind = kinds[i].kind;
    return 0;
  }
  SNDERR("a virtual headset has no fault '%s'", word);
  return -EINVAL;
}

// `{ kind gone at 2 for 1.5 }`; without `for` it lasts for ever.
static int read_fault(snd_config_t *conf, struct fault *fault) {
  if (snd_config_get_type(conf) != SND_CONFIG_TYPE_COMPOUND) return -EINVAL;
  bool has_kind = false;
  double length = INFINITY;
  *fault = (struct fault){.start = -1};
  snd_config_iterator_t i, next;
  snd_config_for_each(i, next, conf) {
    snd_config_t *node = snd_config_iterator_entry(i);
    const char *key;
    int status = snd_config_get_id(node, &key);
    if (status < 0) return status;
    if (!strcmp(key, "kind")) {
      has_kind = true;
      status = read_kind(node, fault);
    } else if (!strcmp(key, "at")) {
      status = snd_config_get_ireal(node, &fault->start);
    } else if (!strcmp(key, "for")) {
      status = snd_config_get_ireal(node, &length);
    } else if (!strcmp(key, "rates")) {
      status = choices_read(&fault->rates, node);
    } else if (!strcmp(key, "channels")) {
      status = choices_read(&fault->channels, node);
    } else {
      status = -EINVAL;
    }
    if (status < 0) return status;
  }
  if (!has_kind || fault->start < 0 || !(length > 0)) return -EINVAL;
  // Only a device that is gone or hangs may do so for ever.
  if (isinf(length) && fault->kind != FAULT_GONE && fault->kind != FAULT_STALL) return -EINVAL;
  fault->end = fault->start + length;
  return 0;
}

int faults_read(struct settings *settings, snd_config_t *conf) {
  if (snd_config_get_type(conf) != SND_CONFIG_TYPE_COMPOUND) return -EINVAL;
  snd_config_iterator_t i, next;
  snd_config_for_each(i, next, conf) {
    struct fault fault;
    const int status = read_fault(snd_config_iterator_entry(i), &fault);
    if (status < 0) return status;
    const size_t size = (settings->fault_count + 1) * sizeof fault;
    struct fault *faults = realloc(settings->faults, size);
    if (!faults) return -ENOMEM;
    unsigned int place = settings->fault_count++;
    for (; place > 0 && faults[place - 1].start > fault.start; place--)
      faults[place] = faults[place - 1];
    faults[place] = fault;
    settings->faults = faults;
  }
  return 0;
}

// MARK: Asking

static bool is_pulled(const struct headset *headset) { return headset->shared->plug_count % 2; }

bool faults_absent(const struct headset *headset) {
  if (is_pulled(headset)) return true;
  if (!timeline_has_begun(headset)) return false;
  const double now = timeline_seconds(headset);
  for (unsigned int i = 0; i < headset->settings.fault_count; i++) {
    const struct fault *fault = &headset->settings.faults[i];
    if (fault->kind == FAULT_GONE && fault->start <= now && now < fault->end) return true;
  }
  return false;
}

int faults_status(const struct headset *headset) {
  if (headset->shared->plug_count != headset->plug_count_at_open) return -ENODEV;
  if (!timeline_has_begun(headset)) return 0;
  const double now = timeline_seconds(headset);
  int status = 0;
  for (unsigned int i = 0; i < headset->settings.fault_count; i++) {
    const struct fault *fault = &headset->settings.faults[i];
    if (fault->start > now) break;
    // Whoever had it open when it went has nothing of its return.
    if (fault->kind == FAULT_GONE && fault->end > headset->opened_at) return -ENODEV;
    if (!headset->is_running || fault->start <= headset->run_started_at) continue;
    if (fault->kind == FAULT_OVERRUN) status = -EPIPE;
    if (fault->kind == FAULT_SUSPENDED) status = -ESTRPIPE;
  }
  return status;
}

double faults_quiet_until(const struct headset *headset) {
  const double now = timeline_seconds(headset);
  double end = now;
  for (unsigned int i = 0; i < headset->settings.fault_count; i++) {
    const struct fault *fault = &headset->settings.faults[i];
    if (fault->kind != FAULT_OVERRUN && fault->kind != FAULT_SUSPENDED) continue;
    if (fault->start <= now && fault->end > end) end = fault->end;
  }
  return end;
}

const struct fault *faults_stall(const struct headset *headset) {
  if (headset->settings.fault_count == 0) return NULL;
  const double now = timeline_seconds(headset);
  for (unsigned int i = 0; i < headset->settings.fault_count; i++) {
    const struct fault *fault = &headset->settings.faults[i];
    if (fault->kind == FAULT_STALL && fault->start <= now && now < fault->end) return fault;
  }
  return NULL;
}

double faults_next_wake(const struct headset *headset) {
  const double now = timeline_seconds(headset);
  for (unsigned int i = 0; i < headset->settings.fault_count; i++) {
    const struct fault *fault = &headset->settings.faults[i];
    if (fault->start > now && fault->kind != FAULT_STALL && fault->kind != FAULT_LOSS)
      return fault->start;
  }
  return INFINITY;
}

void faults_change_settings(struct headset *headset) {
  if (!timeline_has_begun(headset)) return;
  const double now = timeline_seconds(headset);
  struct settings *settings = &headset->settings;
  for (unsigned int i = 0; i < settings->fault_count; i++) {
    const struct fault *fault = &settings->faults[i];
    if (fault->end > now) continue;
    if (fault->rates.count > 0) settings->rates = fault->rates;
    if (fault->channels.count > 0) settings->channels = fault->channels;
  }
}
