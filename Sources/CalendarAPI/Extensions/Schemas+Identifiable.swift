// SPDX-License-Identifier: Apache-2.0

// An event is not identifiable: its copies in the calendars of its guests have one identifier.

extension CalendarListEntry: Identifiable {}

extension CalendarMetadata: Identifiable {}

extension AclRule: Identifiable {}

extension Setting: Identifiable {}
