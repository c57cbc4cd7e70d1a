import { z } from 'zod'
import { json } from '../common.ts'
import { bulkBody, importBody, importSchema, processStartedSchema } from '../entity.ts'
import {
  accountTestAnswer,
  agentQueueAnswer,
  agentTestAnswer,
  alertTestAnswer,
  channelActivityAnswer,
  channelActivityQuery,
  channelHealthAnswer,
  channelHealthList,
  channelTestAnswer,
  clearQueueAnswer,
  clearQueueBody,
  emptyBody,
  levelAlertsAnswer,
  metaDoneAnswer,
  mlTestAnswer,
  numberSeenAnswer,
  oauthTestAnswer,
  registerNumberBody,
  requestCodeBody,
  syncAnswer,
  templateRecordAnswer,
  testMessageAnswer,
  testMessageBody,
  verifyCodeBody,
} from '../external-system.ts'
import { exportAnswer, fileLinksSchema } from '../file.ts'
import { botMessagesQuery, messageMatrixQuery, messageMatrixSchema } from '../message.ts'
import { assignableQuery, historyQuery, usedByQuery } from '../query.ts'
import { rightsSchema, roleHoldersSchema, transferPreviewSchema, transferQuery } from '../rights.ts'
import { defineRoutes } from '../route.ts'
import {
  actionResultSchema,
  assignableSchema,
  createdSchema,
  historySchema,
  levelOfQuery,
  levelOfSchema,
  removeBody,
  restoreBody,
  revisionSchema,
  usedBySchema,
} from '../write.ts'

/** One thing of any kind; `schemas/api/entity.ts` has the exact shape of each kind. */
const anyRowSchema = z
  .object({
    id: z.string(),
    revision: z.int(),
    hierarchylevel: z.string().nullable(),
    created_at: z.iso.datetime(),
    modified_at: z.iso.datetime(),
    created_by: z.string().nullable(),
    modified_by: z.string().nullable(),
  })
  .catchall(json)

const anyPageSchema = z.object({ items: z.array(anyRowSchema), total: z.int(), page: z.int(), size: z.int() })
const anyListQuery = z.record(z.string(), z.union([z.string(), z.number(), z.boolean()]).optional())
const fields = z.record(z.string(), json)

/** Routes of every declared entity; `entity` is its name. */
export const entityRoutes = defineRoutes({
  'GET /{entity}': { query: anyListQuery, status: 200, answer: anyPageSchema },
  'POST /{entity}': { body: fields, status: 201, answer: createdSchema },
  'GET /{entity}/hierarchy': { query: levelOfQuery, status: 200, answer: levelOfSchema },
  'GET /{entity}/assignable': { query: assignableQuery, status: 200, answer: assignableSchema },
  'GET /{entity}/export': { produces: 'text/csv', query: anyListQuery, status: 200, answer: exportAnswer, file: true },
  'POST /{entity}/import': {
    consumes: 'text/csv',
    query: anyListQuery,
    body: importBody,
    status: 200,
    answer: importSchema,
  },
  'POST /{entity}/bulk': { body: bulkBody, status: 202, answer: processStartedSchema },
  'GET /{entity}/{id}': { status: 200, answer: anyRowSchema },
  'PATCH /{entity}/{id}': { body: fields, status: 200, answer: createdSchema },
  'DELETE /{entity}/{id}': { body: removeBody, status: 200, answer: revisionSchema },
  'GET /{entity}/{id}/history': { query: historyQuery, status: 200, answer: historySchema },
  'GET /{entity}/{id}/usedby': { query: usedByQuery, status: 200, answer: usedBySchema },
  'GET /{entity}/{id}/at/{revision}': { status: 200, answer: anyRowSchema },
  'POST /{entity}/{id}/restore': { body: restoreBody, status: 200, answer: actionResultSchema },
  'GET /user/{id}/rights': { status: 200, answer: rightsSchema },
  'GET /user/{id}/transfer': { query: transferQuery, status: 200, answer: transferPreviewSchema },
  'GET /bot/{id}/transfer': { query: transferQuery, status: 200, answer: transferPreviewSchema },
  'GET /usergroup/{id}/rights': { status: 200, answer: rightsSchema },
  'GET /role/{id}/people': { status: 200, answer: roleHoldersSchema },
  'GET /cloudfile/{id}/links': { status: 200, answer: fileLinksSchema },
  'GET /localemessage/matrix': { query: messageMatrixQuery, status: 200, answer: messageMatrixSchema },
  'GET /bot/{id}/messages': {
    tag: 'botspecificlocalemessage',
    query: botMessagesQuery,
    status: 200,
    answer: messageMatrixSchema,
  },
  'POST /oauth/{id}/test': { status: 200, answer: oauthTestAnswer },
  'GET /agentchannel/{id}/queue': { status: 200, answer: agentQueueAnswer },
  'POST /agentchannel/{id}/clearqueue': { body: clearQueueBody, status: 200, answer: clearQueueAnswer },
  'POST /agentchannel/{id}/test': { status: 200, answer: agentTestAnswer },
  'POST /channel/{id}/test': { status: 200, answer: channelTestAnswer },
  'POST /channel/{id}/connect': { status: 200, answer: channelTestAnswer },
  'POST /channel/{id}/testmessage': { body: testMessageBody, status: 200, answer: testMessageAnswer },
  'GET /channel/{id}/testmessage/{message}': { status: 200, answer: testMessageAnswer },
  'GET /channel/{id}/activity': { query: channelActivityQuery, status: 200, answer: channelActivityAnswer },
  'GET /channel/{id}/health': { status: 200, answer: channelHealthAnswer },
  'GET /bot/{id}/channelhealth': { tag: 'channel', status: 200, answer: channelHealthList },
  'POST /mlchannel/{id}/test': { status: 200, answer: mlTestAnswer },
  'GET /hierarchy/{id}/alerts': { status: 200, answer: levelAlertsAnswer },
  'POST /hierarchy/{id}/testalert': { body: emptyBody, status: 200, answer: alertTestAnswer },
  'GET /metaaccount/{id}/seen': { status: 200, answer: numberSeenAnswer },
  'POST /metaaccount/{id}/test': { status: 200, answer: accountTestAnswer },
  'POST /metaaccount/{id}/subscribe': { body: emptyBody, status: 200, answer: metaDoneAnswer },
  'POST /metaaccount/{id}/requestcode': { body: requestCodeBody, status: 200, answer: metaDoneAnswer },
  'POST /metaaccount/{id}/verifycode': { body: verifyCodeBody, status: 200, answer: metaDoneAnswer },
  'POST /metaaccount/{id}/registernumber': { body: registerNumberBody, status: 200, answer: metaDoneAnswer },
  'POST /metaaccount/{id}/synctemplates': { body: emptyBody, status: 200, answer: syncAnswer },
  'POST /channel/{id}/synctemplates': { body: emptyBody, status: 200, answer: syncAnswer },
  'GET /template/{id}/record': { status: 200, answer: templateRecordAnswer },
  'POST /template/{id}/withdraw': { body: emptyBody, status: 200, answer: metaDoneAnswer },
  'POST /nlusettings/{id}/test': { status: 200, answer: mlTestAnswer },
  'POST /{entity}/{id}/{action}': { body: fields, status: 200, answer: actionResultSchema },
})
