import type { StoredEvent } from '#schemas/event.ts'
import {
  SESSION_PREFIX,
  sessionConfirmedSchema,
  sessionEndedSchema,
  sessionLevelChangedSchema,
  sessionStartedSchema,
  sessionViewSchema,
} from '#schemas/events/session.ts'
import { type StatementCache, textOf } from '../statement-cache.ts'
import type { AuditLog, StoredChange } from './audit-log.ts'
import type { LevelTree } from './level-tree.ts'

/** Ends that no event of the user's own stream tells. */
const TOLD_ENDS: ReadonlySet<string> = new Set(['elsewhere', 'administrator', 'provider'])

/**
 * Live sessions. The audit has one line per action: the user's own stream reports sign-ins and most ends; this class
 * adds changes of level, view-as and the other ends. A view-as line is about the viewed person.
 */
export class SessionProjection {
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
    const id = event.stream.slice(SESSION_PREFIX.length)
    switch (event.type) {
      case 'SessionStarted': {
        const { user, level, expires, way, provider, sub, sid } = sessionStartedSchema.parse(event.data)
        this.#statements.run('DELETE FROM session WHERE expires < ?', event.time)
        this.#statements.run(
          'INSERT OR REPLACE INTO session VALUES (?, ?, ?, ?, ?, NULL, ?, ?, ?, ?)',
          id,
          user,
          level,
          event.time,
          expires,
          way,
          provider,
          sub,
          sid,
        )
        return id
      }
      case 'SessionLevelChanged': {
        const { user, level } = sessionLevelChangedSchema.parse(event.data)
        const before = textOf(this.#statements.get('SELECT level FROM session WHERE id = ?', id), 'level')
        this.#statements.run('UPDATE session SET level = ? WHERE id = ?', level, id)
        this.#told(event, user, 'levelchanged', [{ path: 'hierarchylevel', before, after: level }])
        return id
      }
      case 'SessionConfirmed': {
        this.#told(event, sessionConfirmedSchema.parse(event.data).user, 'confirmed')
        return id
      }
      case 'SessionViewStarted': {
        const { as } = sessionViewSchema.parse(event.data)
        this.#statements.run('UPDATE session SET seenas = ? WHERE id = ?', as, id)
        this.#told(event, as, 'viewstarted')
        return id
      }
      case 'SessionViewEnded': {
        const { as } = sessionViewSchema.parse(event.data)
        this.#statements.run('UPDATE session SET seenas = NULL WHERE id = ?', id)
        this.#told(event, as, 'viewended')
        return id
      }
      case 'SessionEnded': {
        const { user, reason } = sessionEndedSchema.parse(event.data)
        this.#statements.run('DELETE FROM session WHERE id = ?', id)
        if (TOLD_ENDS.has(reason)) this.#told(event, user, 'ended')
        return id
      }
      default:
        return undefined
    }
  }

  #told(event: StoredEvent, user: string, action: string, changes: readonly StoredChange[] = []): void {
    const { time, type, actor, revision, causation: origin } = event
    const level = this.#audit.levelOf('user', user) ?? this.#levels.key(event.level)
    this.#audit.add({ time, entity: 'session', id: user, type, action, level, actor, revision, changes, origin })
  }
}
