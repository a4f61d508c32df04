// SPDX-License-Identifier: Apache-2.0

/// Keys as OpenSSL 3 writes them, made for these tests.
enum KeyForms {
  /// EC PRIVATE KEY after its EC PARAMETERS.
  static let sec1 = """
    -----BEGIN EC PARAMETERS-----
    BggqhkjOPQMBBw==
    -----END EC PARAMETERS-----
    -----BEGIN EC PRIVATE KEY-----
    MHcCAQEEIJgroLjQjnFsjSr1pGSy38EBvLjbGFtYctYBFSP6qXmVoAoGCCqGSM49
    AwEHoUQDQgAEanfq3Ozj464uBd0b08mYdYjF94KKiE3PIwrUtVQ3quMbXExA/3R7
    tmln2CYsldnADe5yPeWFAgDamkLkmAavPA==
    -----END EC PRIVATE KEY-----

    """
  static let sec1WithoutPublicKey = """
    -----BEGIN EC PRIVATE KEY-----
    MDECAQEEIJgroLjQjnFsjSr1pGSy38EBvLjbGFtYctYBFSP6qXmVoAoGCCqGSM49
    AwEH
    -----END EC PRIVATE KEY-----

    """
  static let pkcs8 = """
    -----BEGIN PRIVATE KEY-----
    MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgmCuguNCOcWyNKvWk
    ZLLfwQG8uNsYW1hy1gEVI/qpeZWhRANCAARqd+rc7OPjri4F3RvTyZh1iMX3goqI
    Tc8jCtS1VDeq4xtcTED/dHu2aWfYJiyV2cAN7nI95YUCANqaQuSYBq88
    -----END PRIVATE KEY-----

    """
  static let spki = """
    -----BEGIN PUBLIC KEY-----
    MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEanfq3Ozj464uBd0b08mYdYjF94KK
    iE3PIwrUtVQ3quMbXExA/3R7tmln2CYsldnADe5yPeWFAgDamkLkmAavPA==
    -----END PUBLIC KEY-----

    """
  static let ed25519 = """
    -----BEGIN PRIVATE KEY-----
    MC4CAQAwBQYDK2VwBCIEIHItlpIHsrdVeEdlrJXGDubCMGDwtmZon6GZoajVezcY
    -----END PRIVATE KEY-----

    """
  static let ed25519Public = """
    -----BEGIN PUBLIC KEY-----
    MCowBQYDK2VwAyEAGHYbGQmVc0bspaioxFAGTGNW79Zl4l9xnfAL1iHel6Q=
    -----END PUBLIC KEY-----

    """
  /// A curve that no algorithm here uses.
  static let secp256k1 = """
    -----BEGIN EC PARAMETERS-----
    BgUrgQQACg==
    -----END EC PARAMETERS-----
    -----BEGIN EC PRIVATE KEY-----
    MHQCAQEEIFcA/QUTqLrjdqOL1cKpnxlaZ0aYcKhyBmIABGAscN7yoAcGBSuBBAAK
    oUQDQgAE0G7YQRQj6Djve1/S7Lfz6kI4N98PmTbz/tmfufEiIx7FeR9TRRhdjIHE
    KDVK/AECsX4mIBQ7omI5j05jop1CWw==
    -----END EC PRIVATE KEY-----

    """
  /// P-256 by its parameters instead of its name.
  static let explicitCurve = """
    -----BEGIN EC PRIVATE KEY-----
    MIIBaAIBAQQgh1Sbt1glmlgMGlxRGsd/cWYSB0vz0ytcTc7DiejHdbCggfowgfcC
    AQEwLAYHKoZIzj0BAQIhAP////8AAAABAAAAAAAAAAAAAAAA////////////////
    MFsEIP////8AAAABAAAAAAAAAAAAAAAA///////////////8BCBaxjXYqjqT57Pr
    vVV2mIa8ZR0GsMxTsPY7zjw+J9JgSwMVAMSdNgiG5wSTamZ44ROdJreBn36QBEEE
    axfR8uEsQkf4vOblY6RA8ncDfYEt6zOg9KE5RdiYwpZP40Li/hp/m47n60p8D54W
    K84zV2sxXs7LtkBoN79R9QIhAP////8AAAAA//////////+85vqtpxeehPO5ysL8
    YyVRAgEBoUQDQgAEm7x5//gPBAQlYQNT29Y4xQ8M7NrU7ODzv67FlaRQ4UM/RAqQ
    j5zfTDlRK1OHgB2bet3fDoGoZR8wkrinedfdog==
    -----END EC PRIVATE KEY-----

    """
  static let encrypted = """
    -----BEGIN ENCRYPTED PRIVATE KEY-----
    MIGbMFcGCSqGSIb3DQEFDTBKMCkGCSqGSIb3DQEFDDAcBAhAuXPj/ZRtGAICCAAw
    DAYIKoZIhvcNAgkFADAdBglghkgBZQMEASoEEFMZBcjCWAFNodANe8Gn9l8EQNZi
    FSY0sB93NM2vtRAkhKx2dQ118ciqOjz5HQzt2sImC+ABfyW2Ge2TGR4Lt1MwIrfb
    xTzwk3fvlyeCT7II0J4=
    -----END ENCRYPTED PRIVATE KEY-----

    """
  static let encryptedOldForm = """
    -----BEGIN EC PRIVATE KEY-----
    Proc-Type: 4,ENCRYPTED
    DEK-Info: AES-128-CBC,285B941F168DD3C2BE7A0515890E6435

    N8o6mne6l+456DTK/Y2mozrmSlR0yI9FsG+fmkNr4BRBBxCe0GT1kNXVbWL+a+kr
    dUuZ75PnbaK3BxpaFtnHLUgYkMTQAfbJ1CMFc2i2xAImYgKohHaJ/tyg7ytgu9cf
    NW2CN+3avAV8XUTvx9FcntjVC8lckiNWv+z75J/3tGs=
    -----END EC PRIVATE KEY-----

    """
}
