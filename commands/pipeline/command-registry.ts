import type * as Y from 'yjs'
import { segmentBehaviour } from '#domain/audience/segment.ts'
import type { Behaviour } from '#domain/behaviour.ts'
import { botBehaviour, deploymentBehaviour } from '#domain/bot.ts'
import { campaignBehaviour, tellExport, tellTest } from '#domain/campaign/behaviour.ts'
import { priceListBehaviour } from '#domain/campaign/price.ts'
import {
  agentChannelBehaviour,
  channelBehaviour,
  mlChannelBehaviour,
  recordChannel,
  tellTestMessage,
} from '#domain/channel.ts'
import { cloudFileBehaviour } from '#domain/cloud-file.ts'
import { commentBehaviour } from '#domain/comment.ts'
import { conversationTestBehaviour } from '#domain/conversation-test/behaviour.ts'
import { deskQueueBehaviour, recordReadiness } from '#domain/desk/queue.ts'
import { nodesOf } from '#domain/flow/document/document.ts'
import { addNode } from '#domain/flow/document/edit.ts'
import { metaAppBehaviour, recordAccount } from '#domain/meta/account.ts'
import { regexBehaviour } from '#domain/nlu/pattern-cost.ts'
import { storyTraining, uploadCommand } from '#domain/nlu-training.ts'
import { brainBehaviour, nluProjectBehaviour, nluSettingsBehaviour } from '#domain/nluproject.ts'
import { apiTokenBehaviour, serviceAccountBehaviour } from '#domain/people/api-token.ts'
import { hierarchyBehaviour } from '#domain/people/hierarchy.ts'
import { identityProviderBehaviour } from '#domain/people/identity-provider.ts'
import { roleBehaviour } from '#domain/people/permission.ts'
import { userBehaviour, usergroupBehaviour } from '#domain/people/user-command.ts'
import { dialogBehaviour, handlerBehaviour } from '#domain/publishing.ts'
import { reportBehaviour } from '#domain/report.ts'
import { templateBehaviour } from '#domain/template/behaviour.ts'
import { tinyUrlBehaviour } from '#domain/tiny-url.ts'
import { recordWebhook, webhookBehaviour } from '#domain/webhook.ts'
import { dialogcomment, handlercomment } from '#schemas/entities/comment.ts'
import { nluproject } from '#schemas/entities/nluproject.ts'
import type { ENTITIES, EntityName } from '#schemas/entities/registry.ts'
import { story } from '#schemas/entities/story.ts'
import type { EntityDeclaration } from '#schemas/entity.ts'
import { loadConversationTestFacts, runStoredTest } from '../conversation-test/conversation-test-facts.ts'
import { changeFlow, importFlow, restoreFlow } from '../flow/flow-change.ts'
import { loadPublishFacts } from '../flow/flow-review.ts'
import {
  entityCommands,
  GENERIC,
  type GenericName,
  loadDeploymentFacts,
  namedAttempt,
  noFacts,
  setFields,
  transfer,
  withCommands,
} from '../generic/entity-commands.ts'
import {
  loadCampaignFacts,
  loadChannelFacts,
  loadCloudFileFacts,
  loadCommentFacts,
  loadDeskQueueFacts,
  loadNluProjectFacts,
  loadTemplateFacts,
  loadTinyUrlFacts,
} from '../lookup/entity-facts.ts'
import { createToken, loadApiTokenFacts, loadServiceAccountFacts, restoreAccount } from '../people/api-token.ts'
import {
  loadHierarchyFacts,
  loadIdentityProviderFacts,
  loadRoleFacts,
  loadUserFacts,
  loadUsergroupFacts,
} from '../people/people-facts.ts'
import { rightsCommands, userOverrides } from '../people/user-attempt.ts'
import { DEFAULT_COMMANDS, publishAll, publishAllUntested, withPlanRevisionCheck } from '../process/default-commands.ts'
import { duplicate } from '../process/duplicate.ts'
import { removeTree, restoreTree } from '../process/remove-tree.ts'
import { renameVariable, replaceText } from '../process/replace-text.ts'
import { applyVersion, applyVersionUntested } from '../version/apply-version.ts'
import { createVersion, uploadVersion } from '../version/create-version.ts'
import { createWebhook, loadWebhookFacts, rotateSecret } from '../webhook/webhook-secret.ts'
import { derivedId } from './append.ts'
import {
  type Attempt,
  bypassCacheOnce,
  type CommandRegistry,
  type EntityCommands,
  isTree,
  type RegisteredCommand,
} from './command-context.ts'
import { idempotent } from './idempotency-key.ts'

