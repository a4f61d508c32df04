// SPDX-License-Identifier: Apache-2.0

#ifndef ALMANAC_CLIBSECRET_H
#define ALMANAC_CLIBSECRET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// libsecret, the client library of the desktop's keyring, and the parts of GLib that it needs. They are loaded when they are first used. A
// program therefore builds without them, and one that uses no keyring does not need them. The declarations are those of libsecret 0.18 and
// GLib 2.44, which later versions keep.

typedef struct _GAsyncResult GAsyncResult;
typedef struct _GCancellable GCancellable;
typedef struct _GDBusConnection GDBusConnection;
typedef struct _GDBusProxy GDBusProxy;
typedef struct _GHashTable GHashTable;
typedef struct _GMainContext GMainContext;
typedef struct _GVariant GVariant;
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

/// A function that GLib calls at the end of an asynchronous call, whose result it may keep by a reference of its own.
typedef void (*almanac_secret_callback)(void *source, GAsyncResult *result, void *data);

/// A function that GLib calls for a signal, whose parameters are valid during the call.
typedef void (*almanac_secret_signal_callback)(GDBusConnection *connection, const char *sender, const char *path,
                                               const char *interface, const char *name, GVariant *parameters,
                                               void *data);

// The values of enumerations that the package uses.

enum { ALMANAC_BUS_SESSION = 2 };
enum { ALMANAC_CALL_NO_AUTO_START = 1 };
enum { ALMANAC_SERVICE_OPEN_SESSION = 1 << 1 };
enum { ALMANAC_COLLECTION_NONE = 0 };
enum { ALMANAC_ITEM_NONE = 0 };
enum { ALMANAC_ITEM_CREATE_REPLACE = 1 << 1 };

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
  FUNCTION(void *, g_object_ref, (void *object), (object)) \
  FUNCTION(void, g_object_unref, (void *object), (object)) \
  FUNCTION(GMainContext *, g_main_context_new, (void), ()) \
  FUNCTION(void, g_main_context_push_thread_default, (GMainContext * context), (context)) \
  FUNCTION(void, g_main_context_pop_thread_default, (GMainContext * context), (context)) \
  FUNCTION(int, g_main_context_iteration, (GMainContext * context, int may_block), (context, may_block)) \
  FUNCTION(void, g_main_context_wakeup, (GMainContext * context), (context)) \
  FUNCTION(void, g_main_context_unref, (GMainContext * context), (context)) \
  FUNCTION(void, g_free, (void *memory), (memory)) \
  FUNCTION(void, g_strfreev, (char **texts), (texts)) \
  FUNCTION(const char *, g_dbus_proxy_get_name, (GDBusProxy * proxy), (proxy)) \
  FUNCTION(char *, g_dbus_proxy_get_name_owner, (GDBusProxy * proxy), (proxy)) \
  FUNCTION(const char *, g_dbus_proxy_get_object_path, (GDBusProxy * proxy), (proxy)) \
  FUNCTION(void, g_dbus_connection_signal_unsubscribe, (GDBusConnection * connection, unsigned number), \
           (connection, number)) \
  FUNCTION(const char *, g_variant_get_type_string, (GVariant * value), (value)) \
  FUNCTION(GVariant *, g_variant_get_child_value, (GVariant * value, size_t index), (value, index)) \
  FUNCTION(const char *, g_variant_get_string, (GVariant * value, size_t *length), (value, length)) \
  FUNCTION(int, g_variant_get_boolean, (GVariant * value), (value)) \
  FUNCTION(GVariant *, g_variant_ref, (GVariant * value), (value)) \
  FUNCTION(void, g_variant_unref, (GVariant * value), (value)) \
  FUNCTION(const char *, g_quark_to_string, (uint32_t quark), (quark)) \
  FUNCTION(GCancellable *, g_cancellable_new, (void), ()) \
  FUNCTION(void, g_cancellable_cancel, (GCancellable * cancellable), (cancellable)) \
  FUNCTION(void, g_dbus_connection_set_exit_on_close, (GDBusConnection * connection, int value), (connection, value)) \
  FUNCTION(int, secret_collection_get_locked, (SecretCollection * collection), (collection)) \
  FUNCTION(const char *, secret_service_get_session_dbus_path, (SecretService * service), (service)) \
  FUNCTION(GHashTable *, secret_item_get_attributes, (SecretItem * item), (item)) \
  FUNCTION(SecretValue *, secret_item_get_secret, (SecretItem * item), (item)) \
  FUNCTION(SecretValue *, secret_value_new, (const char *bytes, ptrdiff_t length, const char *type), \
           (bytes, length, type)) \
  FUNCTION(const char *, secret_value_get, (SecretValue * value, size_t *length), (value, length)) \
  FUNCTION(void, secret_value_unref, (void *value), (value))

