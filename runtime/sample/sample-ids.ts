import { firstIds } from '#commands/people/bootstrap.ts'
import { derivedId } from '#commands/pipeline/append.ts'
import type { EventStore } from '#commands/store/port.ts'
import type { IdOf } from './plan.ts'

/** Ids of what the sample makes: the same for the same store. */
export const sampleIds =
  (store: EventStore): IdOf =>
  (entity, key) =>
    entity === 'hierarchy' && key === 'root' ? firstIds(store).level : derivedId(store.id, `sample ${entity} ${key}`)
