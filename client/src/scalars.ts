/** Date and time in UTC as defined by RFC 3339, with milliseconds, e.g. `2026-01-31T12:00:00.000Z`. */
export type DateTime = string;
