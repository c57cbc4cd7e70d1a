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
import type { Lookup } from '#domain/lookup.ts'
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
import { ENTITIES, type EntityName } from '#schemas/entities/registry.ts'
import { story } from '#schemas/entities/story.ts'
import type { EntityDeclaration } from '#schemas/entity.ts'
import type { JsonObject } from '#schemas/event.ts'
import { type Result, refused } from '#schemas/refusal.ts'
import { loadConversationTestFacts, runStoredTest } from './conversation-test/conversation-test-facts.ts'
import type { TestRunner } from './conversation-test/conversation-test-port.ts'
import { levelOfFlow } from './flow/bot-flow.ts'
import { changeFlow, importFlow, restoreFlow } from './flow/flow-change.ts'
import { createFlowLog, type FlowLog, type FlowLogOptions } from './flow/flow-log.ts'
import { type FlowReader, flowReader } from './flow/flow-reader.ts'
import { type FlowReview, flowReview, loadPublishFacts } from './flow/flow-review.ts'
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
} from './generic/entity-commands.ts'
import type { Keys } from './keys/secret.ts'
import {
  loadCampaignFacts,
  loadChannelFacts,
  loadCloudFileFacts,
  loadCommentFacts,
  loadDeskQueueFacts,
  loadNluProjectFacts,
  loadTemplateFacts,
  loadTinyUrlFacts,
  openFields,
} from './lookup/entity-facts.ts'
import { createReservation } from './name/reservation.ts'
import { createToken, loadApiTokenFacts, loadServiceAccountFacts, restoreAccount } from './people/api-token.ts'
import {
  loadHierarchyFacts,
  loadIdentityProviderFacts,
  loadRoleFacts,
  loadUserFacts,
  loadUsergroupFacts,
} from './people/people-facts.ts'
import { rightsCommands, userOverrides } from './people/user-attempt.ts'
import { type Author, derivedId } from './pipeline/append.ts'
import {
  type Attempt,
  bypassCache,
  bypassCacheOnce,
  type CommandContext,
  type CommandRegistry,
  type CommandResult,
  type EntityCommands,
  isPermitted,
  type RegisteredCommand,
  type Run,
} from './pipeline/command-context.ts'
import {
  createIdempotencyGuard,
  findEarlierResult,
  type IdempotencyGuard,
  idempotent,
} from './pipeline/idempotency-key.ts'
import { createLoader } from './pipeline/load.ts'
import {
  type Checks,
  type Command,
  type CommandHandler,
  type Files,
  INLINE_CHECKS,
  NO_FILES,
  type Outcome,
} from './port.ts'
import { type BulkCommands, bulkCommands } from './process/bulk.ts'
import { DEFAULT_COMMANDS, publishAll, publishAllUntested, withPlanRevisionCheck } from './process/default-commands.ts'
import { chainOf, isTree } from './process/descendants.ts'
import { duplicate } from './process/duplicate.ts'
import { createProcesses } from './process/processes.ts'
import { removeTree, restoreTree } from './process/remove-tree.ts'
import { renameVariable, replaceText } from './process/replace-text.ts'
import { type EventStore, EventTooLarge, WrongRevision } from './store/port.ts'
import { BUSY, WorkBusy } from './time-slicer.ts'
import { NO_TRACER, type Tracer, traced } from './tracer.ts'
import { applyVersion, applyVersionUntested } from './version/apply-version.ts'
import { createVersion, uploadVersion } from './version/create-version.ts'
import { type VersionReader, versionReader } from './version/version-reader.ts'
import { INLINE_VERSION_WORK, type VersionWork } from './version/version-work.ts'
import { createWebhook, loadWebhookFacts, rotateSecret } from './webhook/webhook-secret.ts'

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

/** Attempts at one command before a conflict of revisions becomes an error. */
const MAX_ATTEMPTS = 100

/**
 * One command through the pipeline: authorize, load, decide, append, and again after a conflict. Loading, deciding and
 * appending are the registered attempt's.
 */
const handleCommand = async (
  context: CommandContext,
  command: Command,
  seed: string,
  isRepeated: boolean,
): Promise<Outcome> => {
  const entity = context.entityOf(command.entity)
  if (entity === undefined) return refused('entity.notfound')
  if (!isPermitted(context.registry, command.caller, entity, command.action)) return refused('access.forbidden')
  const registered = context.registry.commandOf(entity.name, command.action)
  if (registered === undefined) return refused('entity.notfound')
  const author: Author = {
    seed,
    actor: command.caller.user,
    time: context.now().toISOString(),
    correlation: command.correlation,
    causation: command.caller.session,
    isSole: command.key === undefined && command.seed === undefined,
  }
  const run: Run = { command, entity, author, reserved: new Map(), isRepeated }
  const result = await orEarlierResult(retryOnConflict(rejectWhileBusy(registered.attempt)))(tracedLoads(context), run)
  for (const [stream, owner] of run.reserved) await context.reservation.release(author, owner, stream)
  return result.ok ? { ok: true, ...result.value } : result
}

/** Opens a span for each load, with that of the command as its parent. */
const tracedLoads = (context: CommandContext): CommandContext => {
  const { loader, tracer } = context
  if (!tracer.isOn) return context
  const parent = tracer.current()
  const load: typeof loader.load = (entity, id, options) => {
    const attributes = { 'parley.entity': entity.name, 'parley.cached': loader.isCached(entity, id) }
    return traced(tracer, 'parley.load', { parent, attributes }, () => loader.load(entity, id, options))
  }
  return { ...context, loader: { ...loader, load } }
}

/**
 * Does not wait: refuses a command while a process works on its target or the target's parents, unless it is the
 * command's own process. Parents never change, so cached states suffice.
 */
