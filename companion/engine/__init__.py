"""The engine: asks, scripts, chance, sessions, the journal, packs. Knows no game and no device."""
