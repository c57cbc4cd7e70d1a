import { DatabaseSync } from 'node:sqlite'
import { parentPort, Worker, workerData } from 'node:worker_threads'
import { type FromProjection, type ProjectionData, type ToProjection, unpacked } from '../message.ts'
import { createAllIndexes, createTables } from '../schema.ts'
import { numberOf, type StatementCache } from '../statement-cache.ts'
import { makeMiniature } from './flow-keyframe.ts'
import { type DerivedFlow, Projector } from './projector.ts'

const port = parentPort
if (port === null) throw new Error('projection-worker runs as a worker thread')
const { file, tables, store } = workerData as ProjectionData

const MINIATURE_PAUSE = 400
const ERASE_PAUSE = 200
const MINIATURES_AT_ONCE = 10

/**
 * While building a crash costs nothing but the building. Indexes are sorted in files at its end: in memory they would
 * take as much of it as there are events.
 */
const BUILDING = `PRAGMA synchronous = OFF; PRAGMA wal_autocheckpoint = 8192; PRAGMA cache_size = -32768;
  PRAGMA temp_store = FILE`
/** Checkpoints are made between answers; SQLite's own, within a commit, only after very large ones. */
const SERVING = `PRAGMA synchronous = NORMAL; PRAGMA wal_autocheckpoint = 8192; PRAGMA cache_size = -8192;
  PRAGMA temp_store = MEMORY`
/** Pages of a checkpoint: a large one takes longer than many small ones. */
const CHECKPOINT_PAGES = 400
/** Limit of commits without a checkpoint. */
const MAX_COMMITS = 200

/**
 * Called after each answer, makes a checkpoint when the write-ahead log has about CHECKPOINT_PAGES: a checkpoint waits for
 * the disk, and so would everybody who waits for the rows of a commit that makes one.
 */
const openCheckpoints = (statements: StatementCache): (() => void) => {
  let commits = 0
  let due = 1
  return () => {
    commits += 1
    if (commits < due) return
    try {
      const pages = numberOf(statements.get('PRAGMA wal_checkpoint(PASSIVE)'), 'log')
      due = Math.min(MAX_COMMITS, Math.max(1, Math.round((commits * CHECKPOINT_PAGES) / Math.max(1, pages))))
    } catch {
      // On a full disk, as SQLite's own: the rows are in the log, and the next checkpoint tries again.
    }
    commits = 0
  }
}

const open = (): DatabaseSync => {
  const database = new DatabaseSync(file)
  database.exec('PRAGMA busy_timeout = 5000; PRAGMA secure_delete = ON')
  const made = database.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'meta'").get()
  if (made === undefined) {
    createTables(database, tables)
    database.prepare("INSERT INTO meta VALUES ('store', ?)").run(store)
  }
  database.exec('PRAGMA journal_mode = WAL')
  database.exec(isComplete(database) ? SERVING : BUILDING)
  return database
}

/** Caught up once, and indexed. */
const isComplete = (database: DatabaseSync): boolean =>
  database.prepare("SELECT 1 FROM meta WHERE key = 'complete'").get() !== undefined

const send = (message: FromProjection): void => port.postMessage(message)

const fail = (error: unknown): void => {
  const message = error instanceof Error ? error.message : String(error)
  const code = error instanceof Error && 'errcode' in error ? Number(error.errcode) & 0xff : 0
  send({ kind: 'failed', message, corrupt: code === CORRUPT || code === NOT_A_DATABASE })
}
const CORRUPT = 11
const NOT_A_DATABASE = 26

