#!/bin/sh
# As the box's own user (sudo -u companion companion log list) with the box's sessions and settings, else with yours.
if [ "$(id -un)" = companion ]; then
    export COMPANION_DATA="${COMPANION_DATA:-/var/lib/companion}"
    export COMPANION_CONFIG="${COMPANION_CONFIG:-/etc/companion/config.toml}"
fi
exec /opt/companion/venv/bin/companion "$@"