const AT = { x: 400, y: 80 }

/** Makes a dialog or a handler, whose flow then begins with a start block. */
const createEntityWithFlow: Attempt = async (context, run) => {
  const made = await GENERIC.create.attempt(context, run)
  if (!made.ok) return made
  const start = derivedId(run.author.seed, 'start')
  const begun = await changeFlow(context.flows, made.value.id, run.author, doc => {
    if (nodesOf(doc).size === 0) begin(doc, start)
  })
  return { ok: true, value: { ...made.value, position: begun.position ?? made.value.position ?? '' } }
}

const begin = (doc: Y.Doc, id: string) => addNode(doc, { id, type: 'start', title: 'start', ...AT }, 'begin')

/**
 * A command that appends to other streams than its target's. None of its appends finds out that a cached target is
 * stale: the target is read from the store, and a process that the command begins checks it again.
 */
const acrossStreams = (permission: string, attempt: Attempt): RegisteredCommand => ({
  permission,
  attempt: idempotent((context, run) => attempt(withPlanRevisionCheck(bypassCacheOnce(context), run), run)),
})

type ActionOf<Name extends EntityName> = keyof (typeof ENTITIES)[Name]['actions'] & string

/** Entities that declare actions of their own, each with all of them. */
type DeclaredCommands = {
  readonly [Name in EntityName as ActionOf<Name> extends never ? never : Name]: EntityCommands<ActionOf<Name>>
}

const PLAIN = { commands: {} } satisfies Behaviour

/** Removes and restores an entity together with its contents. */
const TREE: Readonly<Record<string, RegisteredCommand>> = {
  remove: acrossStreams('delete', removeTree),
  restore: acrossStreams('update', restoreTree),
}

const flow = {
  create: { permission: 'create', attempt: createEntityWithFlow },
  duplicate: acrossStreams('duplicate', duplicate),
  importflow: acrossStreams('update', importFlow),
  restoreflow: acrossStreams('update', restoreFlow),
}

/**
 * Every command beyond the generic ones, by entity and action. An entity without a line has the generic commands alone;
 * the compiler refuses a declared action that is missing here.
 */
