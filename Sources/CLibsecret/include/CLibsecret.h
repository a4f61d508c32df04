// SPDX-License-Identifier: Apache-2.0

#ifndef ALMANAC_CLIBSECRET_H
#define ALMANAC_CLIBSECRET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// libsecret, the client library of the desktop's keyring, and the parts of GLib that it needs. They are loaded when they are first used. A
// program therefore builds without them, and one that uses no keyring does not need them. The declarations are those of libsecret 0.18 and
// GLib 2.44, which later versions keep.

typedef struct _GCancellable GCancellable;
typedef struct _GDBusConnection GDBusConnection;
typedef struct _GHashTable GHashTable;
typedef struct _SecretService SecretService;
typedef struct _SecretCollection SecretCollection;
typedef struct _SecretItem SecretItem;
typedef struct _SecretValue SecretValue;

/// An error of a call, as in GLib.
struct almanac_secret_error {
  uint32_t domain;
  int code;
  char *message;
};

/// An element of a list, as in GLib.
struct almanac_secret_list {
  void *data;
  struct almanac_secret_list *next;
  struct almanac_secret_list *previous;
};

// The values of enumerations that the package uses.

enum { ALMANAC_BUS_SESSION = 2 };
enum { ALMANAC_SERVICE_OPEN_SESSION = 1 << 1 };
enum { ALMANAC_COLLECTION_NONE = 0 };
enum { ALMANAC_SEARCH_ALL = 1 << 1, ALMANAC_SEARCH_LOAD_SECRETS = 1 << 3 };
enum { ALMANAC_ITEM_CREATE_REPLACE = 1 << 1 };
enum { ALMANAC_SECRET_IS_LOCKED = 2 };

/// Loads libsecret.
///
/// Returns whether it is loaded. The other functions may be called only then.
bool almanac_secret_load(void);

/// Returns the attributes of the item with a name, or of all items of a service if the name is NULL. almanac_g_hash_table_unref frees them.
GHashTable *almanac_secret_attributes(const char *service, const char *name);

// A line for each function: the type of its result, its name, its parameters, its arguments.
#define ALMANAC_SECRET_FUNCTIONS(FUNCTION) \
  FUNCTION(void *, g_hash_table_lookup, (GHashTable * table, const void *key), (table, key)) \
  FUNCTION(void, g_hash_table_unref, (GHashTable * table), (table)) \
  FUNCTION(void, g_object_unref, (void *object), (object)) \
  FUNCTION(const char *, g_quark_to_string, (uint32_t quark), (quark)) \
  FUNCTION(GCancellable *, g_cancellable_new, (void), ()) \
  FUNCTION(void, g_cancellable_cancel, (GCancellable * cancellable), (cancellable)) \
  FUNCTION(void, g_dbus_connection_set_exit_on_close, (GDBusConnection * connection, int value), (connection, value)) \
  FUNCTION(int, secret_collection_get_locked, (SecretCollection * collection), (collection)) \
  FUNCTION(GHashTable *, secret_item_get_attributes, (SecretItem * item), (item)) \
  FUNCTION(SecretValue *, secret_item_get_secret, (SecretItem * item), (item)) \
  FUNCTION(SecretValue *, secret_value_new, (const char *bytes, ptrdiff_t length, const char *type), \
           (bytes, length, type)) \
  FUNCTION(const char *, secret_value_get, (SecretValue * value, size_t *length), (value, length)) \
  FUNCTION(void, secret_value_unref, (void *value), (value))

// The functions whose types contain one of the structures above, or an enumeration or a type of GLib.
#define ALMANAC_SECRET_STRUCTURE_FUNCTIONS(FUNCTION) \
  FUNCTION(void, g_error_free, (struct almanac_secret_error * error), (error)) \
  FUNCTION(struct almanac_secret_list *, g_list_append, (struct almanac_secret_list * list, void *data), (list, data)) \
  FUNCTION(void, g_list_free, (struct almanac_secret_list * list), (list)) \
  FUNCTION(GDBusConnection *, g_bus_get_sync, \
           (int type, GCancellable *cancellable, struct almanac_secret_error **error), (type, cancellable, error)) \
  FUNCTION(size_t, secret_service_get_type, (void), ()) \
  FUNCTION(SecretService *, secret_service_open_sync, \
           (size_t type, const char *name, unsigned flags, GCancellable *cancellable, \
            struct almanac_secret_error **error), \
           (type, name, flags, cancellable, error)) \
  FUNCTION(int, secret_service_unlock_sync, \
           (SecretService * service, struct almanac_secret_list *objects, GCancellable *cancellable, \
            struct almanac_secret_list **unlocked, struct almanac_secret_error **error), \
           (service, objects, cancellable, unlocked, error)) \
  FUNCTION(SecretCollection *, secret_collection_for_alias_sync, \
           (SecretService * service, const char *alias, unsigned flags, GCancellable *cancellable, \
            struct almanac_secret_error **error), \
           (service, alias, flags, cancellable, error)) \
  FUNCTION(SecretCollection *, secret_collection_create_sync, \
           (SecretService * service, const char *label, const char *alias, unsigned flags, GCancellable *cancellable, \
            struct almanac_secret_error **error), \
           (service, label, alias, flags, cancellable, error)) \
  FUNCTION(struct almanac_secret_list *, secret_collection_search_sync, \
           (SecretCollection * collection, const void *schema, GHashTable *attributes, unsigned flags, \
            GCancellable *cancellable, struct almanac_secret_error **error), \
           (collection, schema, attributes, flags, cancellable, error)) \
  FUNCTION(SecretItem *, secret_item_create_sync, \
           (SecretCollection * collection, const void *schema, GHashTable *attributes, const char *label, \
            SecretValue *value, unsigned flags, GCancellable *cancellable, struct almanac_secret_error **error), \
           (collection, schema, attributes, label, value, flags, cancellable, error)) \
  FUNCTION(int, secret_item_set_attributes_sync, \
           (SecretItem * item, const void *schema, GHashTable *attributes, GCancellable *cancellable, \
            struct almanac_secret_error **error), \
           (item, schema, attributes, cancellable, error)) \
  FUNCTION(int, secret_item_set_label_sync, \
           (SecretItem * item, const char *label, GCancellable *cancellable, struct almanac_secret_error **error), \
           (item, label, cancellable, error)) \
  FUNCTION(int, secret_item_delete_sync, \
           (SecretItem * item, GCancellable *cancellable, struct almanac_secret_error **error), \
           (item, cancellable, error))

#define ALMANAC_SECRET_DECLARATION(RESULT, NAME, PARAMETERS, ARGUMENTS) RESULT almanac_##NAME PARAMETERS;
ALMANAC_SECRET_FUNCTIONS(ALMANAC_SECRET_DECLARATION)
ALMANAC_SECRET_STRUCTURE_FUNCTIONS(ALMANAC_SECRET_DECLARATION)
#undef ALMANAC_SECRET_DECLARATION

#endif
