// SPDX-License-Identifier: Apache-2.0

import Timekeeping

extension CalendarStore {
  /// Performs a call.
  ///
  /// A call that fails changes nothing.
  mutating func perform(_ call: CalendarCall) throws(APIFault) -> CallOutcome {
    defer {
      channels.announce(touched, now: call.now)
      touched = []
    }
    return try outcome(of: call)
  }

  private mutating func outcome(of call: CalendarCall) throws(APIFault) -> CallOutcome {
    switch call.method.id {
    case .aclDelete: try deleteRule(call)
    case .aclGet: try rule(call)
    case .aclInsert: try insertRule(call)
    case .aclList: try rules(call)
    case .aclPatch: try changeRule(call, replacing: false)
    case .aclUpdate: try changeRule(call, replacing: true)
    case .aclWatch: try watchRules(call)
    case .calendarListDelete: try deleteEntry(call)
    case .calendarListGet: try entry(call)
    case .calendarListInsert: try insertEntry(call)
    case .calendarListList: try entries(call)
    case .calendarListPatch: try changeEntry(call, replacing: false)
    case .calendarListUpdate: try changeEntry(call, replacing: true)
    case .calendarListWatch: try watchEntries(call)
    case .calendarsClear: try clearCalendar(call)
    case .calendarsDelete: try deleteCalendar(call)
    case .calendarsGet: try calendar(call)
    case .calendarsInsert: try insertCalendar(call)
    case .calendarsPatch: try changeCalendar(call, replacing: false)
    case .calendarsTransferOwnership: try transferCalendar(call)
    case .calendarsUpdate: try changeCalendar(call, replacing: true)
    case .channelsStop: try stopChannel(call)
    case .colorsGet: .resource(CalendarColors.resource)
    case .eventsDelete: try deleteEvent(call)
    case .eventsGet: try event(call)
    case .eventsImport: try importEvent(call)
    case .eventsInsert: try insertEvent(call)
    case .eventsInstances: try instances(call)
    case .eventsList: try events(call)
    case .eventsMove: try moveEvent(call)
    case .eventsPatch: try changeEvent(call, replacing: false)
    case .eventsQuickAdd: try quickAddEvent(call)
    case .eventsUpdate: try changeEvent(call, replacing: true)
    case .eventsWatch: try watchEvents(call)
    case .freebusyQuery: try freeBusy(call)
    case .settingsGet: try setting(call)
    case .settingsList: try settings(call)
    case .settingsWatch: try watchSettings(call)
    }
  }
}
