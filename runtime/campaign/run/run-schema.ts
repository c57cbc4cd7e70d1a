/** An index of another version is rebuilt from the log. */
export const RUN_INDEX_VERSION = 3

/** Recipients that wait for a person's choice are due never, ms. */
export const NEVER_DUE = 8_640_000_000_000_000

/** The reason of the present status: a receipt that overtakes a failure takes its reason away. */
export const reasonOf = (row: string): string => `CASE ${row}.status WHEN 'skipped' THEN ${row}.skipped
  WHEN 'failed' THEN CASE WHEN ${row}.failed IS NULL THEN ${row}.reason ELSE nullif(${row}.failed, '') END
  WHEN 'unknown' THEN ${row}.reason WHEN 'queuedAtPlatform' THEN ${row}.reason END`

/** Disjoint states of recipients. */
export const stateOf = (row: string): string => `CASE ${row}.status
  WHEN 'queuedAtPlatform' THEN iif(${row}.answer IS 'claimed', 'claimed', 'waiting')
  WHEN 'queuedAtGupshup' THEN 'accepted' WHEN 'queuedAtWhatsapp' THEN 'accepted'
  WHEN 'sent_successfully' THEN iif(${row}.rank > 1, 'delivered', 'sent')
  WHEN 'read_by_user' THEN 'read' ELSE ${row}.status END`

/** Messages that the provider took. */
const isHandedOver = (row: string): string =>
  `${row}.status IN ('queuedAtGupshup', 'queuedAtWhatsapp', 'sent_successfully', 'read_by_user', 'engaged')`

/** Counter of recipients with equal values. */
interface Counter {
  readonly table: string
  readonly columns: readonly string[]
  /** Values of the columns. */
  readonly key: (row: string) => readonly string[]
  readonly isCounted: (row: string) => string
  /** Columns of a recipient that its key is made of. */
  readonly of: readonly string[]
  /** A sum beside the count. */
  readonly sum?: { readonly column: string; readonly of: (row: string) => string }
}

const DAY_MS = 86_400_000

const COUNTERS: readonly Counter[] = [
  {
    table: 'figure',
    columns: ['status', 'state', 'reason', 'held', 'variant'],
    key: row => [
      ...[`${row}.status`, stateOf(row), `coalesce(${reasonOf(row)}, '')`],
      ...[`${row}.answer IS 'held'`, `${row}.variant`],
    ],
    isCounted: () => '1',
    of: ['status', 'answer', 'reason', 'failed', 'skipped', 'rank', 'current'],
  },
  {
    table: 'cost',
    columns: ['day', 'country', 'category', 'type', 'billable', 'currency'],
    key: row => [
      ...[`coalesce(${row}.claimed, 0) / ${DAY_MS}`, `${row}.country`, `${row}.category`],
      ...[`${row}.type`, `${row}.billable`, `${row}.currency`],
    ],
    isCounted: isHandedOver,
    of: ['status', 'claimed', 'category', 'type', 'billable', 'currency', 'micros', 'current'],
    sum: { column: 'micros', of: row => `${row}.micros` },
  },
]

/** A recipient counts for its run, and the newest one of each number for the campaign. */
const SCOPES: readonly ((row: string) => { readonly scope: string; readonly holds: string })[] = [
  row => ({ scope: `CAST(${row}.run AS TEXT)`, holds: '1' }),
  row => ({ scope: `${row}.campaign`, holds: `${row}.current` }),
]

const addedTo = ({ table, columns, key, isCounted, sum }: Counter, row: string): string =>
  SCOPES.map(of => {
    const { scope, holds } = of(row)
    const names = ['scope', ...columns, 'count', ...(sum === undefined ? [] : [sum.column])]
    const values = [scope, ...key(row), '1', ...(sum === undefined ? [] : [sum.of(row)])]
    const more = sum === undefined ? '' : `, ${sum.column} = ${sum.column} + excluded.${sum.column}`
    return `INSERT INTO ${table} (${names.join(', ')}) SELECT ${values.join(', ')} WHERE ${holds} AND ${isCounted(row)}
      ON CONFLICT DO UPDATE SET count = count + 1${more};`
  }).join('\n')

const takenFrom = ({ table, columns, key, isCounted, sum }: Counter, row: string): string =>
  SCOPES.map(of => {
    const { scope, holds } = of(row)
    const values = key(row)
    const same = columns.map((column, at) => `${column} = (${values[at]})`)
    const more = sum === undefined ? '' : `, ${sum.column} = ${sum.column} - ${sum.of(row)}`
    return `UPDATE ${table} SET count = count - 1${more}
      WHERE ${[`scope = ${scope}`, ...same, holds, isCounted(row)].join(' AND ')};`
  }).join('\n')

