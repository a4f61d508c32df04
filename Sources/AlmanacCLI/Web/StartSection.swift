// SPDX-License-Identifier: Apache-2.0

/// The main section of the page before the sign-in: a preview of the page, the steps, and the button for starting the
/// sign-in.
struct StartSection {
  /// The form with the button.
  let grant: HTML

  var html: HTML {
    """
    <section class="start" aria-labelledby="begin">
    <div><h2 id="begin">See a calendar account in its own colours</h2>
    <ol><li><strong>Press Grant.</strong> The sandbox's consent page requests your profile, your calendars and their events.</li>
    <li><strong>Allow access.</strong> You return to this page, and the tokens are stored.</li>
    <li><strong>Look around.</strong> The page shows your calendars, the coming week and your profile. Add an event. Then let the token expire, \
    or revoke it, and watch the account recover.</li></ol>
    \(grant)
    <p class="faint">Everything runs on this computer. No account is needed.</p></div>
    \(Self.picture)
    </section>
    """
  }

  /// A drawing of the page after the sign-in.
  ///
  /// The rows have the names and colours of the sandbox's first calendars.
  private static let picture: HTML = """
    <svg class="preview" viewBox="0 0 360 248" role="img" aria-label="The page after the sign-in: calendars in their own colours, \
    the coming week and the profile">
    <rect class="ground" x=".5" y=".5" width="359" height="247" rx="10"/>
    <text class="strong" x="16" y="28">Almanac</text><text class="quiet" x="92" y="28">Sample Person · signed in</text>
    <rect class="sheet" x="16" y="42" width="328" height="124" rx="6"/>
    <rect fill="#9fe1e7" x="24" y="50" width="312" height="20"/><text x="32" y="64">person@example.com</text>
    <rect fill="#4986e7" x="24" y="72" width="312" height="20"/><text x="32" y="86">Trabajo</text>
    <rect fill="#7bd148" x="24" y="94" width="312" height="20"/><text x="32" y="108">Verein &amp; Sport</text>
    <rect fill="#ffad46" x="24" y="116" width="312" height="20"/><text x="32" y="130">Clube de leitura</text>
    <rect fill="#a47ae2" x="24" y="138" width="312" height="20"/><text x="32" y="152">Χορωδία</text>
    <rect class="sheet" x="16" y="176" width="158" height="58" rx="6"/>
    <rect fill="#ffad46" x="26" y="188" width="8" height="8" rx="2"/><rect class="line" x="42" y="189" width="116" height="6" rx="3"/>
    <rect fill="#4986e7" x="26" y="204" width="8" height="8" rx="2"/><rect class="line" x="42" y="205" width="92" height="6" rx="3"/>
    <rect fill="#7bd148" x="26" y="220" width="8" height="8" rx="2"/><rect class="line" x="42" y="221" width="104" height="6" rx="3"/>
    <rect class="sheet" x="186" y="176" width="158" height="58" rx="6"/>
    <circle class="line" cx="212" cy="205" r="14"/>
    <rect class="line" x="236" y="194" width="92" height="6" rx="3"/><rect class="line" x="236" y="210" width="68" height="6" rx="3"/>
    </svg>
    """
}