const rejectWhileBusy =
  (attempt: Attempt): Attempt =>
  async (context, run) => {
    const roots = await chainOf(context, run.entity, run.command)
    if (roots.length === 0 || !(await context.processes.isBusy(roots))) return attempt(context, run)
    return (run.isRepeated ? await findEarlierResult(context, run) : undefined) ?? refused('entity.busy')
  }

/** Another node may have carried out the command that is refused here: its result counts. */
const orEarlierResult =
  (attempt: Attempt): Attempt =>
  async (context, run) => {
    const result = await attempt(context, run)
    return (result.ok || run.author.isSole === true ? undefined : await findEarlierResult(context, run)) ?? result
  }

const retryOnConflict =
  (attempt: Attempt): Attempt =>
  async (context, first): Promise<Result<CommandResult>> => {
    let run = first
    for (let left = MAX_ATTEMPTS; ; left -= 1) {
      try {
        return await attempt(context, run)
      } catch (error) {
        if (error instanceof EventTooLarge) return refused('request.toolarge')
        if (error instanceof WorkBusy) return BUSY
        if (!(error instanceof WrongRevision) || left === 0) throw error
        context.tracer.current().set({ 'parley.conflicts': MAX_ATTEMPTS - left + 1 })
        run = { ...run, isRepeated: true }
      }
    }
  }

interface CommandHandlerOptions {
  readonly store: EventStore
  readonly keys: Keys
  readonly lookup: Lookup
  /** Uploaded files; without it no field can hold one. */
  readonly files?: Files
  /** Whether the host of an address may be given to people outside; without it every host may. */
  readonly isOpenHost?: (host: string) => Promise<boolean>
  /** Open chats of a queue of the desk; without it there are none. */
  readonly openDeskChats?: (queue: string) => number
  /** Names of nodes whose build does not know Parley's own desk. */
  readonly nodesWithoutDesk?: () => Promise<readonly string[]>
  /** Newest keyframe of a flow at or before a revision; without it flows are read from their start. */
  readonly keyframe?: FlowLogOptions['keyframe']
  /** Runs conversation tests; without it none gates. */
  readonly tests?: TestRunner
  /** Default: on this thread. */
  readonly checks?: Checks
  /** Default: on this thread. */
  readonly versions?: VersionWork
  readonly tracer?: Tracer
  readonly now?: () => Date
  /** Every entity there is; given in by tests alone. */
  readonly entities?: Readonly<Record<string, EntityDeclaration>>
}

/** The writer, and what else of it the rooms and the routes need. */
export interface Commands extends CommandHandler, FlowReader, FlowReview, BulkCommands, VersionReader {
  readonly flows: FlowLog
  /** For what is written beside commands: the same memory of idempotency keys. */
  readonly once: IdempotencyGuard
  /** Fields of a live thing with its secrets decrypted, for calls made on its behalf; undefined when it is not there. */
  openFields(entity: string, id: string, revision?: number): Promise<JsonObject | undefined>
  /** Drops a cached state that another node may have made stale. */
  forget(entity: string, id: string): void
  /** Ends the processes that a crash left unfinished; about one thing, or all. */
  resumeProcesses(root?: string): Promise<void>
}

const createTools = (options: CommandHandlerOptions): CommandContext => {
  const { store, keys, lookup, files = NO_FILES, isOpenHost = async () => true, now = () => new Date() } = options
  const openDeskChats = options.openDeskChats ?? (() => 0)
  const nodesWithoutDesk = options.nodesWithoutDesk ?? (async () => [])
  const entities: Readonly<Record<string, EntityDeclaration>> = options.entities ?? ENTITIES
  const entityOf = (name: string) => (Object.hasOwn(entities, name) ? entities[name] : undefined)
  const loader = createLoader(store, undefined, entities)
  const levelOf = levelOfFlow(loader, entityOf)
  const flows = createFlowLog({ store, keyframe: options.keyframe ?? (async () => undefined), levelOf, now })
  const reservation = createReservation({ store, keys, loader, entityOf })
  const processes = createProcesses(
    () => fresh,
    (command, seed, resumed) => handleCommand(context, command, seed, resumed),
  )
  const context: CommandContext = {
    store,
    keys,
    files,
    lookup,
    isOpenHost,
    openDeskChats,
    nodesWithoutDesk,
    loader,
    flows,
    reservation,
    processes,
    tests: options.tests,
    checks: options.checks ?? INLINE_CHECKS,
    versions: options.versions ?? INLINE_VERSION_WORK,
    entities,
    entityOf,
    registry: createCommandRegistry(entities),
    tracer: options.tracer ?? NO_TRACER,
    now,
  }
  // A process depends on streams of many entities, which its own appends do not check.
  const fresh = bypassCache(context)
  return context
}

/** The only writer of domain events outside flow rooms: authorize, load, decide, append, again on a conflict. */
export const createCommandHandler = (options: CommandHandlerOptions): Commands => {
  const context = createTools(options)
  const once = createIdempotencyGuard(context)
  return {
    ...versionReader(bypassCache(context)),
    ...flowReader(bypassCache(context)),
    ...flowReview(bypassCache(context)),
    ...bulkCommands(bypassCache(context)),
    flows: context.flows,
    once,
    openFields: (entity, id, revision) => openFields(bypassCache(context), entity, id, revision),
    forget: (entity, id) => {
      const declaration = context.entityOf(entity)
      if (declaration !== undefined) context.loader.drop(declaration, id)
    },
    resumeProcesses: root => context.processes.resume(root),
    execute: command =>
      command.seed === undefined
        ? once(command, (seed, resumed) => handleCommand(context, command, seed, resumed))
        : handleCommand(context, command, command.seed, false),
  }
}