const COMMANDS = {
  bot: withCommands(entityCommands(botBehaviour, noFacts), {
    transfer: { permission: 'transfer', attempt: transfer() },
    renamevariable: acrossStreams('update', renameVariable),
    replacetext: acrossStreams('update', replaceText),
  }),
  dialogtask: withCommands(entityCommands(PLAIN, noFacts), {
    publishall: acrossStreams('publishall', publishAll),
    publishuntested: acrossStreams('publishuntested', publishAllUntested),
    duplicate: acrossStreams('duplicate', duplicate),
  }),
  dialog: withCommands(entityCommands(dialogBehaviour, loadPublishFacts), flow),
  handler: withCommands(entityCommands(handlerBehaviour, loadPublishFacts), flow),
  dialogcomment: entityCommands(commentBehaviour(dialogcomment), loadCommentFacts),
  handlercomment: entityCommands(commentBehaviour(handlercomment), loadCommentFacts),
  version: withCommands(entityCommands(PLAIN, noFacts), {
    create: acrossStreams('create', createVersion),
    upload: acrossStreams('create', uploadVersion),
    apply: acrossStreams('apply', applyVersion),
    publishuntested: acrossStreams('publishuntested', applyVersionUntested),
  }),
  conversationtest: withCommands(entityCommands(conversationTestBehaviour, loadConversationTestFacts), {
    run: { permission: 'run', attempt: runStoredTest },
  }),
  channel: withCommands(entityCommands(channelBehaviour, loadChannelFacts), {
    record: { permission: 'read', attempt: namedAttempt(recordChannel, noFacts) },
    telltest: { permission: 'test', attempt: namedAttempt(tellTestMessage, noFacts) },
  }),
  agentchannel: withCommands(entityCommands(agentChannelBehaviour, loadChannelFacts), {
    record: { permission: 'read', attempt: namedAttempt(recordReadiness, noFacts) },
  }),
  mlchannel: entityCommands(mlChannelBehaviour, loadChannelFacts),
  metaapp: entityCommands(metaAppBehaviour, loadChannelFacts),
  metaaccount: withCommands(entityCommands(PLAIN, noFacts), {
    record: { permission: 'read', attempt: namedAttempt(recordAccount, noFacts) },
  }),
  template: withCommands(entityCommands(templateBehaviour, loadTemplateFacts), {
    review: { permission: 'read', attempt: namedAttempt(templateBehaviour.commands.review, loadTemplateFacts) },
  }),
  campaign: withCommands(entityCommands(campaignBehaviour, loadCampaignFacts), {
    tellexport: { permission: 'export', attempt: namedAttempt(tellExport, loadCampaignFacts) },
    telltest: { permission: 'test', attempt: namedAttempt(tellTest, loadCampaignFacts) },
  }),
  pricelist: entityCommands(priceListBehaviour, noFacts),
  segment: entityCommands(segmentBehaviour, noFacts),
  deploymentsettings: entityCommands(deploymentBehaviour, loadDeploymentFacts),
  cloudfile: entityCommands(cloudFileBehaviour, loadCloudFileFacts),
  deskqueue: entityCommands(deskQueueBehaviour, loadDeskQueueFacts),
  tinyurlmapping: entityCommands(tinyUrlBehaviour, loadTinyUrlFacts),
  report: entityCommands(reportBehaviour, noFacts),
  nluproject: withCommands(entityCommands(nluProjectBehaviour, loadNluProjectFacts), {
    upload: { permission: 'update', attempt: namedAttempt(uploadCommand(nluproject), noFacts) },
  }),
  story: withCommands(entityCommands(PLAIN, noFacts), {
    upload: { permission: 'update', attempt: namedAttempt(uploadCommand(story), noFacts) },
    recordtraining: { permission: 'update', attempt: namedAttempt(storyTraining, noFacts) },
  }),
  brain: entityCommands(brainBehaviour, loadNluProjectFacts),
  nlusettings: entityCommands(nluSettingsBehaviour, noFacts),
  regex: entityCommands(regexBehaviour, noFacts),
  webhook: withCommands(entityCommands(webhookBehaviour, loadWebhookFacts), {
    create: { permission: 'create', attempt: createWebhook },
    rotate: { permission: 'rotate', attempt: rotateSecret },
    record: { permission: 'read', attempt: namedAttempt(recordWebhook, loadWebhookFacts) },
  }),
  theme: withCommands(entityCommands(PLAIN, noFacts), DEFAULT_COMMANDS),
  user: withCommands(entityCommands(userBehaviour, loadUserFacts), userOverrides),
  usergroup: withCommands(entityCommands(usergroupBehaviour, loadUsergroupFacts), rightsCommands),
  role: withCommands(entityCommands(roleBehaviour, loadRoleFacts), rightsCommands),
  serviceaccount: withCommands(entityCommands(serviceAccountBehaviour, loadServiceAccountFacts), {
    restore: acrossStreams('update', restoreAccount),
  }),
  apitoken: withCommands(entityCommands(apiTokenBehaviour, loadApiTokenFacts), {
    create: { permission: 'create', attempt: createToken },
  }),
  identityprovider: entityCommands(identityProviderBehaviour, loadIdentityProviderFacts),
  hierarchy: entityCommands(hierarchyBehaviour, loadHierarchyFacts),
} as const satisfies DeclaredCommands & Partial<Record<EntityName, EntityCommands>>

const plain: EntityCommands = entityCommands(PLAIN, noFacts)

const byEntity: Readonly<Record<string, EntityCommands>> = COMMANDS
const commandsOf = (entity: string): EntityCommands =>
  Object.hasOwn(byEntity, entity) ? (byEntity[entity] ?? plain) : plain

const setsFields = (entity: EntityDeclaration | undefined, action: string): boolean =>
  entity !== undefined && Object.hasOwn(entity.actions, action) && entity.actions[action]?.sets !== undefined

/** `entities`: all that exist; containers are removed and restored as a tree. */
export const createCommandRegistry = (entities: Readonly<Record<string, EntityDeclaration>>): CommandRegistry => ({
  rulesOf: entity => commandsOf(entity).rules,
  commandOf(entity, action) {
    const { commands } = commandsOf(entity)
    const declaration = Object.hasOwn(entities, entity) ? entities[entity] : undefined
    if (!Object.hasOwn(commands, action))
      return setsFields(declaration, action) ? { permission: action, attempt: setFields } : undefined
    const command = commands[action]
    const isGeneric = Object.hasOwn(GENERIC, action) && command === GENERIC[action as GenericName]
    const ofTree = isGeneric && Object.hasOwn(TREE, action) ? TREE[action] : undefined
    return ofTree !== undefined && declaration !== undefined && isTree(entities, declaration) ? ofTree : command
  },
})
