import type { FastifyInstance } from 'fastify'
import { checkStory, stepsOf } from '#domain/nlu/check-story.ts'
import { allRows, SYSTEM_SCOPE } from '#projections/scope.ts'
import type { Rooms } from '#realtime/port.ts'
import { projectStories, storyNames } from '#runtime/nlu/train-stories.ts'
import type { Conversations } from '#runtime/port.ts'
import type { BotServices } from '#runtime/service/bot-services.ts'
import { ENTITIES } from '#schemas/entities/registry.ts'
import { handle } from '../http/handle.ts'
import type { Parts, Session } from '../port.ts'
import { refuse } from '../problem.ts'
import type { ServerParts } from '../server-parts.ts'
import { addAccessReview } from './access-review.ts'
import { addAudit, addChain } from './audit.ts'
import { addBlockTryOut } from './block-try-out.ts'
import { addBotMetrics } from './bot-metrics.ts'
import { addCampaigns, addCampaignTests } from './campaign.ts'
import { addChannelHealth, addChannelTest } from './channel.ts'
import { sessionOf } from './command.ts'
import { addContacts } from './contact.ts'
import { addContactBulk, addContactExport } from './contact-bulk.ts'
import { addContactUploads } from './contact-upload.ts'
import { addConversations } from './conversation.ts'
import { addConversationTests, addKeptTest } from './conversation-test.ts'
import { addDesk } from './desk.ts'
import { addEntity, addTransfer } from './entity.ts'
import { addEvents, addWebhooks } from './event.ts'
import { addConversationExport } from './export.ts'
import { addAgentQueue, addAgentTest, addMlTest, addOAuthTest } from './external-system.ts'
import { addFile, addFileLinks } from './file.ts'
import { addComment, addFlow, addFlowText } from './flow.ts'
import { addHealth, addInstance } from './health.ts'
import { addImports } from './import.ts'
import { addMetaAccount } from './meta-account.ts'
import { addNlu, addNluFile, addUnrecognized } from './nlu.ts'
import { addAlerts, addMessages, addNotification } from './notification.ts'
import {
  activeEditors,
  addBotTemplates,
  addNames,
  addOverview,
  addRunningBots,
  addSample,
  liveBots,
  webChatDays,
} from './overview.ts'
import { addProcess } from './process.ts'
import { addRehearsals } from './rehearsal.ts'
import { addReport } from './report.ts'
import { addRights, addRoleHolders } from './rights.ts'
import { addSegments } from './segment.ts'
import { addSimulatedNumbers } from './simulated-number.ts'
import { addSimulation } from './simulation.ts'
import { addSuppressions } from './suppression.ts'
import { addTemplates } from './template.ts'
import { addVersion } from './version.ts'

/** Activity of the caller's levels per day, and what needs attention now. */
const addDashboard = (app: FastifyInstance, { read }: Parts): void => {
  handle(app, 'GET /dashboard', { permission: 'showdashboard' }, async request =>
    read.dashboard(sessionOf(request).scope, Number(request.query.days), Date.now()),
  )
}

/** POST /nluproject/{id}/checkstory: faults of a story being edited. Writes nothing. */
const addCheckStory = (app: FastifyInstance, { read }: Parts): void => {
  handle(
    app,
    'POST /nluproject/{id}/checkstory',
    { permission: 'readstory', effect: 'reads' },
    async (request, reply) => {
      const { scope } = sessionOf(request)
      const project = await read.detail(scope, 'nluproject', request.params.id)
      if (project === undefined) return refuse(reply, { code: 'entity.notfound' })
      const [names, others] = await Promise.all([
        storyNames(read, scope, project.id),
        projectStories(read, scope, project.id),
      ])
      const { story, steps } = request.body
      if (story !== null && !others.some(({ id }) => id === story)) return refuse(reply, { code: 'entity.notfound' })
      return { faults: checkStory({ id: story ?? '', name: '', steps: stepsOf(steps as never) }, others, names) }
    },
  )
}

