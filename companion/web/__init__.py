"""The page for a phone at the table: server-rendered, live by server-sent events, nothing from outside."""
