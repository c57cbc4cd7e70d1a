import type { StoredEvent } from '#schemas/event.ts'
import {
  SESSION_PREFIX,
  sessionEndedSchema,
  sessionLevelChangedSchema,
  sessionStartedSchema,
} from '#schemas/events/session.ts'
import type { StatementCache } from '../statement-cache.ts'
import type { AuditLog } from './audit-log.ts'
import type { LevelTree } from './level-tree.ts'

const ACTIONS: Readonly<Record<string, string>> = {
  SessionStarted: 'started',
  SessionLevelChanged: 'levelchanged',
  SessionEnded: 'ended',
}

/** Live sessions, and a line in the audit, under the user, for each start, change of level and end. */
export class SessionRecord {
  readonly #statements: StatementCache
  readonly #levels: LevelTree
  readonly #audit: AuditLog

  constructor(statements: StatementCache, levels: LevelTree, audit: AuditLog) {
    this.#statements = statements
    this.#levels = levels
    this.#audit = audit
  }

  /** The session that was touched. */
  apply(event: StoredEvent): string | undefined {
    const action = ACTIONS[event.type]
    if (action === undefined) return undefined
    const id = event.stream.slice(SESSION_PREFIX.length)
    const user = this.#fold(event, id)
    if (user === undefined) return undefined
    const { time, type, actor, revision } = event
    const level = this.#audit.levelOf('user', user) ?? this.#levels.key(event.level)
    this.#audit.add({ time, entity: 'session', id: user, type, action, level, actor, revision, changes: [] })
    return id
  }

  #fold(event: StoredEvent, id: string): string | undefined {
    switch (event.type) {
      case 'SessionStarted': {
        const { user, level, expires } = sessionStartedSchema.parse(event.data)
        this.#statements.run('DELETE FROM session WHERE expires < ?', event.time)
        this.#statements.run('INSERT OR REPLACE INTO session VALUES (?, ?, ?, ?)', id, user, level, expires)
        return user
      }
      case 'SessionLevelChanged': {
        const { user, level } = sessionLevelChangedSchema.parse(event.data)
        this.#statements.run('UPDATE session SET level = ? WHERE id = ?', level, id)
        return user
      }
      default:
        this.#statements.run('DELETE FROM session WHERE id = ?', id)
        return sessionEndedSchema.parse(event.data).user
    }
  }
}
