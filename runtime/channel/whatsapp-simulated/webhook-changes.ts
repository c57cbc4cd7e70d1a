import { personaBehaviour, personaName, personaScopedId, personaWaId } from '#domain/campaign/simulated-number.ts'
import type { JsonObject } from '#schemas/event.ts'
import { graphTime, messagesValue } from '../whatsapp-cloud/graph-wire.ts'
import { spokenContent } from './phone-message.ts'
import { mediaId, type SimulatedAccount } from './simulated-graph.ts'
import { type PendingStep, type PhoneMessage, personaIn, type SimulatedState } from './simulated-state.ts'

interface Change {
  readonly field: string
  readonly value: JsonObject
}

/** Sender and recipient of a persona in webhooks: `hidden` personas have their scoped id alone. */
const addressOf = (persona: number): { readonly from: JsonObject; readonly recipient: JsonObject } => {
  const scoped = personaScopedId(persona)
  if (personaBehaviour(persona) === 'hidden')
    return { from: { from_user_id: scoped }, recipient: { recipient_user_id: scoped } }
  const waId = personaWaId(persona)
  return { from: { from: waId }, recipient: { recipient_id: waId } }
}

const statusOf = (step: Extract<PendingStep, { kind: 'status' }>, state: SimulatedState, now: number): JsonObject => {
  const message = personaIn(state, step.persona).messages.find(({ id }) => id === step.message)
  const template = state.templates.get(message?.template ?? '')
  return {
    ...{ id: step.message, status: step.status, timestamp: graphTime(now), ...addressOf(step.persona).recipient },
    ...(message?.callback === undefined ? {} : { biz_opaque_callback_data: message.callback }),
    ...(step.code === undefined ? {} : { errors: [{ code: step.code, title: 'Simulated' }] }),
    ...(template === undefined || step.status !== 'delivered'
      ? {}
      : { pricing: { category: template.category.toLowerCase(), type: 'regular', billable: true } }),
  }
}

const spokenValue = (account: SimulatedAccount, persona: number, message: PhoneMessage, now: number): JsonObject => {
  const { from } = addressOf(persona)
  const context = message.replyTo === undefined ? {} : { context: { from: account.display, id: message.replyTo } }
  const content = spokenContent(message, { id: mediaId(account) })
  const spoken = { ...from, id: message.id, timestamp: graphTime(now), ...context, ...content }
  if (from.from === undefined)
    return {
      contacts: [{ profile: { name: personaName(persona) }, user_id: personaScopedId(persona) }],
      messages: [spoken],
    }
  return messagesValue(personaWaId(persona), personaName(persona), [spoken])
}

const templateValue = (
  { template: id, status, reason }: Extract<PendingStep, { kind: 'template' }>,
  state: SimulatedState,
): JsonObject => {
  const template = state.templates.get(id)
  return {
    event: status,
    message_template_id: id,
    message_template_name: template?.name ?? '',
    message_template_language: template?.language ?? '',
    ...(status === 'PAUSED' ? { other_info: { title: reason } } : { reason: reason === '' ? 'NONE' : reason }),
  }
}

/** Webhook changes of due steps, in their order: receipts together, then messages, then news. */
export const changesOf = (
  account: SimulatedAccount,
  state: SimulatedState,
  due: readonly PendingStep[],
  now: number,
): readonly Change[] => {
  const statuses = due.flatMap(step => (step.kind === 'status' ? [statusOf(step, state, now)] : []))
  const others = due.flatMap((step): readonly Change[] => {
    switch (step.kind) {
      case 'reply':
      case 'said':
        return [{ field: 'messages', value: spokenValue(account, step.persona, step.message, now) }]
      case 'template':
        return [{ field: 'message_template_status_update', value: templateValue(step, state) }]
      case 'number': {
        const value = { display_phone_number: account.display, event: step.event, current_limit: state.tier }
        return [{ field: 'phone_number_quality_update', value }]
      }
      default:
        return []
    }
  })
  return [...(statuses.length === 0 ? [] : [{ field: 'messages', value: { statuses } }]), ...others]
}
