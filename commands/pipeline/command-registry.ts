import { agentChannelBehaviour } from '#domain/agent-channel.ts'
import type { Behaviour } from '#domain/behaviour.ts'
import { botBehaviour } from '#domain/bot.ts'
import { campaignBehaviour, tellExport } from '#domain/campaign/behaviour.ts'
import { channelBehaviour, recordChannel } from '#domain/channel.ts'
import { cloudFileBehaviour } from '#domain/cloud-file.ts'
import { commentBehaviour } from '#domain/comment.ts'
import { conversationTestBehaviour } from '#domain/conversation-test/behaviour.ts'
import { deploymentBehaviour } from '#domain/deployment.ts'
import { dialogBehaviour } from '#domain/dialog.ts'
import { handlerBehaviour } from '#domain/handler.ts'
import { metaAppBehaviour, recordAccount } from '#domain/meta/account.ts'
import { mlChannelBehaviour } from '#domain/ml-channel.ts'
import { uploadCommand } from '#domain/nlu-upload.ts'
import { brainBehaviour, nluProjectBehaviour } from '#domain/nluproject.ts'
import { nluSettingsBehaviour } from '#domain/nlusettings.ts'
import { hierarchyBehaviour } from '#domain/people/hierarchy.ts'
import { roleBehaviour } from '#domain/people/role.ts'
import { userBehaviour } from '#domain/people/user.ts'
import { usergroupBehaviour } from '#domain/people/usergroup.ts'
import { regexBehaviour } from '#domain/regex.ts'
import { reportBehaviour } from '#domain/report.ts'
import { storyTraining } from '#domain/story.ts'
import { templateBehaviour } from '#domain/template/behaviour.ts'
import { tinyUrlBehaviour } from '#domain/tiny-url.ts'
import { dialogcomment } from '#schemas/entities/dialogcomment.ts'
import { handlercomment } from '#schemas/entities/handlercomment.ts'
import { nluproject } from '#schemas/entities/nluproject.ts'
import type { ENTITIES, EntityName } from '#schemas/entities/registry.ts'
import { story } from '#schemas/entities/story.ts'
import type { EntityDeclaration } from '#schemas/entity.ts'
import { gatherTestErrors } from '../conversation-test/gather-bot-names.ts'
import { runStoredTest } from '../conversation-test/run-stored-test.ts'
import { createDrawn } from '../flow/begin-flow.ts'
import { gatherFlow } from '../flow/gather-flow.ts'
import { importFlow } from '../flow/import-flow.ts'
import { restoreFlow } from '../flow/restore-flow.ts'
import { entityCommands, GENERIC, type GenericName, noFacts, withCommands } from '../generic/entity-commands.ts'
import { gatherCompose } from '../generic/gather-compose.ts'
import { namedAttempt } from '../generic/named-command.ts'
import { setFields } from '../generic/set-fields.ts'
import { transfer } from '../generic/transfer.ts'
import { gatherCampaign } from '../lookup/gather-campaign.ts'
import { gatherChannel } from '../lookup/gather-channel.ts'
import { gatherCloudFile } from '../lookup/gather-cloud-file.ts'
import { gatherComment } from '../lookup/gather-comment.ts'
import { gatherTinyUrl } from '../lookup/gather-tiny-url.ts'
import { gatherNluProject } from '../nlu/gather-nlu-project.ts'
import { gatherHierarchy } from '../people/gather-hierarchy.ts'
import { gatherRole } from '../people/gather-role.ts'
import { gatherUser } from '../people/gather-user.ts'
import { gatherUsergroup } from '../people/gather-usergroup.ts'
import { rightsCommands, userOverrides } from '../people/user-attempt.ts'
import { isTree } from '../process/contents.ts'
import { duplicate } from '../process/duplicate.ts'
import { publishAll, publishAllUntested } from '../process/publish-all.ts'
import { removeTree } from '../process/remove-tree.ts'
import { renameVariable } from '../process/rename-variable.ts'
import { replaceText } from '../process/replace-text.ts'
import { restoreTree } from '../process/restore-tree.ts'
import { DEFAULT_COMMANDS } from '../process/take-default.ts'
import { applyVersion, applyVersionUntested } from '../version/apply-version.ts'
import { createVersion, uploadVersion } from '../version/create-version.ts'
import { acrossStreams } from './across-streams.ts'
import type { CommandRegistry, EntityCommands, RegisteredCommand } from './command-context.ts'

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
  create: { permission: 'create', attempt: createDrawn },
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
  dialog: withCommands(entityCommands(dialogBehaviour, gatherFlow), flow),
  handler: withCommands(entityCommands(handlerBehaviour, gatherFlow), flow),
  dialogcomment: entityCommands(commentBehaviour(dialogcomment), gatherComment),
  handlercomment: entityCommands(commentBehaviour(handlercomment), gatherComment),
  version: withCommands(entityCommands(PLAIN, noFacts), {
    create: acrossStreams('create', createVersion),
    upload: acrossStreams('create', uploadVersion),
    apply: acrossStreams('apply', applyVersion),
    publishuntested: acrossStreams('publishuntested', applyVersionUntested),
  }),
  conversationtest: withCommands(entityCommands(conversationTestBehaviour, gatherTestErrors), {
    run: { permission: 'run', attempt: runStoredTest },
  }),
  channel: withCommands(entityCommands(channelBehaviour, gatherChannel), {
    record: { permission: 'read', attempt: namedAttempt(recordChannel, noFacts) },
  }),
  agentchannel: entityCommands(agentChannelBehaviour, gatherChannel),
  mlchannel: entityCommands(mlChannelBehaviour, gatherChannel),
  metaapp: entityCommands(metaAppBehaviour, gatherChannel),
  metaaccount: withCommands(entityCommands(PLAIN, noFacts), {
    record: { permission: 'read', attempt: namedAttempt(recordAccount, noFacts) },
  }),
  template: withCommands(entityCommands(templateBehaviour, noFacts), {
    review: { permission: 'read', attempt: namedAttempt(templateBehaviour.commands.review, noFacts) },
  }),
  campaign: withCommands(entityCommands(campaignBehaviour, gatherCampaign), {
    tellexport: { permission: 'export', attempt: namedAttempt(tellExport, gatherCampaign) },
  }),
  deploymentsettings: entityCommands(deploymentBehaviour, gatherCompose),
  cloudfile: entityCommands(cloudFileBehaviour, gatherCloudFile),
  tinyurlmapping: entityCommands(tinyUrlBehaviour, gatherTinyUrl),
  report: entityCommands(reportBehaviour, noFacts),
  nluproject: withCommands(entityCommands(nluProjectBehaviour, gatherNluProject), {
    upload: { permission: 'update', attempt: namedAttempt(uploadCommand(nluproject), noFacts) },
  }),
  story: withCommands(entityCommands(PLAIN, noFacts), {
    upload: { permission: 'update', attempt: namedAttempt(uploadCommand(story), noFacts) },
    recordtraining: { permission: 'update', attempt: namedAttempt(storyTraining, noFacts) },
  }),
  brain: entityCommands(brainBehaviour, gatherNluProject),
  nlusettings: entityCommands(nluSettingsBehaviour, noFacts),
  regex: entityCommands(regexBehaviour, noFacts),
  theme: withCommands(entityCommands(PLAIN, noFacts), DEFAULT_COMMANDS),
  user: withCommands(entityCommands(userBehaviour, gatherUser), userOverrides),
  usergroup: withCommands(entityCommands(usergroupBehaviour, gatherUsergroup), rightsCommands),
  role: withCommands(entityCommands(roleBehaviour, gatherRole), rightsCommands),
  hierarchy: entityCommands(hierarchyBehaviour, gatherHierarchy),
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
