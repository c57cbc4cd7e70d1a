import type { FastifyInstance } from 'fastify'
import type { Rooms } from '#realtime/port.ts'
import { ENTITIES } from '#schemas/entities/registry.ts'
import type { Parts } from '../port.ts'
import { addAudit } from './audit.ts'
import { addEntity } from './entity.ts'
import { addHealth } from './health.ts'
import { addInstance } from './instance.ts'
import { addNotification } from './notification.ts'
import { addOverview } from './overview.ts'

/** Everything under the API's base but sign-in. */
export const addApi = (app: FastifyInstance, parts: Parts, rooms: Rooms): void => {
  addHealth(app, parts)
  addInstance(app, parts)
  addOverview(app, parts, rooms)
  addNotification(app, parts)
  addAudit(app, parts)
  for (const entity of Object.values(ENTITIES)) addEntity(app, parts, entity)
}