/** GET /bot/{id}/services: the parts of a bot as they are on record, and as each node says that they are now. */
const addBotServices = (app: FastifyInstance, { read }: Parts, services: BotServices): void => {
  handle(app, 'GET /bot/{id}/services', { permission: 'readbotservice' }, async (request, reply) => {
    const { scope } = sessionOf(request)
    const { id } = request.params
    const bot = await read.detail(scope, 'bot', id)
    if (bot === undefined) return refuse(reply, { code: 'entity.notfound' })
    const rows = await allRows(read, scope, 'botservice', { bot: id })
    const nodes = services.nodesOf(id)
    const items = rows.map(row => ({
      id: row.id,
      name: String(row.name),
      systemid: String(row.systemid),
      state: row.state,
      status: row.status,
      buildversion: row.buildversion ?? null,
      since: row.modified_at,
      nodes: nodes
        .filter(({ systemid }) => systemid === row.systemid)
        .map(({ node, version, status, since }) => ({ node, version, status, since: new Date(since).toISOString() })),
    }))
    const { runningstatus, servicesup, minservicesneeded } = bot
    const answer = { runningstatus, up: servicesup ?? 0, needed: minservicesneeded ?? 0, items }
    return reply.send(answer)
  })
}

/** GET /bot/{id}/overview: contents of a bot, its live parts, and its editors. */
const addBotOverview = (
  app: FastifyInstance,
  { read }: Parts,
  rooms: Rooms,
  conversations: Pick<Conversations, 'records'> | undefined,
): void => {
  handle(app, 'GET /bot/{id}/overview', { permission: 'readbot' }, async (request, reply) => {
    const { scope } = sessionOf(request)
    const { id } = request.params
    const overview = await read.botOverview(scope, id, Date.now())
    if (overview === undefined) return refuse(reply, { code: 'entity.notfound' })
    const bot = await read.detail(scope, 'bot', id)
    const [live] = (bot && (await liveBots(conversations, scope, [bot]))) ?? []
    const editing = await activeEditors(read, scope, rooms, id)
    const records = await conversations?.records()
    const talked = records?.metrics.hasTalked(id) ?? false
    return {
      ...{ ...overview, editing, talked },
      ...(live === undefined ? {} : { live }),
      ...(records === undefined || bot === undefined ? {} : { webchat: webChatDays(records.metrics, scope, bot) }),
    }
  })
}

/** GET /bot/{id}/logs: failures of a running bot on any node, by ids and codes. */
const addBotLog = (
  app: FastifyInstance,
  { read, botLogs }: Parts,
  services: Pick<BotServices, 'hearsAll'> | undefined,
): void => {
  handle(app, 'GET /bot/{id}/logs', { permission: 'readbot' }, async (request, reply) => {
    const { scope } = sessionOf(request)
    const { id } = request.params
    if ((await read.detail(scope, 'bot', id)) === undefined) return refuse(reply, { code: 'entity.notfound' })
    const heard = services?.hearsAll() ?? true
    return { ...(await botLogs.read(id, request.query)), heard }
  })
}

/** Names of one answer. */
const MAX_LISTED = 1_000

/**
 * Roles or user groups of the levels above that may be assigned within a level: only their names, and only of those
 * without permissions that the caller lacks.
 */
const addAssignable = (app: FastifyInstance, { read, lookup }: Parts, entity: 'role' | 'usergroup'): void => {
  const permissionsOf = (id: string) =>
    entity === 'role' ? lookup.permissionsOfRoles([id]) : lookup.permissionsOfGroups([id])

  const itemsOf = async ({ caller }: Session, level: string) => {
    const above = (await lookup.ancestors(level)).filter(one => !caller.subtree.has(one))
    const ids = (await Promise.all(above.map(one => lookup.children('hierarchy', one, entity)))).flat()
    const items = await Promise.all(
      ids.map(async id => {
        if ([...(await permissionsOf(id))].some(permission => !caller.permits(permission))) return []
        const row = await read.detail(SYSTEM_SCOPE, entity, id)
        return row === undefined ? [] : [{ id, name: String(row.name) }]
      }),
    )
    return items
      .flat()
      .sort((a, b) => a.name.localeCompare(b.name))
      .slice(0, MAX_LISTED)
  }

  handle(app, 'GET /{entity}/assignable', { path: { entity }, permission: `read${entity}` }, async (request, reply) => {
    const session = sessionOf(request)
    const { hierarchylevel = session.access.level } = request.query
    if (!session.caller.subtree.has(hierarchylevel)) return refuse(reply, { code: 'entity.notfound' })
    return { items: await itemsOf(session, hierarchylevel) }
  })
}

