import type { Json } from '#schemas/event.ts'
import { AGENT_PROFILE_FORMAT } from './agent-profile.ts'

const HEAD = { format: AGENT_PROFILE_FORMAT, version: 1 }

/** A rule in one line. Its texts are in single quotes, which JSON does not escape. */
const rule = (...parts: readonly string[]): string => parts.join(' ')

/**
 * Avaya Experience Platform Digital, Custom Messaging, after Avaya's published sample. `close` is the tenant's own: the
 * sample ends no engagement.
 */
const AVAYA_CCAAS = {
  ...HEAD,
  note: 'From Avaya’s published sample. Fill in values, and add close: the call that disconnects an engagement.',
  values: { account: '', integration: '', endsWithAgent: true },
  auth: {
    scheme: 'oauth2',
    grant: 'client_credentials',
    url: '/api/auth/v1/{values.account}/protocol/openid-connect/token',
    headers: { appkey: '$secret:verifytoken' },
  },
  say: {
    opens: true,
    path: '/api/digital/custom-messaging/v1/accounts/{values.account}/messages',
    body: rule(
      "{'channelId': 'Messaging', 'channelProviderId': fields.provider_id, 'businessAccountName': values.integration,",
      "'customerIdentifiers': {'phoneNumbers': [chat.person.id]},",
      "'body': {'elementType': 'text', 'elementText': {'text': message.text, 'textFormat': 'PLAINTEXT'}},",
      "'headers': {'sourceType': 'Parley', 'sourceAddress': chat.conversation},",
      "'senderName': chat.person.name, 'providerSenderId': chat.person.id, 'providerDialogId': chat.key,",
      "'providerMessageId': message.id, 'engagementParameters': {'queue': queue}}",
    ),
  },
  events: {
    by: 'webhook',
    list: rule(
      "body.($isAgent := senderParticipantType = 'AGENT' or participantType = 'AGENT';",
      "$at := ' ' & participantId & ' ' & eventDate;",
      "eventType in ['MESSAGES', 'CC_MESSAGES'] and $isAgent ? {'kind': 'message', 'id': messageId,",
      "'agent': {'name': senderParticipantName}, 'text': body.elementText.text} :",
      "eventType = 'PARTICIPANT_ADDED' and $isAgent ?",
      "{'kind': 'joined', 'id': 'joined' & $at, 'agent': {'name': displayName}} :",
      "eventType = 'PARTICIPANT_DISCONNECTED' and $isAgent ?",
      "(reason = 'TRANSFER' ? {'kind': 'transferred', 'id': 'left' & $at} :",
      "[{'kind': 'left', 'id': 'left' & $at}, $$.values.endsWithAgent ? {'kind': 'closed', 'id': 'closed'}]) :",
      "eventType = 'TYPING' and $isAgent ? {'kind': 'typing'} :",
      "eventType = 'ENGAGEMENT_ERROR' ? {'kind': 'error', 'id': 'error ' & correlationId, 'code': errorCode})",
    ),
  },
  webhook: { verify: { scheme: 'token' }, key: 'body.providerDialogId' },
  limits: { text: 4096 },
}

const OPEN = {
  note: 'What the person wrote, who they are and the queue; once says what the system does with a second attempt.',
  path: '/chats',
  body: "{'key': chat.key, 'name': chat.person.name, 'queue': queue, 'history': chat.transcript, 'callback': chat.webhook}",
  link: "{'id': answer.id}",
  once: false,
}
const SAY = { path: '/chats/{link.id}/messages', body: "{'id': message.id, 'text': message.text}", once: false }
const CLOSE = { method: 'DELETE', path: '/chats/{link.id}' }
const LIST =
  "answer.events[$not(from = 'customer')].{'kind': type, 'id': id, 'agent': {'name': agent}, 'text': text, 'isTyping': true}"
const CURSOR = "{'after': answer.cursor}"

/** The parts of every profile, with paths that the vendor's manual replaces. */
const GENERAL = {
  ...HEAD,
  note: 'An example: replace every path and rule by those of the vendor’s manual (docs/agents.md).',
  auth: { scheme: 'bearer' },
  available: { method: 'GET', path: '/agents', query: { queue: '{queue}' }, answer: 'answer.free > 0' },
  open: OPEN,
  say: SAY,
  close: CLOSE,
  events: {
    by: 'poll',
    call: { method: 'GET', path: '/chats/{link.id}/events', query: { after: '{link.after}' } },
    pause: 2000,
    list: LIST,
    cursor: CURSOR,
  },
}

const PRESENCE = {
  ...GENERAL,
  auth: { scheme: 'basic', note: 'The fields user and channel_password.' },
  supervisor: {
    scheme: 'login',
    note: 'Both sign-ins of the supervisor interface in one call; its token goes with the calls below.',
    call: {
      at: 'supervisor_url',
      path: '/login',
      headers: { 'x-token-user': '{fields.supervisor_token_userid}', 'x-token': '$secret:supervisor_token_password' },
      body: "{'user': fields.supervisor_login_userid, 'password': '$secret:supervisor_login_password'}",
    },
    token: 'answer.token',
    name: 'x-session',
  },
  available: {
    at: 'supervisor_url',
    method: 'GET',
    path: '/services',
    query: { ids: '{fields.supervisor_monitoring_services}' },
    answer: '$sum(answer.services.agents) > 0',
  },
  queue: {
    at: 'supervisor_url',
    method: 'GET',
    path: '/services/waiting',
    query: { ids: '{fields.supervisor_monitoring_services}', chat: '{chat.key}' },
    answer: 'answer.position',
  },
  open: {
    ...OPEN,
    body: "{'key': chat.key, 'service': fields.service_id, 'name': chat.person.name, 'history': chat.transcript}",
  },
}

const XGEN = {
  ...GENERAL,
  available: { ...GENERAL.available, query: { services: '{fields.monitoring_services}' } },
  say: {
    ...SAY,
    note: 'The address of the field custom_message_service_url, as it is.',
    at: 'custom_message_service_url',
    path: '',
    body: "{'chat': link.id, 'id': message.id, 'text': message.text}",
  },
  events: { by: 'webhook', list: LIST.replaceAll('answer.', 'body.') },
  webhook: { verify: { scheme: 'header', name: 'x-token' }, key: 'body.key' },
}

/** A profile to begin with: a preset where the vendor publishes its interface, else an example of every part. */
export const agentProfileExample = (type: string): Json => {
  switch (type) {
    case 'avayaccaas':
      return AVAYA_CCAAS
    case 'presence':
      return PRESENCE
    case 'xgen':
      return XGEN
    default:
      return GENERAL
  }
}
