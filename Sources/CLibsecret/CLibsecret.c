// SPDX-License-Identifier: Apache-2.0

#include "CLibsecret.h"

#include <dlfcn.h>
#include <pthread.h>

// The functions of the library, which are set once, before any of them is called.
static struct {
  GHashTable *(*g_hash_table_new_full)(unsigned (*hash)(const void *), int (*equal)(const void *, const void *),
                                       void (*free_key)(void *), void (*free_value)(void *));
  int (*g_hash_table_insert)(GHashTable *table, void *key, void *value);
  char *(*g_strdup)(const char *);
  unsigned (*g_str_hash)(const void *);
  int (*g_str_equal)(const void *, const void *);
#define ALMANAC_SECRET_POINTER(RESULT, NAME, PARAMETERS, ARGUMENTS) RESULT(*NAME) PARAMETERS;
  ALMANAC_SECRET_FUNCTIONS(ALMANAC_SECRET_POINTER)
  ALMANAC_SECRET_STRUCTURE_FUNCTIONS(ALMANAC_SECRET_POINTER)
} library;
static bool is_loaded;

static void load(void) {
  // Its symbols stay invisible to other libraries. It is never unloaded: GLib does not support that.
  void *handle = dlopen("libsecret-1.so.0", RTLD_NOW | RTLD_LOCAL);
  if (!handle) return;
  bool is_complete = true;
  // A symbol is also looked up in the libraries that libsecret depends on, which are GLib's.
#define ALMANAC_SECRET_FIND(NAME) \
  library.NAME = (__typeof__(library.NAME))dlsym(handle, #NAME); \
  is_complete = is_complete && library.NAME;
#define ALMANAC_SECRET_SYMBOL(RESULT, NAME, PARAMETERS, ARGUMENTS) ALMANAC_SECRET_FIND(NAME)
  ALMANAC_SECRET_FIND(g_hash_table_new_full)
  ALMANAC_SECRET_FIND(g_hash_table_insert)
  ALMANAC_SECRET_FIND(g_strdup)
  ALMANAC_SECRET_FIND(g_str_hash)
  ALMANAC_SECRET_FIND(g_str_equal)
  ALMANAC_SECRET_FUNCTIONS(ALMANAC_SECRET_SYMBOL)
  ALMANAC_SECRET_STRUCTURE_FUNCTIONS(ALMANAC_SECRET_SYMBOL)
  is_loaded = is_complete;
}

bool almanac_secret_load(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, load);
  return is_loaded;
}

static void insert(GHashTable *attributes, const char *name, const char *value) {
  library.g_hash_table_insert(attributes, library.g_strdup(name), library.g_strdup(value));
}

GHashTable *almanac_secret_attributes(const char *service, const char *name) {
  GHashTable *attributes =
      library.g_hash_table_new_full(library.g_str_hash, library.g_str_equal, library.g_free, library.g_free);
  insert(attributes, "xdg:schema", "almanac.Token");
  insert(attributes, "service", service);
  if (name) insert(attributes, "name", name);
  return attributes;
}

#define ALMANAC_SECRET_CALL(RESULT, NAME, PARAMETERS, ARGUMENTS) \
  RESULT almanac_##NAME PARAMETERS { return library.NAME ARGUMENTS; }
ALMANAC_SECRET_FUNCTIONS(ALMANAC_SECRET_CALL)
ALMANAC_SECRET_STRUCTURE_FUNCTIONS(ALMANAC_SECRET_CALL)