// The functions whose types contain one of the structures above, or an enumeration or a type of GLib.
#define ALMANAC_SECRET_STRUCTURE_FUNCTIONS(FUNCTION) \
  FUNCTION(void, g_error_free, (struct almanac_secret_error * error), (error)) \
  FUNCTION(void, g_bus_get, \
           (int type, GCancellable *cancellable, almanac_secret_callback callback, void *data), \
           (type, cancellable, callback, data)) \
  FUNCTION(GDBusConnection *, g_bus_get_finish, \
           (GAsyncResult *result, struct almanac_secret_error **error), (result, error)) \
  FUNCTION(GVariant *, g_variant_parse, \
           (const void *type, const char *text, const char *limit, const char **end, \
            struct almanac_secret_error **error), \
           (type, text, limit, end, error)) \
  FUNCTION(void, g_dbus_connection_call, \
           (GDBusConnection * connection, const char *destination, const char *path, const char *interface, \
            const char *method, GVariant *parameters, const void *reply_type, int flags, int timeout, \
            GCancellable *cancellable, almanac_secret_callback callback, void *data), \
           (connection, destination, path, interface, method, parameters, reply_type, flags, timeout, cancellable, \
            callback, data)) \
  FUNCTION(GVariant *, g_dbus_connection_call_finish, \
           (GDBusConnection * connection, GAsyncResult *result, struct almanac_secret_error **error), \
           (connection, result, error)) \
  FUNCTION(void, g_dbus_connection_flush, \
           (GDBusConnection * connection, GCancellable *cancellable, almanac_secret_callback callback, void *data), \
           (connection, cancellable, callback, data)) \
  FUNCTION(unsigned, g_dbus_connection_signal_subscribe, \
           (GDBusConnection * connection, const char *sender, const char *interface, const char *name, \
            const char *path, const char *first_argument, int flags, almanac_secret_signal_callback callback, \
            void *data, void (*release)(void *)), \
           (connection, sender, interface, name, path, first_argument, flags, callback, data, release)) \
  FUNCTION(size_t, secret_service_get_type, (void), ()) \
  FUNCTION(void, secret_service_open, \
           (size_t type, const char *name, unsigned flags, GCancellable *cancellable, \
            almanac_secret_callback callback, void *data), \
           (type, name, flags, cancellable, callback, data)) \
  FUNCTION(SecretService *, secret_service_open_finish, \
           (GAsyncResult *result, struct almanac_secret_error **error), (result, error)) \
  FUNCTION(void, secret_collection_for_alias, \
           (SecretService * service, const char *alias, unsigned flags, GCancellable *cancellable, \
            almanac_secret_callback callback, void *data), \
           (service, alias, flags, cancellable, callback, data)) \
  FUNCTION(SecretCollection *, secret_collection_for_alias_finish, \
           (GAsyncResult *result, struct almanac_secret_error **error), (result, error)) \
  FUNCTION(void, secret_collection_search_for_dbus_paths, \
           (SecretCollection * collection, const void *schema, GHashTable *attributes, GCancellable *cancellable, \
            almanac_secret_callback callback, void *data), \
           (collection, schema, attributes, cancellable, callback, data)) \
  FUNCTION(char **, secret_collection_search_for_dbus_paths_finish, \
           (SecretCollection * collection, GAsyncResult *result, struct almanac_secret_error **error), \
           (collection, result, error)) \
  FUNCTION(void, secret_item_new_for_dbus_path, \
           (SecretService * service, const char *path, unsigned flags, GCancellable *cancellable, \
            almanac_secret_callback callback, void *data), \
           (service, path, flags, cancellable, callback, data)) \
  FUNCTION(SecretItem *, secret_item_new_for_dbus_path_finish, \
           (GAsyncResult *result, struct almanac_secret_error **error), (result, error)) \
  FUNCTION(void, secret_item_create, \
           (SecretCollection * collection, const void *schema, GHashTable *attributes, const char *label, \
            SecretValue *value, unsigned flags, GCancellable *cancellable, almanac_secret_callback callback, \
            void *data), \
           (collection, schema, attributes, label, value, flags, cancellable, callback, data)) \
  FUNCTION(SecretItem *, secret_item_create_finish, \
           (GAsyncResult *result, struct almanac_secret_error **error), (result, error)) \
  FUNCTION(void, secret_item_set_attributes, \
           (SecretItem * item, const void *schema, GHashTable *attributes, GCancellable *cancellable, \
            almanac_secret_callback callback, void *data), \
           (item, schema, attributes, cancellable, callback, data)) \
  FUNCTION(int, secret_item_set_attributes_finish, \
           (SecretItem * item, GAsyncResult *result, struct almanac_secret_error **error), (item, result, error)) \
  FUNCTION(void, secret_item_set_label, \
           (SecretItem * item, const char *label, GCancellable *cancellable, almanac_secret_callback callback, \
            void *data), \
           (item, label, cancellable, callback, data)) \
  FUNCTION(int, secret_item_set_label_finish, \
           (SecretItem * item, GAsyncResult *result, struct almanac_secret_error **error), (item, result, error)) \
  FUNCTION(void, secret_item_delete, \
           (SecretItem * item, GCancellable *cancellable, almanac_secret_callback callback, void *data), \
           (item, cancellable, callback, data)) \
  FUNCTION(int, secret_item_delete_finish, \
           (SecretItem * item, GAsyncResult *result, struct almanac_secret_error **error), (item, result, error)) \
  FUNCTION(void, secret_item_load_secret, \
           (SecretItem * item, GCancellable *cancellable, almanac_secret_callback callback, void *data), \
           (item, cancellable, callback, data)) \
  FUNCTION(int, secret_item_load_secret_finish, \
           (SecretItem * item, GAsyncResult *result, struct almanac_secret_error **error), (item, result, error))

#define ALMANAC_SECRET_DECLARATION(RESULT, NAME, PARAMETERS, ARGUMENTS) RESULT almanac_##NAME PARAMETERS;
ALMANAC_SECRET_FUNCTIONS(ALMANAC_SECRET_DECLARATION)
ALMANAC_SECRET_STRUCTURE_FUNCTIONS(ALMANAC_SECRET_DECLARATION)
#undef ALMANAC_SECRET_DECLARATION

#endif
