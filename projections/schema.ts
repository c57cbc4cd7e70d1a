import type { DatabaseSync } from 'node:sqlite'
import { createIndexes, createParentIndex, createTable, type Table } from './table.ts'

/** Raised with every change of the statements below or of what is folded into them: files of another layout are rebuilt. */
export const LAYOUT = 16

/**
 * Levels, people and kinds of audit lines are small integers inside the file; level 0 is "outside the tree", which is
 * below every level. `audit_count` counts audit lines per hour (ms / 3,600,000), kind, actor and level.
 */
const TABLES = `
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID, STRICT;
CREATE TABLE level (key INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, parent INTEGER NOT NULL) STRICT;
CREATE TABLE closure (ancestor INTEGER NOT NULL, descendant INTEGER NOT NULL, PRIMARY KEY (ancestor, descendant)) WITHOUT ROWID, STRICT;
CREATE TABLE tally (entity TEXT NOT NULL, level INTEGER NOT NULL, n INTEGER NOT NULL, PRIMARY KEY (entity, level)) WITHOUT ROWID, STRICT;
CREATE TABLE actor (key INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE) STRICT;
CREATE TABLE membership (key INTEGER PRIMARY KEY, groups TEXT NOT NULL, roles TEXT NOT NULL, UNIQUE (groups, roles)) STRICT;
CREATE TABLE kind (key INTEGER PRIMARY KEY, entity TEXT NOT NULL, action TEXT NOT NULL, type TEXT NOT NULL, UNIQUE (entity, type)) STRICT;
CREATE TABLE subject (key INTEGER PRIMARY KEY, entity TEXT NOT NULL, id TEXT NOT NULL, level INTEGER NOT NULL, UNIQUE (id, entity)) STRICT;
CREATE TABLE audit (n INTEGER PRIMARY KEY, time INTEGER NOT NULL, kind INTEGER NOT NULL, subject INTEGER NOT NULL,
  actor INTEGER NOT NULL, level INTEGER NOT NULL, membership INTEGER NOT NULL, revision INTEGER NOT NULL, fold INTEGER, changes TEXT, source TEXT,
  origin INTEGER) STRICT;
CREATE TABLE origin (key INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, time TEXT, user TEXT, address TEXT, agent TEXT, name TEXT) STRICT;
CREATE INDEX i_origin_time ON origin (time) WHERE time IS NOT NULL;
CREATE TABLE audit_count (hour INTEGER NOT NULL, kind INTEGER NOT NULL, actor INTEGER NOT NULL, level INTEGER NOT NULL,
  n INTEGER NOT NULL, PRIMARY KEY (hour, kind, actor, level)) WITHOUT ROWID, STRICT;
CREATE TABLE session (id TEXT PRIMARY KEY, user TEXT NOT NULL, level TEXT NOT NULL, started TEXT NOT NULL, expires TEXT NOT NULL,
  seenas TEXT, way TEXT NOT NULL, provider TEXT, sub TEXT, sid TEXT) WITHOUT ROWID, STRICT;
CREATE INDEX i_session_expires ON session (expires);
CREATE TABLE flow (key INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, entity TEXT, revision INTEGER NOT NULL, time TEXT NOT NULL,
  seq INTEGER NOT NULL, keyframe INTEGER NOT NULL, editors TEXT NOT NULL, moments INTEGER NOT NULL, folds INTEGER NOT NULL, fold INTEGER NOT NULL) STRICT;
CREATE TABLE flow_moment (flow INTEGER NOT NULL, revision INTEGER NOT NULL, fold INTEGER NOT NULL, time TEXT NOT NULL, authors TEXT NOT NULL,
  summary TEXT NOT NULL, source TEXT, PRIMARY KEY (flow, revision)) WITHOUT ROWID, STRICT;
CREATE TABLE flow_fold (key INTEGER PRIMARY KEY, flow INTEGER NOT NULL, first INTEGER NOT NULL, revision INTEGER NOT NULL,
  time TEXT NOT NULL, authors TEXT NOT NULL, summary TEXT NOT NULL, source TEXT) STRICT;
CREATE TABLE flow_update (flow INTEGER NOT NULL, revision INTEGER NOT NULL, data BLOB NOT NULL, PRIMARY KEY (flow, revision)) WITHOUT ROWID, STRICT;
CREATE TABLE flow_part (flow INTEGER NOT NULL, part TEXT NOT NULL, k INTEGER NOT NULL, data BLOB NOT NULL, PRIMARY KEY (flow, part, k)) WITHOUT ROWID, STRICT;
CREATE TABLE flow_keyframe (flow INTEGER NOT NULL, revision INTEGER NOT NULL, hash TEXT NOT NULL, state BLOB NOT NULL, PRIMARY KEY (flow, revision)) STRICT;
CREATE TABLE flow_binding (flow INTEGER NOT NULL, client INTEGER NOT NULL, user TEXT NOT NULL, PRIMARY KEY (flow, client)) WITHOUT ROWID, STRICT;
CREATE TABLE flow_miniature (flow INTEGER PRIMARY KEY, revision INTEGER NOT NULL, blocks INTEGER NOT NULL, data TEXT NOT NULL) STRICT;
CREATE TABLE reference (target TEXT NOT NULL, entity TEXT NOT NULL, id TEXT NOT NULL, block TEXT NOT NULL, field TEXT NOT NULL,
  PRIMARY KEY (target, entity, id, block, field)) WITHOUT ROWID, STRICT;
CREATE INDEX i_reference_flow ON reference (id) WHERE block <> '';
CREATE TABLE file_holder (file TEXT NOT NULL, entity TEXT NOT NULL, id TEXT NOT NULL, PRIMARY KEY (file, entity, id)) WITHOUT ROWID, STRICT;
CREATE TABLE notification (n INTEGER PRIMARY KEY, id TEXT NOT NULL, message TEXT NOT NULL, params TEXT NOT NULL, time TEXT NOT NULL,
  type TEXT NOT NULL, level INTEGER NOT NULL, entity TEXT NOT NULL, entityid TEXT NOT NULL, actors TEXT NOT NULL, recipients TEXT) STRICT;
CREATE TABLE notification_read (user TEXT NOT NULL, n INTEGER NOT NULL, PRIMARY KEY (user, n)) WITHOUT ROWID, STRICT;
CREATE TABLE notification_mark (user TEXT PRIMARY KEY, n INTEGER NOT NULL) WITHOUT ROWID, STRICT;
`