/** Triggers that keep a counter equal to the recipients. */
const triggersOf = (counter: Counter): string => {
  const changed = counter.of.map(column => `OLD.${column} IS NOT NEW.${column}`).join(' OR ')
  return `
    CREATE TRIGGER IF NOT EXISTS ${counter.table}_added AFTER INSERT ON recipient BEGIN
      ${addedTo(counter, 'NEW')}
    END;
    CREATE TRIGGER IF NOT EXISTS ${counter.table}_changed AFTER UPDATE OF ${counter.of.join(', ')} ON recipient
      WHEN ${changed} BEGIN
      ${takenFrom(counter, 'OLD')}
      ${addedTo(counter, 'NEW')}
    END;`
}

/** Claims by the minute: a claim that is repeated counts at its last time. */
const MINUTES = `
  CREATE TABLE IF NOT EXISTS minute (
    campaign TEXT NOT NULL, minute INTEGER NOT NULL, count INTEGER NOT NULL, PRIMARY KEY (campaign, minute)
  ) STRICT, WITHOUT ROWID;
  CREATE TRIGGER IF NOT EXISTS minute_changed AFTER UPDATE OF claimed ON recipient
    WHEN OLD.claimed IS NOT NEW.claimed BEGIN
    UPDATE minute SET count = count - 1 WHERE campaign = OLD.campaign AND minute = OLD.claimed / 60000;
    INSERT INTO minute (campaign, minute, count) SELECT NEW.campaign, NEW.claimed / 60000, 1 WHERE NEW.claimed IS NOT NULL
      ON CONFLICT DO UPDATE SET count = count + 1;
  END;`

/**
 * Tables of the index. `current` is 1 for the recipient that counts for its campaign: for each number, its recipient in
 * the newest run that sent to it, else in the newest run. `billable` is -1 before a receipt with that member. `micros` is
 * the price in a receipt, in millionths of `currency`.
 */
export const RUN_SCHEMA = `
  CREATE TABLE IF NOT EXISTS stream (name TEXT PRIMARY KEY, revision INTEGER NOT NULL) STRICT, WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS run (
    seq INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, campaign TEXT NOT NULL, portfolio TEXT NOT NULL,
    plan TEXT NOT NULL, planned INTEGER NOT NULL, after TEXT, opened INTEGER NOT NULL, state TEXT, ended INTEGER,
    category TEXT NOT NULL, winner TEXT
  ) STRICT;
  CREATE INDEX IF NOT EXISTS run_campaign ON run (campaign);
  CREATE TABLE IF NOT EXISTS run_source (
    run INTEGER NOT NULL, place INTEGER NOT NULL, count INTEGER NOT NULL, omitted INTEGER NOT NULL, PRIMARY KEY (run, place)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS recipient (
    run INTEGER NOT NULL, n INTEGER NOT NULL, campaign TEXT NOT NULL, contact TEXT NOT NULL, phone TEXT NOT NULL,
    tries INTEGER NOT NULL, answer TEXT, reason TEXT, skipped TEXT, rank INTEGER NOT NULL, failed TEXT,
    status TEXT NOT NULL, due INTEGER NOT NULL, claimed INTEGER, sent INTEGER, delivered INTEGER, seen INTEGER,
    engaged INTEGER, current INTEGER NOT NULL, variant TEXT NOT NULL, country TEXT NOT NULL, category TEXT NOT NULL,
    type TEXT NOT NULL, billable INTEGER NOT NULL, currency TEXT NOT NULL, micros INTEGER NOT NULL,
    PRIMARY KEY (run, n)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX IF NOT EXISTS recipient_phone ON recipient (phone, claimed);
  CREATE INDEX IF NOT EXISTS recipient_campaign ON recipient (campaign, phone);
  CREATE INDEX IF NOT EXISTS recipient_open ON recipient (run, due, n) WHERE answer IS NULL AND skipped IS NULL;
  CREATE INDEX IF NOT EXISTS recipient_claimed ON recipient (claimed) WHERE claimed IS NOT NULL;
  CREATE TABLE IF NOT EXISTS message (
    id TEXT PRIMARY KEY, run INTEGER NOT NULL, n INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS early (
    message TEXT NOT NULL, status TEXT NOT NULL, time INTEGER NOT NULL, PRIMARY KEY (message, status)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS figure (
    scope TEXT NOT NULL, status TEXT NOT NULL, state TEXT NOT NULL, reason TEXT NOT NULL, held INTEGER NOT NULL,
    variant TEXT NOT NULL, count INTEGER NOT NULL, PRIMARY KEY (scope, status, state, reason, held, variant)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS cost (
    scope TEXT NOT NULL, day INTEGER NOT NULL, country TEXT NOT NULL, category TEXT NOT NULL, type TEXT NOT NULL,
    billable INTEGER NOT NULL, currency TEXT NOT NULL, count INTEGER NOT NULL, micros INTEGER NOT NULL,
    PRIMARY KEY (scope, day, country, category, type, billable, currency)
  ) STRICT, WITHOUT ROWID;
  ${COUNTERS.map(triggersOf).join('\n')}
  ${MINUTES}
`
