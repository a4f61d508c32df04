# SPDX-License-Identifier: Apache-2.0
# Shared functions of the scripts: find Swift, and report or install missing packages. Source this file. It answers --help with the
# comment at the beginning of the script.

if [ "${1:-}" = --help ]; then
    awk 'NR > 2 { if (!/^#/) exit; sub(/^# ?/, ""); print }' "$0"
    exit
fi

cd "$(dirname "${BASH_SOURCE[0]}")/.."

# The options of all debug builds in .build. They are the same in all scripts, so that no script compiles everything again. Debug information
# is a fifth of the work of compiling tests. Each batch of a module's files reads all imported modules again, so there are half as many
# batches as processors. ALMANAC_BUILD_OPTIONS="--configuration debug" builds like "swift build".
batches=$((($(getconf _NPROCESSORS_ONLN) + 1) / 2))
read -ra build_options <<<"${ALMANAC_BUILD_OPTIONS:--Xswiftc -gnone -Xswiftc -driver-batch-count -Xswiftc $batches}"

say() { printf '%s\n' "$*" >&2; }

die() { say "$*"; exit 1; }

# need_swift: requires Swift 6.2 or newer. It is too large to install without asking.
need_swift() {
    command -v swift >/dev/null 2>&1 || die "Swift is not installed. Install Swift 6.2 or newer: https://www.swift.org/install"
    local version
    version=$(swift --version 2>/dev/null | sed -n 's/.*Swift version \([0-9]*\)\.\([0-9]*\).*/\1 \2/p' | head -n 1)
    # shellcheck disable=SC2086
    set -- $version
    if [ "${1:-0}" -lt 6 ] || { [ "$1" -eq 6 ] && [ "$2" -lt 2 ]; }; then
        die "Swift $1.$2 is too old: the package needs 6.2 or newer. See https://www.swift.org/install"
    fi
}

# need_package FILE-OR-COMMAND PACKAGE...: installs Debian packages unless the file or command exists.
need_package() {
    local have=$1
    shift
    if [ -e "$have" ] || command -v "$have" >/dev/null 2>&1; then return; fi
    if ! command -v apt-get >/dev/null 2>&1; then
        die "$have is missing. Install your system's packages for: $*"
    fi
    local as_root=()
    if [ "$(id -u)" -ne 0 ]; then
        command -v sudo >/dev/null 2>&1 || die "$have is missing. As root, run: apt-get install $*"
        as_root=(sudo)
    fi
    say "$have is missing: installing $*"
    # One installation at a time: apt-get does not wait for another. Only root can write to the folder of the lock.
    # shellcheck disable=SC2016
    "${as_root[@]}" flock /run/almanac-packages.lock sh -ec '
        apt-get update -qq
        DEBIAN_FRONTEND=noninteractive apt-get install -y -qq "$@" >/dev/null
    ' sh "$@"
}

# need_libraries: installs the cryptography and HTTP libraries on Linux. Apple's platforms include theirs.
need_libraries() {
    [ "$(uname -s)" = Linux ] || return 0
    need_package /usr/include/openssl/evp.h libssl-dev
    # On Debian, the header is in a folder of the machine's architecture.
    local header
    for header in /usr/include/curl/curl.h /usr/include/*-linux-gnu/curl/curl.h; do
        if [ -e "$header" ]; then return 0; fi
    done
    need_package /usr/include/curl/curl.h libcurl4-openssl-dev
}

# need_all_libraries: installs the libraries of all modules, including those that the command does not use.
need_all_libraries() {
    need_libraries
    [ "$(uname -s)" != Linux ] || need_package /usr/include/sqlite3.h libsqlite3-dev
}

# with_progress COMMAND...: runs a build with a progress bar on a terminal, or else a line for each tenth. Prints its output if it fails.
with_progress() {
    local log status=0
    log=$(mktemp)
    local line='\n' step=10
    if [ -t 2 ]; then line='\r' step=1; fi
    "$@" 2>&1 | tee "$log" | awk -v line="$line" -v step="$step" '
        match($0, /^\[[0-9]+\/[0-9]+\]/) {
            split(substr($0, 2, RLENGTH - 2), count, "/")
            part = int(100 * count[1] / count[2])
            if (part >= shown + step) {
                shown = part
                bar = sprintf("%" int(part / 5) "s", ""); gsub(" ", "#", bar)
                printf "  [%-20s] %3d %%  %d of %d" line, bar, part, count[1], count[2] > "/dev/stderr"
                fflush("/dev/stderr")
            }
        }' || status=$?
    if [ -t 2 ]; then printf '\r\033[K' >&2; fi
    if [ "$status" -ne 0 ]; then cat "$log" >&2; fi
    rm -f "$log"
    return "$status"
}

# need_python_packages REQUIREMENTS ENVIRONMENT: creates a virtual environment with the pinned packages.
need_python_packages() {
    local requirements=$1 environment=$2
    need_package python3 python3
    # On Debian, virtual environments need a separate package.
    python3 -c 'import ensurepip' 2>/dev/null || need_package python3-venv python3-venv
    if cmp -s "$requirements" "$environment/installed.txt"; then return; fi
    python3 -m venv --clear "$environment"
    "$environment/bin/pip" install --quiet --disable-pip-version-check -r "$requirements"
    cp "$requirements" "$environment/installed.txt"
}
