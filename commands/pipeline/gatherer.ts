import type { EntityState } from '#domain/behaviour.ts'
import type { Fields } from '#domain/entity.ts'
import type { JsonObject } from '#schemas/event.ts'
import type { Tools } from './command-context.ts'
import type { Run } from './run.ts'

/** What deciding this command must know of other things: handed to the decider as `facts`. */
export type Gather = (tools: Tools, run: Run, state: EntityState, fields: Fields) => Promise<JsonObject>
