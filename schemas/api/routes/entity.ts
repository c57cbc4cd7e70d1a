import { z } from 'zod'
import { json, named } from '../common.ts'
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
  identityProviderTestAnswer,
  levelAlertsAnswer,
  metaDoneAnswer,
  mlTestAnswer,
  numberSeenAnswer,
  oauthTestAnswer,
  providerClaimsAnswer,
  providerTestBegun,
  providerTestBody,
  registerNumberBody,
  requestCodeBody,
  syncAnswer,
  templateRecordAnswer,
  testMessageAnswer,
  testMessageBody,
  verifyCodeBody,
} from '../external-system.ts'
import { csvRoute, fileLinksSchema } from '../file.ts'
import { botMessagesQuery, messageMatrixQuery, messageMatrixSchema } from '../message.ts'
import { assignableQuery, historyQuery, usedByQuery } from '../query.ts'
import { defineRoutes } from '../route.ts'
import {
  actionResultSchema,
  assignableSchema,
  createdSchema,
  historySchema,
  levelOfQuery,
  levelOfSchema,
  personSchema,
  removeBody,
  restoreBody,
  revisionSchema,
  usedBySchema,
} from '../write.ts'

/** Name of what the caller may not see: null. */
const thing = z.object({ id: z.string(), name: z.string().nullable() })

/** Holders of a role, and their use of it. */
const roleHoldersSchema = named(
  'RoleHolders',
  z.object({
    /** Counts all holders, also those hidden from the caller. */
    total: z.int(),
    /** At most 200, by name. `set`: place in `sets` of what their other roles permit. */
    people: z.array(
      z.object({
        id: z.string(),
        username: z.string().nullable(),
        firstname: z.string().nullable(),
        lastname: z.string().nullable(),
        set: z.int(),
      }),
    ),
    sets: z.array(z.array(z.string())),
    /** Days that `unused` looks back. */
    days: z.int(),
    /** Permissions of the role to create, change and delete that none of them used; reading leaves no trace. */
    unused: z.array(z.string()),
  }),
)

/** A person's rights and their source: each role, the group that has it, and the person's group that leads to that. */
const rightsSchema = named(
  'Rights',
  z.object({
    /** Everything, because their home is the root and ALLOW_LEVEL1_DEFAULT_ACCESS is on. */
    everything: z.boolean(),
    grants: z.array(z.object({ role: thing, group: thing, member: thing, permissions: z.array(z.string()) })),
  }),
)

const transferQuery = z.strictObject({ hierarchylevel: z.string().min(1).max(200) })

/** At most 50 of the people; `total` counts all. */
const people = z.object({ total: z.int(), items: z.array(personSchema) })

/**
 * People that gain access to the thing at the new level, and people that lose it. `levels`: levels that a user gains or
 * loses. `beyond`: references of the thing that people of the present level can open and people of the new one cannot.
 */
const transferPreviewSchema = named(
  'TransferPreview',
  z.object({
    from: z.string(),
    to: z.string(),
    gains: people,
    losses: people,
    levels: z.object({ gains: z.array(z.string()), losses: z.array(z.string()) }).nullable(),
    beyond: z.array(z.object({ field: z.string(), entity: z.string(), id: z.string(), name: z.string() })),
  }),
)

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
  'GET /{entity}/export': csvRoute(anyListQuery),
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
  'POST /identityprovider/{id}/test': { status: 200, answer: identityProviderTestAnswer },
  'POST /identityprovider/{id}/testaccount': { status: 200, answer: providerTestBegun },
  'POST /identityprovider/{id}/testclaims': { body: providerTestBody, status: 200, answer: providerClaimsAnswer },
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