const serve = (): void => {
  const database = open()
  const projector = new Projector(database, tables, !isComplete(database))
  const checkpoint = openCheckpoints(projector.statements)
  let timer: NodeJS.Timeout | undefined
  let drawing = isComplete(database)

  const stale = (): number[] => {
    const rows = projector.statements.all(
      `SELECT flow.key FROM flow LEFT JOIN flow_miniature m ON m.flow = flow.key
       WHERE m.revision IS NULL OR m.revision < flow.revision ORDER BY flow.seq DESC LIMIT ?`,
      MINIATURES_AT_ONCE,
    )
    return rows.map(row => numberOf(row, 'key'))
  }
  const draw = (): void => {
    timer = undefined
    const flows = stale()
    database.exec('BEGIN')
    for (const flow of flows) {
      const row = projector.statements.get('SELECT revision FROM flow WHERE key = ?', flow)
      makeMiniature(projector.statements, flow, numberOf(row, 'revision'))
    }
    database.exec('COMMIT')
    if (flows.length === MINIATURES_AT_ONCE) drawSoon(0)
  }
  const drawSoon = (pause: number): void => {
    if (drawing) timer ??= setTimeout(() => guard(draw), pause)
  }

  let eraser: NodeJS.Timeout | undefined
  const erase = (): void => {
    clearTimeout(eraser)
    if (!projector.erase()) eraser = setTimeout(() => guard(erase), ERASE_PAUSE)
  }

  /** Messages that came while a rebuild ends. */
  let postponed: ToProjection[] | undefined
  const finish = async (): Promise<void> => {
    const report = projector.commit()
    const deriving = projector.lateFlows < FEW_FLOWS ? undefined : derivedFlows()
    projector.completeRows()
    createAllIndexes(database, tables)
    const derived = await deriving
    if (!database.isOpen) return
    projector.completeFlows(derived)
    projector.statements.run("INSERT OR REPLACE INTO meta VALUES ('complete', '1')")
    database.exec(`PRAGMA wal_checkpoint(TRUNCATE); ${SERVING}; PRAGMA shrink_memory`)
    send({ kind: 'completed', ...report })
    drawing = true
    drawSoon(0)
    const messages = postponed ?? []
    postponed = undefined
    for (const message of messages) handle(message)
  }

  const handle = (message: ToProjection): void => {
    if (postponed !== undefined && message.kind !== 'close') {
      postponed.push(message)
      return
    }
    switch (message.kind) {
      case 'batch': {
        const report = projector.apply(message.events.map(unpacked), message.position)
        send({ kind: 'applied', position: message.position, count: message.events.length, ...report })
        if (drawing) checkpoint()
        erase()
        if (report.touched.some(({ entity }) => entity === 'flow')) drawSoon(MINIATURE_PAUSE)
        return
      }
      case 'complete':
        postponed = []
        void finish().catch(end)
        return
      case 'tokenused': {
        const { token, at, from } = message.use
        const sql = 'UPDATE e_apitoken SET f_last_used_at = ?, f_last_used_from = ? WHERE id = ?'
        projector.statements.run(sql, at, from, token)
        return
      }
      case 'close':
        clearTimeout(timer)
        clearTimeout(eraser)
        void deriver?.terminate()
        database.close()
        send({ kind: 'closed' })
        port.close()
    }
  }
  port.on('message', (message: ToProjection) => guard(() => handle(message)))
  send({ kind: 'opened', checkpoint: projector.checkpoint, access: projector.access() })
}

/** Fewer are read in this thread sooner than another has started. */
const FEW_FLOWS = 20

let deriver: Worker | undefined

/** Undefined when the thread ended early: then they are derived here. */
const derivedFlows = (): Promise<readonly DerivedFlow[] | undefined> =>
  new Promise(resolve => {
    const derived: DerivedFlow[] = []
    let isWhole = false
    const script = new URL('./flow-derivation-worker.ts', import.meta.url)
    deriver = new Worker(script, { workerData: { file }, env: {} })
    deriver.on('message', (flow: DerivedFlow | null) => {
      if (flow === null) isWhole = true
      else derived.push(flow)
    })
    deriver.on('error', () => undefined)
    deriver.on('exit', () => resolve(isWhole ? derived : undefined))
  })

const end = (error: unknown): void => {
  fail(error)
  process.exit(1)
}

const guard = (work: () => void): void => {
  try {
    work()
  } catch (error) {
    end(error)
  }
}

guard(serve)
