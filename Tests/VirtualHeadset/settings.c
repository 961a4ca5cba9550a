// What the configuration file says about a virtual headset.
#include "virtual_headset.h"

#include <errno.h>
#include <string.h>

int choices_read(struct choices *choices, snd_config_t *node) {
  choices->count = 0;
  long value;
  if (snd_config_get_integer(node, &value) >= 0) {
    choices->values[choices->count++] = (unsigned int)value;
    return value > 0 ? 0 : -EINVAL;
  }
  if (snd_config_get_type(node) != SND_CONFIG_TYPE_COMPOUND) return -EINVAL;
  snd_config_iterator_t i, next;
  snd_config_for_each(i, next, node) {
    if (choices->count == MAX_CHOICES) return -EINVAL;
    if (snd_config_get_integer(snd_config_iterator_entry(i), &value) < 0 || value <= 0)
      return -EINVAL;
    choices->values[choices->count++] = (unsigned int)value;
  }
  return choices->count > 0 ? 0 : -EINVAL;
}

static int add_format(struct settings *settings, const char *name) {
  switch (snd_pcm_format_value(name)) {
    case SND_PCM_FORMAT_S16_LE:
    case SND_PCM_FORMAT_S24_3LE:
    case SND_PCM_FORMAT_S32_LE:
    case SND_PCM_FORMAT_FLOAT_LE:
      if (settings->formats.count == MAX_CHOICES) return -EINVAL;
      settings->formats.values[settings->formats.count++] =
          (unsigned int)snd_pcm_format_value(name);
      return 0;
    default:
      SNDERR("a virtual headset has no format '%s'", name);
      return -EINVAL;
  }
}

// Reads one format's name, or a compound of names.
static int read_formats(snd_config_t *node, struct settings *settings) {
  settings->formats.count = 0;
  const char *name;
  if (snd_config_get_string(node, &name) >= 0) return add_format(settings, name);
  if (snd_config_get_type(node) != SND_CONFIG_TYPE_COMPOUND) return -EINVAL;
  snd_config_iterator_t i, next;
  snd_config_for_each(i, next, node) {
    if (snd_config_get_string(snd_config_iterator_entry(i), &name) < 0) return -EINVAL;
    int status = add_format(settings, name);
    if (status < 0) return status;
  }
  return settings->formats.count > 0 ? 0 : -EINVAL;
}

static int read_bool(snd_config_t *node, bool *result) {
  int value = snd_config_get_bool(node);
  if (value < 0) return value;
  *result = value != 0;
  return 0;
}

static int read_pattern(snd_config_t *node, bool *writes_time) {
  const char *word;
  if (snd_config_get_string(node, &word) < 0) return -EINVAL;
  *writes_time = strcmp(word, "time") == 0;
  return *writes_time || strcmp(word, "ramp") == 0 ? 0 : -EINVAL;
}

static int read_speed(snd_config_t *node, double *speed) {
  double factor;
  int status = snd_config_get_ireal(node, &factor);
  *speed *= factor;
  return status < 0 ? status : factor > 0 ? 0 : -EINVAL;
}

// A clock that is off by parts per million: a speed, too.
static int read_drift(snd_config_t *node, double *speed) {
  double ppm;
  int status = snd_config_get_ireal(node, &ppm);
  *speed *= 1 + ppm * 1e-6;
  return status < 0 ? status : *speed > 0 ? 0 : -EINVAL;
}

static int read_frames(snd_config_t *node, uint64_t *frames) {
  long value;
  if (snd_config_get_integer(node, &value) < 0 || value < 0) return -EINVAL;
  *frames = (uint64_t)value;
  return 0;
}

static int read_path(snd_config_t *node, char **path) {
  const char *text;
  if (snd_config_get_string(node, &text) < 0) return -EINVAL;
  free(*path);
  *path = strdup(text);
  return *path ? 0 : -ENOMEM;
}

static int read_setting(struct settings *settings, const char *key, snd_config_t *node) {
  if (!strcmp(key, "rates")) return choices_read(&settings->rates, node);
  if (!strcmp(key, "channels")) return choices_read(&settings->channels, node);
  if (!strcmp(key, "formats")) return read_formats(node, settings);
  if (!strcmp(key, "paced")) return read_bool(node, &settings->is_paced);
  if (!strcmp(key, "speed")) return read_speed(node, &settings->speed);
  if (!strcmp(key, "drift")) return read_drift(node, &settings->speed);
  if (!strcmp(key, "pattern")) return read_pattern(node, &settings->writes_time);
  if (!strcmp(key, "first_frame")) return read_frames(node, &settings->first_frame);
  if (!strcmp(key, "lock")) return read_path(node, &settings->lock_path);
  if (!strcmp(key, "state")) return read_path(node, &settings->state_path);
  if (!strcmp(key, "faults")) return faults_read(settings, node);
  if (!strcmp(key, "max_buffer_frames")) {
    uint64_t frames = 0;
    int status = read_frames(node, &frames);
    settings->max_buffer_frames = (unsigned int)frames;
    return status;
  }
  return -ENOENT;
}

int settings_read(struct settings *settings, snd_config_t *conf) {
  *settings = (struct settings){
      .rates = {{16000}, 1},
      .channels = {{2}, 1},
      .formats = {{SND_PCM_FORMAT_S16_LE}, 1},
      .is_paced = true, .speed = 1,
  };
  snd_config_iterator_t i, next;
  snd_config_for_each(i, next, conf) {
    snd_config_t *node = snd_config_iterator_entry(i);
    const char *key;
    if (snd_config_get_id(node, &key) < 0) continue;
    if (!strcmp(key, "type") || !strcmp(key, "comment") || !strcmp(key, "hint")) continue;
    int status = read_setting(settings, key, node);
    if (status < 0) {
      SNDERR(status == -ENOENT ? "a virtual headset has no setting '%s'"
                               : "the virtual headset's setting '%s' is wrong",
             key);
      return -EINVAL;
    }
  }
  if (settings->fault_count > 0 && !settings->is_paced) {
    SNDERR("a virtual headset has faults only on a timeline: with 'paced no' there is none");
    return -EINVAL;
  }
  return 0;
}

void settings_free(struct settings *settings) {
  free(settings->lock_path);
  free(settings->state_path);
  free(settings->faults);
}
