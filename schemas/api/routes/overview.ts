import { z } from 'zod'
import { isEntityName } from '../../entities/registry.ts'
import { metricsRecountedSchema } from '../../events/metrics.ts'
import { findingSchema, logVerifiedSchema } from '../../events/seal.ts'
import { accessReviewExportQuery, accessReviewQuery, accessReviewSchema } from '../access-review.ts'
import {
  botMetricsQuery,
  botMetricsSchema,
  botsLiveSchema,
  botsMetricsQuery,
  botsMetricsSchema,
} from '../bot-metrics.ts'
import { botOverviewSchema } from '../bot-overview.ts'
import { botLogQuery, botLogSchema, botServicesSchema } from '../bot-service.ts'
import { named } from '../common.ts'
import { processSchema, processStartedSchema, undoBody } from '../entity.ts'
import {
  deliveriesSchema,
  deliveryQuery,
  eventPageSchema,
  eventQuery,
  replayBody,
  replayedSchema,
  retriedSchema,
  retryBody,
  webhookTestSchema,
} from '../event.ts'
import { csvRoute, exportAnswer, fileAnswer, fileBody, fileContent, fileParam } from '../file.ts'
import {
  botTemplatesSchema,
  dashboardQuery,
  dashboardSchema,
  fromTemplateBody,
  fromTemplateSchema,
  homeSchema,
  instanceSchema,
  latestReleaseSchema,
  peopleSchema,
  readNotificationsBody,
  removedSampleSchema,
  sampleSchema,
  searchSchema,
} from '../home.ts'
import {
  auditActivityQuery,
  auditExportQuery,
  auditQuery,
  notificationQuery,
  peopleQuery,
  searchQuery,
} from '../query.ts'
import { embedQuery, embedSchema, reportsQuery, reportsSchema } from '../report.ts'
import { defineRoutes } from '../route.ts'
import {
  simulationAnswer,
  simulationBody,
  simulationClock,
  simulationEmpty,
  simulationRerun,
  simulationRun,
  simulationSay,
  simulationSchema,
  simulationSet,
  simulationTest,
  simulationTestFile,
} from '../simulation.ts'
import { auditActivitySchema, auditPageSchema, nothingSchema, notificationPageSchema, personSchema } from '../write.ts'

/** State of the log: its last seal, and the result of the last verification. */
const chainSchema = named(
  'Chain',
  z.object({
    /** Public key of the seals, Ed25519, base64url. */
    key: z.string(),
    /** `events`: all that are sealed. */
    seal: z.object({ number: z.int(), time: z.string(), events: z.int() }).nullable(),
    unsealed: z.int(),
    /** A verification under way on this node. */
    running: z.object({ since: z.string(), user: personSchema.nullable() }).nullable(),
    /** The last nightly recount of a sample of the figures of conversations, by node. `lines`: as `findings`. */
    recounts: z.array(metricsRecountedSchema.extend({ time: z.string() })),
    /** `user`: null for the system. `findings`: only for who sees all levels. */
    verification: logVerifiedSchema
      .extend({ time: z.string(), user: personSchema.nullable(), findings: z.array(findingSchema) })
      .nullable(),
  }),
)

const MAX_NAMES = 500

const countOf = (ids: Readonly<Record<string, readonly string[]>>): number =>
  Object.values(ids).reduce((sum, list) => sum + list.length, 0)

/** Ids by entity, at most 500 in all. */
const namesBody = named(
  'NamesWanted',
  z.strictObject({
    ids: z
      .record(z.string().max(100).refine(isEntityName), z.array(z.string().max(200)))
      .refine(ids => countOf(ids) <= MAX_NAMES, { params: { code: 'toolarge', max: MAX_NAMES } }),
  }),
)

/** Titles by entity and id. */
const namesSchema = named('Names', z.record(z.string(), z.record(z.string(), z.string())))

