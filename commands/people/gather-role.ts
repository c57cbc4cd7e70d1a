import type { Fields } from '#domain/entity.ts'
import { grantedBy } from '#domain/people/permission.ts'
import type { RightsFacts } from '#domain/people/right.ts'
import type { LoadFacts } from '../pipeline/command-context.ts'
import { fieldsAfter, idsOf, presentFields, rightsFacts } from './gather-rights.ts'

export const gatherRole: LoadFacts<RightsFacts> = (context, run, state, fields) => {
  const next = fieldsAfter(run, state, fields)
  return rightsFacts(context, run, {
    before: granted(presentFields(state)),
    after: granted(next ?? {}),
    ...(state.status === 'live' ? { supposing: { entity: 'role', id: state.id, fields: next } } : {}),
  })
}

const granted = (fields: Fields) => grantedBy({ actions: idsOf(fields.actions), services: idsOf(fields.services) })
