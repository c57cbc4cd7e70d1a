/** Raised with every change of the tables below; a file of a higher number is refused. */
export const SCHEMA_VERSION = 1

/**
 * One row for each event, in log order; `data` comes last, so that filtering never reads it.
 * `stream` holds only streams that were deleted, tombstoned or limited; all others are known by their events.
 */
export const TABLES = [
  'CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID',
  `CREATE TABLE event (
    position INTEGER PRIMARY KEY, stream TEXT NOT NULL, revision INTEGER NOT NULL, id TEXT NOT NULL,
    type TEXT NOT NULL, version INTEGER NOT NULL, time TEXT NOT NULL, actor TEXT, correlation TEXT NOT NULL,
    causation TEXT, level TEXT, hash TEXT NOT NULL, data TEXT NOT NULL)`,
  'CREATE UNIQUE INDEX event_stream ON event (stream, revision)',
  'CREATE UNIQUE INDEX event_id ON event (id)',
  `CREATE TABLE stream (
    name TEXT PRIMARY KEY, hidden INTEGER NOT NULL DEFAULT 0, max_count INTEGER, tombstone INTEGER) WITHOUT ROWID`,
]

export const INSERT_EVENT = `INSERT INTO event
  (position, stream, revision, id, type, version, time, actor, correlation, causation, level, hash, data)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`

export const COLUMNS =
  'position, stream, revision, id, type, version, time, actor, correlation, causation, level, hash, data'