/** Console data beyond the entities. */
export const overviewRoutes = defineRoutes({
  'GET /instance': { status: 200, answer: instanceSchema },
  'GET /home': { status: 200, answer: homeSchema },
  'GET /bottemplate': { status: 200, answer: botTemplatesSchema },
  'POST /bottemplate/{key}': { body: fromTemplateBody, status: 201, answer: fromTemplateSchema },
  'GET /sample': { status: 200, answer: sampleSchema },
  'DELETE /sample': { status: 200, answer: removedSampleSchema },
  'GET /dashboard': { query: dashboardQuery, status: 200, answer: dashboardSchema },
  'GET /bot/{id}/overview': { status: 200, answer: botOverviewSchema },
  'GET /bot/{id}/services': { status: 200, answer: botServicesSchema },
  'GET /bot/live': { query: peopleQuery, status: 200, answer: botsLiveSchema },
  'GET /bot/metrics': { query: botsMetricsQuery, status: 200, answer: botsMetricsSchema },
  'GET /bot/{id}/metrics': { query: botMetricsQuery, status: 200, answer: botMetricsSchema },
  'GET /bot/{id}/metrics/export': csvRoute(botMetricsQuery),
  'GET /bot/{id}/logs': { query: botLogQuery, status: 200, answer: botLogSchema },
  'GET /search': { query: searchQuery, status: 200, answer: searchSchema },
  'POST /names': { body: namesBody, status: 200, answer: namesSchema },
  'GET /people': { query: peopleQuery, status: 200, answer: peopleSchema },
  'GET /releasenote/latest': { status: 200, answer: latestReleaseSchema },
  'GET /reports': { tag: 'report', query: reportsQuery, status: 200, answer: reportsSchema },
  'GET /report/{id}/embed': { query: embedQuery, status: 200, answer: embedSchema },
  'GET /notification': { query: notificationQuery, status: 200, answer: notificationPageSchema },
  'GET /event': { query: eventQuery, status: 200, answer: eventPageSchema },
  'GET /webhook/{id}/delivery': { query: deliveryQuery, status: 200, answer: deliveriesSchema },
  'POST /webhook/{id}/retry': { body: retryBody, status: 200, answer: retriedSchema },
  'POST /webhook/{id}/replay': { body: replayBody, status: 202, answer: replayedSchema },
  'POST /webhook/{id}/test': { status: 200, answer: webhookTestSchema },
  'POST /notification/read': { body: readNotificationsBody, status: 204, answer: nothingSchema },
  'POST /bot/{id}/simulation': { tag: 'simulation', body: simulationBody, status: 201, answer: simulationSchema },
  'POST /simulation/{id}/say': { body: simulationSay, status: 200, answer: simulationSchema },
  'POST /simulation/{id}/step': { body: simulationEmpty, status: 200, answer: simulationSchema },
  'POST /simulation/{id}/run': { body: simulationRun, status: 200, answer: simulationSchema },
  'POST /simulation/{id}/back': { body: simulationEmpty, status: 200, answer: simulationSchema },
  'POST /simulation/{id}/rerun': { body: simulationRerun, status: 200, answer: simulationSchema },
  'POST /simulation/{id}/set': { body: simulationSet, status: 200, answer: simulationSchema },
  'POST /simulation/{id}/clock': { body: simulationClock, status: 200, answer: simulationSchema },
  'POST /simulation/{id}/test': { body: simulationTest, status: 200, answer: simulationTestFile },
  'POST /simulation/{id}/answer': { body: simulationAnswer, status: 200, answer: simulationSchema },
  'GET /audit': { query: auditQuery, status: 200, answer: auditPageSchema },
  'GET /audit/activity': { query: auditActivityQuery, status: 200, answer: auditActivitySchema },
  'GET /audit/export': { query: auditExportQuery, status: 200, answer: exportAnswer, file: true },
  'GET /audit/access': { query: accessReviewQuery, status: 200, answer: accessReviewSchema },
  'GET /audit/access/export': csvRoute(accessReviewExportQuery),
  'GET /audit/chain': { status: 200, answer: chainSchema },
  'POST /file': { consumes: 'multipart/form-data', body: fileBody, status: 201, answer: fileAnswer },
  'GET /file/{id}': { params: fileParam, status: 200, answer: fileContent, file: true },
  'GET /process/{id}': { status: 200, answer: processSchema },
  'POST /process/{id}/undo': { body: undoBody, status: 202, answer: processStartedSchema },
  'POST /audit/chain/verify': { status: 202, answer: chainSchema },
})
