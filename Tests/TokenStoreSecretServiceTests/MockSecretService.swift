// SPDX-License-Identifier: Apache-2.0

/// A Secret Service with one item, which `tests` finds as `a`, and with faults that no real keyring has on request.
///
/// Its argument selects the fault:
/// - `wait`: The collection is locked, and its prompt stays open until it is dismissed.
/// - `stop`: The service stops when it shows the prompt.
/// - `end`: The service ends when it shows the prompt.
/// - `keep`: The user dismisses the prompt of each removal.
/// - `vanish`: Each first search finds an item that does not exist any more.
/// - `deny`: The properties of the item cannot be read.
/// - `exit`: The service ends when the properties of the item are read.
/// - An error of D-Bus: no session can be opened.
enum MockSecretService {
  static let script = """
    import os, signal, sys
    from gi.repository import Gio, GLib

    fault, root, searches = sys.argv[1], "/org/freedesktop/secrets", 0
    collection, item, gone, prompt = root + "/collection/c", root + "/collection/c/1", root + "/collection/c/2", root + "/prompt/1"
    record = b'{"accessToken":"new","scopes":[],"serverClockOffset":{"attoseconds":0,"seconds":0},"tokenType":"Bearer","version":1}'
    locked = GLib.Variant("b", fault in ("wait", "stop", "end"))
    unlocked = GLib.Variant("b", False)
    names = GLib.Variant("a{ss}", {"service": "tests", "name": "a"})
    properties = {
        root: {"Collections": GLib.Variant("ao", [collection])},
        collection: {"Locked": locked, "Items": GLib.Variant("ao", [item])},
        item: {"Locked": unlocked, "Attributes": names},
    }
    results = {
        "OpenSession": ("(vo)", (GLib.Variant("s", ""), root + "/session/1")), "ReadAlias": ("(o)", (collection,)),
        "GetSecret": ("((oayays))", ((root + "/session/1", b"", record, "text/plain"),)),
        "Unlock": ("(aoo)", ([], prompt)), "Delete": ("(o)", (prompt,)), "Prompt": ("()", ()), "Dismiss": ("()", ()),
    }

    def receive(connection, message, incoming):
        if not incoming or message.get_message_type() != Gio.DBusMessageType.METHOD_CALL:
            return message
        GLib.idle_add(answer, connection, message)

    def answer(connection, message):
        global searches
        name, path = message.get_member(), message.get_path()
        reply = Gio.DBusMessage.new_method_reply(message)
        if name == "OpenSession" and "." in fault:
            reply = Gio.DBusMessage.new_method_error_literal(message, fault, "the text")
        elif name == "OpenSession" and message.get_body()[0] != "plain":
            reply = Gio.DBusMessage.new_method_error_literal(message, "org.freedesktop.DBus.Error.NotSupported", "")
        elif name == "GetAll" and path == item and fault == "exit":
            os.kill(os.getpid(), signal.SIGKILL)
        elif name == "GetAll" and path == item and fault == "deny":
            reply = Gio.DBusMessage.new_method_error_literal(message, "org.freedesktop.DBus.Error.AccessDenied", "")
        elif name == "GetAll" and path in properties:
            reply.set_body(GLib.Variant("(a{sv})", (properties[path],)))
        elif name == "SearchItems":
            searches += 1
            reply.set_body(GLib.Variant("(ao)", ([gone] * (fault == "vanish" and searches == 1) + [item],)))
        elif name in results:
            reply.set_body(GLib.Variant(*results[name]))
        else:
            reply = Gio.DBusMessage.new_method_error_literal(message, "org.freedesktop.DBus.Error.UnknownObject", "")
        connection.send_message(reply, Gio.DBusSendMessageFlags.NONE)
        connection.flush_sync()
        if name in ("Prompt", "Dismiss"):
            print(name, flush=True)
        if name == "Dismiss" or name == "Prompt" and fault == "keep":
            connection.emit_signal(None, path, "org.freedesktop.Secret.Prompt", "Completed",
                                   GLib.Variant("(bv)", (True, GLib.Variant("s", ""))))
        elif name == "Prompt" and fault in ("stop", "end"):
            os.kill(os.getpid(), signal.SIGSTOP if fault == "stop" else signal.SIGKILL)

    bus = Gio.bus_get_sync(Gio.BusType.SESSION)
    bus.add_filter(receive)
    Gio.bus_own_name_on_connection(bus, "org.freedesktop.secrets", Gio.BusNameOwnerFlags.NONE, None, None)
    GLib.MainLoop().run()
    """
}
