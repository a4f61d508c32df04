// SPDX-License-Identifier: Apache-2.0

/// The stylesheet of the page: light and dark, from 320 pixels up, with visible focus.
enum Stylesheet {
  static let text = """
    :root { color-scheme: light dark; --text: #1d1d1d; --faint: #5a5f66; --line: #d8dce1; --paper: #fff;
      --ground: #f4f5f7; --accent: #0b57d0; --on-accent: #fff; --error: #b3261e; --edge: #767b82; }
    @media (prefers-color-scheme: dark) { :root { --text: #e8eaed; --faint: #a8adb4; --line: #3c4043; --paper: #202124;
      --ground: #17181a; --accent: #a8c7fa; --on-accent: #062e6f; --error: #f2b8b5; --edge: #9aa0a6; } }
    * { box-sizing: border-box; }
    body { margin: 0; background: var(--ground); color: var(--text);
      font: 1rem/1.5 system-ui, "Noto Sans", "Noto Sans CJK JP", sans-serif; }
    .skip { position: absolute; left: -99rem; }
    .skip:focus { left: 1rem; top: 1rem; background: var(--paper); padding: .5rem 1rem; z-index: 1; }
    header, main { max-width: 76rem; margin: 0 auto; padding: 1rem; }
    header { display: flex; flex-wrap: wrap; gap: 1rem; align-items: center; justify-content: space-between; }
    h1 { font-size: 1.5rem; margin: 0; } h2 { font-size: 1.125rem; margin: 0 0 .75rem; }
    header p { margin: .25rem 0 0; color: var(--faint); }
    form { display: inline-block; margin: 0 .5rem .5rem 0; }
    button { font: inherit; min-height: 2.75rem; padding: .5rem 1.25rem; border-radius: .5rem; cursor: pointer;
      border: 1px solid var(--accent); background: var(--paper); color: var(--accent); }
    button.primary { background: var(--accent); color: var(--on-accent); }
    :focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
    section { background: var(--paper); border: 1px solid var(--line); border-radius: .75rem; padding: 1rem; margin-bottom: 1rem; }
    .status { border-left: .5rem solid var(--accent); } .status p { margin: 0; }
    .status:focus, main:focus { outline: none; }
    .error { border: 1px solid var(--error); border-left-width: .5rem; } .error strong { color: var(--error); }
    .status a { display: inline-block; margin-top: .75rem; color: var(--accent); }
    .partial dl { margin-bottom: .75rem; }
    .faint { color: var(--faint); font-size: .875rem; } p.faint { margin: 0 0 .75rem; }
    h3 { font-size: 1rem; margin: .75rem 0 .25rem; }
    .painted { border: 1px solid var(--edge); }
    .subtitle { display: block; font-weight: 400; font-size: .875rem; }
    .avatar { display: block; border-radius: 50%; margin-bottom: .75rem; }
    .progress { text-align: center; padding: 3rem 1rem; }
    .account { display: grid; grid-template-columns: minmax(0, 1fr) 20rem; gap: 1rem; align-items: start; }
    aside { grid-column: 2; grid-row: 1; } aside form { display: block; margin: 0 0 .5rem; } aside button { width: 100%; }
    aside h2 + p { margin-bottom: .75rem; } aside #log { margin-top: 1rem; }
    .account > div { grid-column: 1; grid-row: 1; }
    summary { font-weight: 600; margin-top: .75rem; cursor: pointer; min-height: 1.5rem; }
    .start { display: grid; grid-template-columns: minmax(0, 1fr) minmax(0, 1fr); gap: 2rem; align-items: center; padding: 2rem; }
    .start ol { padding-left: 1.25rem; } .start li { margin-bottom: .75rem; } .start form { margin: .5rem 0 0; }
    .start p { margin: .75rem 0 0; } .start h2 { font-size: 1.375rem; }
    .preview { width: 100%; height: auto; font-size: .625rem; fill: #1d1d1d; }
    .preview .ground { fill: var(--ground); stroke: var(--line); } .preview .sheet { fill: var(--paper); stroke: var(--line); }
    .preview .line { fill: var(--line); } .preview .strong { fill: var(--text); font-size: .875rem; font-weight: 600; }
    .preview .quiet { fill: var(--faint); }
    table { width: 100%; border-collapse: collapse; }
    caption { text-align: left; color: var(--faint); padding-bottom: .5rem; }
    th, td { text-align: left; padding: .5rem .75rem; border-bottom: 1px solid var(--line); vertical-align: middle; overflow-wrap: anywhere; }
    td { overflow-wrap: break-word; }
    td.mono { white-space: nowrap; }
    thead th { font-weight: 600; color: var(--faint); }
    tbody th { font-weight: 600; }
    .mono { font-family: ui-monospace, monospace; font-size: .875rem; }
    .columns { display: grid; grid-template-columns: minmax(0, 1fr) minmax(0, 1fr); gap: 1rem; align-items: start; }
    ol.agenda, ol.log { list-style: none; margin: 0; padding: 0; }
    ol.agenda > li + li { margin-top: .75rem; } ol.agenda ul { list-style: none; margin: 0; padding: 0; }
    ol.agenda h3 { font-size: 1rem; margin: 0 0 .25rem; }
    ol.agenda ul li { display: flex; gap: .5rem; align-items: baseline; padding: .125rem 0; }
    .dot { flex: none; width: .875rem; height: .875rem; border-radius: .25rem; align-self: center; }
    .time { flex: none; width: 6.5rem; color: var(--faint); font-variant-numeric: tabular-nums; }
    ol.log li { padding: .25rem 0; border-bottom: 1px solid var(--line); overflow-wrap: anywhere; font-size: .875rem; }
    aside .box { max-height: 16rem; overflow-y: auto; }
    .columns .box { max-height: 44rem; overflow-y: auto; }
    dl.code { display: block; font-size: .8125rem; } dl.code dd { margin: 0 0 .5rem; }
    dl { display: grid; grid-template-columns: max-content 1fr; gap: .25rem 1rem; margin: 0; }
    dt { color: var(--faint); } dd { margin: 0; overflow-wrap: anywhere; }
    @media (max-width: 60rem) {
      .account, .start { grid-template-columns: minmax(0, 1fr); }
      aside, .account > div { grid-column: 1; grid-row: auto; }
      aside form { display: inline-block; margin: 0 .5rem .5rem 0; } aside button { width: auto; }
    }
    @media (max-width: 44rem) {
      .start { padding: 1rem; gap: 1rem; }
      .columns { grid-template-columns: minmax(0, 1fr); }
      .box, .columns .box { max-height: 26rem; overflow-y: auto; } aside .box { max-height: 10rem; }
      thead { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
      tbody tr { display: block; margin-bottom: .75rem; border-radius: .375rem; overflow: hidden; }
      tbody th { display: block; border-bottom: 0; }
      tbody td { display: inline-block; border-bottom: 0; }
      td:empty { display: none; }
    }
    @media (forced-colors: active) { .dot, tr.painted { forced-color-adjust: none; } }
    """
}