const INDEXES = [
  'CREATE INDEX i_audit_time ON audit (time)',
  'CREATE INDEX i_audit_kind ON audit (kind, time)',
  'CREATE INDEX i_audit_actor ON audit (actor, time)',
  'CREATE INDEX i_audit_level ON audit (level, time)',
  'CREATE INDEX i_audit_subject ON audit (subject, revision)',
  'CREATE INDEX i_audit_count_actor ON audit_count (actor, kind, hour)',
  'CREATE INDEX i_flow_seq ON flow (seq)',
  'CREATE INDEX i_flow_fold ON flow_fold (flow, revision)',
]

export const createTables = (database: DatabaseSync, tables: readonly Table[]): void => {
  database.exec('PRAGMA journal_mode = WAL')
  database.exec(
    `BEGIN;${TABLES}${tables.map(table => `${createTable(table)};${createParentIndex(table)};`).join('\n')}`,
  )
  const meta = database.prepare('INSERT INTO meta (key, value) VALUES (?, ?)')
  meta.run('layout', String(LAYOUT))
  meta.run('tables', JSON.stringify(tables))
  database.exec('COMMIT')
}

/** Pages of indexes to a transaction: few commits for hundreds of small indexes, and a WAL that stays small. */
const PAGES_AT_ONCE = 4_096

export const createAllIndexes = (database: DatabaseSync, tables: readonly Table[]): void => {
  const statements = [...INDEXES, ...tables.flatMap(createIndexes)].map(statement =>
    statement.replace('CREATE INDEX', 'CREATE INDEX IF NOT EXISTS'),
  )
  const count = database.prepare('PRAGMA page_count')
  const pages = () => Number(count.get()?.page_count)
  let committed = pages()
  database.exec('BEGIN')
  for (const statement of statements) {
    database.exec(statement)
    if (pages() - committed < PAGES_AT_ONCE) continue
    database.exec('COMMIT; BEGIN')
    committed = pages()
  }
  database.exec('COMMIT')
}
