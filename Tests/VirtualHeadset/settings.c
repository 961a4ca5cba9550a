// What the configuration file says about a virtual headset.
#include "virtual_headset.h"

#include <errno.h>
#include <string.h>

// Reads one integer, or a compound of integers such as `[ 8000 16000 ]`.
static int read_numbers(snd_config_t *node, unsigned int *list, unsigned int *count) {
  *count = 0;
  long value;
  if (snd_config_get_integer(node, &value) >= 0) {
    list[(*count)++] = (unsigned int)value;
    return value > 0 ? 0 : -EINVAL;
  }
  if (snd_config_get_type(node) != SND_CONFIG_TYPE_COMPOUND) return -EINVAL;
  snd_config_iterator_t i, next;
  snd_config_for_each(i, next, node) {
    if (*count == MAX_CHOICES) return -EINVAL;
    if (snd_config_get_integer(snd_config_iterator_entry(i), &value) < 0 || value <= 0)
      return -EINVAL;
    list[(*count)++] = (unsigned int)value;
  }
  return *count > 0 ? 0 : -EINVAL;
}

static int add_format(struct settings *settings, const char *name) {
  switch (snd_pcm_format_value(name)) {
    case SND_PCM_FORMAT_S16_LE:
    case SND_PCM_FORMAT_S24_3LE:
    case SND_PCM_FORMAT_S32_LE:
    case SND_PCM_FORMAT_FLOAT_LE:
      if (settings->format_count == MAX_CHOICES) return -EINVAL;
      settings->formats[settings->format_count++] = (unsigned int)snd_pcm_format_value(name);
      return 0;
    default:
      SNDERR("a virtual headset has no format '%s'", name);
      return -EINVAL;
  }
}

// Reads one format's name, or a compound of names.
static int read_formats(snd_config_t *node, struct settings *settings) {
  settings->format_count = 0;
  const char *name;
  if (snd_config_get_string(node, &name) >= 0) return add_format(settings, name);
  if (snd_config_get_type(node) != SND_CONFIG_TYPE_COMPOUND) return -EINVAL;
  snd_config_iterator_t i, next;
  snd_config_for_each(i, next, node) {
    if (snd_config_get_string(snd_config_iterator_entry(i), &name) < 0) return -EINVAL;
    int status = add_format(settings, name);
    if (status < 0) return status;
  }
  return settings->format_count > 0 ? 0 : -EINVAL;
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
  int status = snd_config_get_ireal(node, speed);
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
  if (!strcmp(key, "rates")) return read_numbers(node, settings->rates, &settings->rate_count);
  if (!strcmp(key, "channels"))
    return read_numbers(node, settings->channels, &settings->channel_count);
  if (!strcmp(key, "formats")) return read_formats(node, settings);
  if (!strcmp(key, "paced")) return read_bool(node, &settings->is_paced);
  if (!strcmp(key, "speed")) return read_speed(node, &settings->speed);
  if (!strcmp(key, "pattern")) return read_pattern(node, &settings->writes_time);
  if (!strcmp(key, "first_frame")) return read_frames(node, &settings->first_frame);
  if (!strcmp(key, "lock")) return read_path(node, &settings->lock_path);
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
      .rates = {16000}, .rate_count = 1,
      .channels = {2}, .channel_count = 1,
      .formats = {SND_PCM_FORMAT_S16_LE}, .format_count = 1,
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
  return 0;
}