/** Everything under the API's base but sign-in. */
export const addApi = async (
  app: FastifyInstance,
  {
    parts,
    rooms,
    flows,
    conversations,
    services,
    running,
    audiences,
    campaigns,
    alerts,
    sample,
    events,
    webhooks,
  }: ServerParts,
): Promise<void> => {
  addHealth(app, parts)
  addInstance(app, parts)
  addOverview(app, parts, rooms, conversations)
  addDashboard(app, parts)
  addBotOverview(app, parts, rooms, conversations)
  addBotLog(app, parts, services)
  addNames(app, parts)
  addMessages(app, parts)
  addNotification(app, parts)
  if (events !== undefined) addEvents(app, { parts, events })
  if (events !== undefined && webhooks !== undefined) addWebhooks(app, { parts, webhooks, events })
  addAudit(app, parts)
  addChain(app, parts)
  addAccessReview(app, parts)
  addProcess(app, parts)
  for (const entity of Object.values(ENTITIES)) addEntity(app, parts, entity, services)
  addAssignable(app, parts, 'role')
  addAssignable(app, parts, 'usergroup')
  addRights(app, parts)
  addTransfer(app, parts)
  addRoleHolders(app, parts)
  addComment(app, parts, 'dialog')
  addComment(app, parts, 'handler')
  addFlow(app, parts, flows, 'dialog')
  addFlow(app, parts, flows, 'handler')
  addFlowText(app, parts)
  addBlockTryOut(app, parts)
  addOAuthTest(app, parts)
  addChannelTest(app, parts)
  addMlTest(app, parts)
  addAgentTest(app, parts)
  addMetaAccount(app, parts)
  addTemplates(app, parts)
  if (audiences !== undefined && campaigns !== undefined) addCampaigns(app, { parts, audiences, campaigns })
  if (audiences !== undefined && campaigns !== undefined) addSegments(app, { parts, audiences, campaigns })
  addReport(app, parts)
  addNlu(app, parts)
  addCheckStory(app, parts)
  addSimulation(app, parts, flows)
  addConversationTests(app, parts, flows)
  if (alerts !== undefined) addAlerts(app, { parts, alerts })
  if (sample !== undefined) addSample(app, sample)
  addBotTemplates(app, parts)
  if (services !== undefined) addBotServices(app, parts, services)
  if (running !== undefined) addRunningBots(app, parts, running)
  if (audiences !== undefined) addContacts(app, { parts, audiences })
  if (audiences !== undefined) addCampaignTests(app, { parts, audiences })
  if (audiences !== undefined && campaigns !== undefined) addContactExport(app, { parts, audiences, campaigns })
  if (audiences !== undefined) addSuppressions(app, { parts, audiences })
  if (audiences !== undefined) addSimulatedNumbers(app, { parts, audiences })
  if (conversations !== undefined) {
    addConversationExport(app, { parts, conversations })
    addConversations(app, { parts, conversations })
    addKeptTest(app, { parts, conversations }, flows)
    addRehearsals(app, { parts, conversations }, flows)
    addUnrecognized(app, parts, conversations)
    addAgentQueue(app, parts, conversations)
    addDesk(app, { parts, conversations })
    addBotMetrics(app, { parts, conversations })
    addChannelHealth(app, { parts, conversations, audiences })
  }
  if (audiences !== undefined) await addContactBulk(app, { parts, audiences })
  if (audiences !== undefined) await addContactUploads(app, { parts, audiences })
  await addVersion(app, parts)
  await addNluFile(app, parts)
  await addFile(app, parts)
  addFileLinks(app, parts)
  await addImports(app, parts)
}
