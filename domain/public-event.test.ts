import { expect, test } from 'vitest'
import type { JsonObject, StoredEvent } from '#schemas/event.ts'
import { type PublicEvent, publicEventSchema } from '#schemas/public-event.ts'
import { shaped, translate } from './public-event.ts'

const stored = (stream: string, type: string, data: JsonObject, more: Partial<StoredEvent> = {}): StoredEvent => ({
  id: 'e1',
  type,
  version: 1,
  data,
  time: '2026-11-29T12:00:00.000Z',
  actor: 'u1',
  correlation: 'c',
  causation: null,
  level: 'l1',
  hash: '',
  stream,
  revision: 4,
  position: '7',
  ...more,
})
const fields = (values: JsonObject): JsonObject => ({ fields: values })
const notice = (entity: string, message: string, params: JsonObject): StoredEvent =>
  stored(`notice-${entity}-x`, 'NoticeGiven', { entity, id: 'x', message, kind: 'warn', params })

const sent = (event: StoredEvent, withValues = false): PublicEvent | undefined => {
  const translated = translate(event)
  return translated && shaped(event, translated, { level: 'l1', bot: 'b1' }, { position: 'p', withValues })
}

test.each([
  [stored('bot-x', 'BotRestarted', fields({ runningstatus: 'started' })), 'bot.started', {}],
  [stored('handler-x', 'HandlerPublished', fields({ published: true })), 'handler.published', {}],
  [stored('version-x', 'VersionApplied', fields({})), 'version.applied', {}],
  [stored('conversationtest-x', 'ConversationTestRan', fields({ last: { passed: false } })), 'test.failed', {}],
  [stored('nluproject-x', 'NluProjectTrainingFinished', fields({ training_status: 'finished' })), 'nlu.trained', {}],
  [
    stored('brain-x', 'BrainTrainingFailed', fields({ training_error: 'work.time' })),
    'nlu.failed',
    { code: 'work.time' },
  ],
  [stored('campaign-x', 'CampaignFailedRetried', fields({ run: 'r1' })), 'campaign.begun', {}],
  [
    stored('campaign-x', 'CampaignEnded', fields({ run_status: 'expired' })),
    'campaign.finished',
    { status: 'expired' },
  ],
  [stored('template-x', 'TemplateReviewed', fields({ status: 'APPROVED' })), 'template.approved', {}],
  [stored('template-x', 'TemplateReviewed', fields({ status: 'REJECTED' })), 'template.rejected', {}],
  [
    stored('botservice-x', 'BotServiceChanged', fields({ state: 'down', status: 'nlu' })),
    'service.down',
    { code: 'nlu' },
  ],
  [
    stored('botservice-x', 'BotServiceCreated', fields({ state: 'up', status: 'ready' })),
    'service.up',
    { code: 'ready' },
  ],
  [stored('handlercomment-x', 'HandlerCommentCreated', fields({ block: 'b' })), 'comment.added', {}],
  [notice('metricalert', 'metricalert.crossed', { metric: 'failed' }), 'bot.failing', { metric: 'failed' }],
  [notice('channel', 'channel.error', { code: 'unauthorized' }), 'service.down', { code: 'unauthorized' }],
  [notice('channel', 'channel.ok', { code: 'ok' }), 'service.up', { code: 'ok' }],
  [notice('channel', 'channel.token', { detail: '7' }), 'token.expiring', { days: 7 }],
  [notice('apitoken', 'apitoken.expiring', { days: 14, name: 'CI' }), 'token.expiring', { days: 14 }],
  [notice('apitoken', 'apitoken.expired', { days: 0, name: 'CI' }), 'token.expiring', { days: 0 }],
  [stored('conversation-x', 'ConversationEnded', { reason: 'person' }), 'conversation.ended', { reason: 'person' }],
  [stored('conversation-x.2', 'TurnTaken', { ended: 'flow' }), 'conversation.ended', { reason: 'flow' }],
  [stored('conversation-x', 'AgentRequested', { channel: 'a1' }), 'conversation.handedoff', { channel: 'a1' }],
  [
    stored('delivery-x', 'DeliveryFailed', { code: 'window', channel: 'k1' }),
    'delivery.failed',
    { code: 'window', channel: 'k1' },
  ],
  [
    stored('delivery-x', 'DeliveryReceipt', { status: 'failed', code: '131026' }),
    'delivery.failed',
    { code: '131026' },
  ],
  // Commands of an entity without a kind of their own change it.
  [stored('bot-x', 'BotFixed', fields({ runningstatus: 'started' })), 'entity.changed', { changed: ['runningstatus'] }],
  [stored('template-x', 'TemplateReviewed', fields({ quality: 'GREEN' })), 'entity.changed', {}],
  [stored('botservice-x', 'BotServiceChanged', fields({ buildversion: '2' })), 'entity.changed', {}],
])('sends a stored event as its public kind %#  [P-2680]', (event, type, more) => {
  const found = sent(event)
  expect(found).toMatchObject({ type, data: { id: 'x', bot: 'b1', ...more } })
  expect(publicEventSchema.parse(found)).toEqual(found)
  expect(JSON.stringify(found)).not.toContain(event.type)
})

test.each(
  [
    stored('bot-x', 'BotFenced', fields({})),
    stored('codesample-x', 'CodeSampleAbandoned', {}),
    stored('flow-x', 'FlowEdited', { update: 'AA==' }),
    stored('session-x', 'SessionStarted', { user: 'u1' }),
    stored('name-bot-x', 'NameReserved', {}),
    stored('versioncontent-x', 'VersionContentStored', {}),
    stored('conversation-x', 'MessageReceived', { sealed: 'x' }),
    stored('conversation-x', 'TurnTaken', { turn: 1 }),
    stored('delivery-x', 'DeliverySent', { id: 'm' }),
    stored('delivery-x', 'DeliveryReceipt', { status: 'read' }),
    stored('notice-channel-other', 'NoticeGiven', { entity: 'channel', id: 'x', message: 'channel.error' }),
    notice('deskqueue', 'desk.full', {}),
    stored('conversationtest-x', 'ConversationTestRan', fields({ last: { passed: true } })),
  ].map(event => [event.type, event] as const),
)('keeps %s inside [P-2680]', (type, event) => {
  // A test that passed changed its last result.
  expect(sent(event)?.type).toBe(type === 'ConversationTestRan' ? 'entity.changed' : undefined)
})

test('leaves out values above 20 kB, sealed ones and fields of bookkeeping [P-2680]', () => {
  const values = { name: 'Bia', description: 'x'.repeat(100) }
  const small = sent(stored('bot-x', 'BotCreated', fields(values)), true)
  expect(small?.data).toMatchObject({ changed: ['name', 'description'], values })
  const large = sent(stored('bot-x', 'BotCreated', fields({ ...values, description: 'é'.repeat(10_000) })), true)
  expect(large?.data).toMatchObject({ changed: ['name', 'description'], valuesomitted: true })
  expect(large?.data).not.toHaveProperty('values')
  const sealed = { username: { $personal: 'x' }, usergroup: ['g1'], locked: false, unknown: 1 }
  const user = sent(stored('user-x', 'UserChanged', fields(sealed)), true)
  expect(user?.data.values).toEqual({ usergroup: ['g1'], locked: false })
  expect(user?.data.changed).toEqual(['username', 'usergroup', 'locked'])
})
