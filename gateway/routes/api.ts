import type { FastifyInstance } from 'fastify'
import { ENTITIES } from '#schemas/entities/registry.ts'
import type { ServerParts } from '../server-parts.ts'
import { addAgentTest } from './agent.ts'
import { addAgentQueue } from './agent-queue.ts'
import { addAssignable } from './assignable.ts'
import { addAudit } from './audit.ts'
import { addBotLog } from './bot-log.ts'
import { addBotOverview } from './bot-overview.ts'
import { addBotServices, operateBots } from './bot-service.ts'
import { addCampaigns } from './campaign.ts'
import { addChain } from './chain.ts'
import { addChannelHealth, addChannelTest } from './channel.ts'
import { addCheckStory } from './check-story.ts'
import { addComment } from './comment.ts'
import { addContacts } from './contact.ts'
import { addContactUploads } from './contact-upload.ts'
import { addConversations } from './conversation.ts'
import { addConversationExport } from './conversation-export.ts'
import { addConversationTests } from './conversation-test.ts'
import { addDashboard } from './dashboard.ts'
import { addEntity } from './entity.ts'
import { addFile } from './file.ts'
import { addFileLinks } from './file-links.ts'
import { addFlow } from './flow.ts'
import { addFlowText } from './flow-text.ts'
import { addHealth } from './health.ts'
import { addImports } from './import.ts'
import { addInstance } from './instance.ts'
import { addKeptTest } from './kept-test.ts'
import { addMessages } from './message.ts'
import { addMetaAccount } from './meta-account.ts'
import { addMlTest } from './ml.ts'
import { addNames } from './names.ts'
import { addNlu } from './nlu.ts'
import { addNluFile } from './nlu-file.ts'
import { addNotification } from './notification.ts'
import { addOAuthTest } from './oauth.ts'
import { addOverview } from './overview.ts'
import { addProcess } from './process.ts'
import { addReport } from './report.ts'
import { addRights } from './rights.ts'
import { addRoleHolders } from './role-holders.ts'
import { addRunningBots } from './running-bots.ts'
import { addSimulation } from './simulation.ts'
import { addSuppressions } from './suppression.ts'
import { addTemplates } from './template.ts'
import { addTransfer } from './transfer.ts'
import { addTry } from './try.ts'
import { addUnrecognized } from './unrecognized.ts'
import { addVersion } from './version.ts'

/** Everything under the API's base but sign-in. */
export const addApi = async (
  app: FastifyInstance,
  { parts, rooms, flows, conversations, services, running, audiences, campaigns }: ServerParts,
): Promise<void> => {
  const done = operateBots(services)
  addHealth(app, parts)
  addInstance(app, parts)
  addOverview(app, parts, rooms)
  addDashboard(app, parts)
  addBotOverview(app, parts, rooms)
  addBotLog(app, parts, services)
  addNames(app, parts)
  addMessages(app, parts)
  addNotification(app, parts)
  addAudit(app, parts)
  addChain(app, parts)
  addProcess(app, parts)
  for (const entity of Object.values(ENTITIES)) addEntity(app, parts, entity, done)
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
  addTry(app, parts)
  addOAuthTest(app, parts)
  addChannelTest(app, parts)
  addMlTest(app, parts)
  addAgentTest(app, parts)
  addMetaAccount(app, parts)
  addTemplates(app, parts)
  if (audiences !== undefined && campaigns !== undefined) addCampaigns(app, { parts, audiences, campaigns })
  addReport(app, parts)
  addNlu(app, parts)
  addCheckStory(app, parts)
  addSimulation(app, parts, flows)
  addConversationTests(app, parts, flows)
  if (services !== undefined) addBotServices(app, parts, services)
  if (running !== undefined) addRunningBots(app, parts, running)
  if (audiences !== undefined) addContacts(app, { parts, audiences })
  if (audiences !== undefined) addSuppressions(app, { parts, audiences })
  if (conversations !== undefined) {
    addConversationExport(app, { parts, conversations })
    addConversations(app, { parts, conversations })
    addKeptTest(app, { parts, conversations }, flows)
    addUnrecognized(app, parts, conversations)
    addAgentQueue(app, parts, conversations)
    addChannelHealth(app, { parts, conversations })
  }
  if (audiences !== undefined) await addContactUploads(app, { parts, audiences })
  await addVersion(app, parts)
  await addNluFile(app, parts)
  await addFile(app, parts)
  addFileLinks(app, parts)
  await addImports(app, parts)
}
