import type { FastifyInstance } from 'fastify'
import type { z } from 'zod'
import { dashboardQuery, dashboardSchema } from '#schemas/api/dashboard.ts'
import type { Parts } from '../port.ts'
import { sessionOf } from './command.ts'

/** Activity of the caller's levels per day, and what needs attention now. */
export const addDashboard = (app: FastifyInstance, { read }: Parts): void => {
  app.get<{ Querystring: z.output<typeof dashboardQuery> }>(
    '/dashboard',
    {
      config: { permission: 'showdashboard' },
      schema: { tags: ['dashboard'], querystring: dashboardQuery, response: { 200: dashboardSchema } },
    },
    async request => read.dashboard(sessionOf(request).scope, Number(request.query.days), Date.now()),
  )
}
