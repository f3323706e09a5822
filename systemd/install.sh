#!/bin/bash
# Installs the companion as a service that starts at power-on; says each thing it does. Safe to run again.
set -euo pipefail
umask 022  # the box's user reads what root puts here, whatever root's own files are like

usage() {
    cat <<'USAGE'
Usage: sudo systemd/install.sh [--wheels FOLDER] [--no-start] [--uninstall]

  --wheels FOLDER   take packages from FOLDER instead of the network
  --no-start        install, but neither enable nor start
  --uninstall       remove all that was installed; sessions in /var/lib/companion stay

Run from a checkout. DESTDIR=FOLDER installs the files below FOLDER and touches nothing else (for tests).
USAGE
}

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=${DESTDIR:-}
venv=/opt/companion/venv
python=/usr/bin/python3
program=/usr/local/bin/companion
boot_config=/boot/firmware/config.txt
wheels=
start=1
remove=0
changed=0

while (($#)); do
    case $1 in
    --wheels)
        wheels=$(cd "${2:?--wheels needs a folder}" && pwd)
        shift
        ;;
    --no-start) start=0 ;;
    --uninstall) remove=1 ;;
    -h | --help)
        usage
        exit 0
        ;;
    *)
        usage >&2
        exit 2
        ;;
    esac
    shift
done

# What is installed: file here, place there.
files=(
    "companion.service /usr/lib/systemd/system/companion.service"
    "companion-poweroff.service /usr/lib/systemd/system/companion-poweroff.service"
    "companion-poweroff.path /usr/lib/systemd/system/companion-poweroff.path"
    "companion.sysusers /usr/lib/sysusers.d/companion.conf"
    "companion.tmpfiles /usr/lib/tmpfiles.d/companion.conf"
    "companion.modules-load /usr/lib/modules-load.d/companion.conf"
    "70-companion.rules /usr/lib/udev/rules.d/70-companion.rules"
)

say() { printf '%s\n' "$*"; }

fail() {
    printf 'install.sh: %s\n' "$*" >&2
    exit 1
}

live() { [ -z "$root" ]; }

check_machine() {
    live || return 0
    [ "$(id -u)" = 0 ] || fail "needs root: run it with sudo"
    [ "$(getconf LONG_BIT)" = 64 ] || fail "needs a 64-bit system: there are no 32-bit wheels of OpenCV and numpy"
    "$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' || fail "needs Python 3.11 or newer as $python"
    "$python" -c 'import ensurepip' 2>/dev/null || fail "needs python3-venv: apt install python3-venv"
}

put() {
    local from=$here/$1 to=$root$2
    if cmp -s "$from" "$to"; then
        say "unchanged  $2"
        return
    fi
    install -D -m 0644 "$from" "$to"
    say "installed  $2"
    changed=1
}

# Of its own: nothing of the system's Python is used, not even by the ribbon-cable camera. One that was cut short
# while it was made, or whose Python the system has replaced since, has no pip that runs.
make_venv() {
    ! "$venv/bin/python" -m pip --version &>/dev/null || return 0
    say "making     $venv"
    "$python" -m venv --clear "$venv"
}

install_packages() {
    local source=("$here/..[box]")
    [ -z "$wheels" ] || source=(--no-index --find-links "$wheels" "companion[box]")
    say "installing the program and its libraries into $venv"
    "$venv/bin/pip" install --quiet --disable-pip-version-check --upgrade --prefer-binary "${source[@]}" ||
        fail "pip could not, see above; nothing else was changed. Without a network: --wheels FOLDER"
    # The same version may be another build.
    [ -z "$wheels" ] || "$venv/bin/pip" install --quiet --disable-pip-version-check --no-index --find-links "$wheels" \
        --force-reinstall --no-deps companion
    rm -f "$program"  # a link, where an older one was installed
    install -m 0755 "$here/companion.sh" "$program"
}

enable_i2c() {
    command -v raspi-config >/dev/null || return 0
    say "enabling   I2C (raspi-config)"
    raspi-config nonint do_i2c 0
    set_i2c_speed
}

# A fresh line, and [all]: the file may end in a section that is for another board. The speed has a line of its own:
# raspi-config, run again, writes the line of i2c_arm anew.
set_i2c_speed() {
    [ -f "$boot_config" ] && ! grep -qx 'dtparam=i2c_arm_baudrate=400000' "$boot_config" || return 0
    reset_i2c_speed  # an older one, in which they shared a line
    [ -z "$(tail -c 1 "$boot_config")" ] || echo >>"$boot_config"
    printf '%s\n' '# companion begin' '[all]' 'dtparam=i2c_arm=on' 'dtparam=i2c_arm_baudrate=400000' '# companion end' \
        >>"$boot_config"
    say "changed    $boot_config: I2C at 400 kHz, from the next start"
}

reset_i2c_speed() {
    grep -q '^# companion begin' "$boot_config" 2>/dev/null || return 0
    sed -i '/^# companion begin/,/^# companion end/d' "$boot_config"
    say "restored   $boot_config"
}

settle() {
    systemd-sysusers /usr/lib/sysusers.d/companion.conf
    systemd-tmpfiles --create /usr/lib/tmpfiles.d/companion.conf
    systemctl daemon-reload
    udevadm control --reload 2>/dev/null || true
    udevadm trigger --action=change --subsystem-match=gpio --subsystem-match=i2c-dev --subsystem-match=spidev \
        --subsystem-match=tty 2>/dev/null || true
    local module
    while read -r module; do
        case $module in '' | '#'*) continue ;; esac
        modprobe --quiet "$module" || say "no module  $module (fine unless you own such a device)"
    done <"$here/companion.modules-load"
}

do_install() {
    check_machine
    if live; then  # first: where it fails, the box that is there starts as before
        make_venv
        install_packages
    fi
    local file
    for file in "${files[@]}"; do put "${file% *}" "${file#* }"; done
    live || return 0
    settle
    enable_i2c
    [ -e /etc/companion/config.toml ] || "$venv/bin/companion" doctor --write-config /etc/companion/config.toml
    if ((start)); then
        systemctl enable --quiet companion.service companion-poweroff.path
        systemctl start companion-poweroff.path
        systemctl restart companion.service
        say "started    companion.service; 'journalctl -u companion' says what it found"
    elif ((changed)); then
        say "installed, not started: systemctl enable --now companion.service companion-poweroff.path"
    fi
}

do_uninstall() {
    if live; then
        [ "$(id -u)" = 0 ] || fail "needs root: run it with sudo"
        systemctl disable --quiet --now companion.service companion-poweroff.path 2>/dev/null || true
    fi
    local file to
    for file in "${files[@]}"; do
        to=${file#* }
        [ -e "$root$to" ] || continue
        rm -f "$root$to"
        say "removed    $to"
    done
    live || return 0
    if [ -L "$program" ] || grep -qs "^exec $venv/" "$program"; then rm -f "$program"; fi
    rm -rf /opt/companion
    say "removed    /opt/companion"
    reset_i2c_speed
    systemctl daemon-reload
    say "kept       /var/lib/companion (your sessions), its user companion, and /etc/companion; remove them by hand"
}

if ((remove)); then do_uninstall; else do_install; fi
